#include <fmt/format.h>
#include <malloc.h>

#include <csignal>
#include <cstdio>
#include <exception>
#include <iostream>
#include <new>

#include "cli/commands.h"
#include "lgn/core/error.h"
#include "lgn/core/linear_algebra.h"
#include "lgn/version.h"

namespace {

/// 0 done, 1 the system could not be identified, 2 bad usage or bad data.
int run(int count, char** words) {
  using namespace lgn::cli;
  try {
    CommandLine line(
        "Reads the physics of a linear system out of measured data.\n"
        "  lgn fit ringdown.csv                 poles, frequencies and damping of what made the "
        "data\n"
        "  lgn fit data.csv -o model.json       and a model to simulate, evaluate and cite",
        lgn::version);
    add_fit(line);
    add_modes(line);
    add_simulate(line);
    add_evaluate(line);
    add_generate(line);
    add_report(line);
    line.add_completion();
    const int status = line.run(count, words);
    std::cout.flush();
    if (!std::cout)
      throw lgn::Error("cannot write", "is the disk full?", {"standard output", 0, 0});
    return status;
  } catch (const lgn::NotIdentified& error) {
    fmt::print(stderr, "lgn: {}\n", error.what());
    return 1;
  } catch (const lgn::Error& error) {
    fmt::print(stderr, "lgn: {}\n", error.what());
    return 2;
  } catch (const std::bad_alloc&) {
    fmt::print(stderr,
               "lgn: not enough memory; choose fewer channels with --channels, or fewer samples\n");
    return 2;
  } catch (const std::exception& error) {
    fmt::print(stderr, "lgn: {}\n", error.what());
    return 2;
  }
}

}  // namespace

int main(int count, char** words) {
#ifdef M_TRIM_THRESHOLD
  // Training frees and takes the same matrices thousands of times; giving them back to the system
  // in between costs more than the arithmetic.
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
  mallopt(M_MMAP_THRESHOLD, 1 << 26);
#endif
  lgn::set_threads(1);
  return run(count, words);
}
