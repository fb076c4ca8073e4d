#include "cli/experiments/commands.h"
#include "cli/program.h"
#include "lgn/version.h"

int main(int count, char** words) {
  return lgn::cli::run_program([&] {
    using namespace lgn::cli;
    CommandLine line("Runs the experiments of the paper; lgn starts it for the commands below.",
                     lgn::version);
    add_compare(line);
    add_reproduce(line);
    line.add_completion();
    return line.run(count, words);
  });
}
