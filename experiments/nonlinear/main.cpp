// lgn-nonlinear [SECTION…]: prints docs/nonlinear-study.md, or these sections of it: laws whose energy cannot grow, found in data, beside
// what must hold.

#include <cstdio>
#include <exception>

#include "experiments/nonlinear/study.h"
#include "lgn/core/linear_algebra.h"

int main(int count, char** arguments) {
  lgn::set_threads(1);  // numbers then repeat bit for bit
  try {
    const std::vector<std::string> asked(arguments + 1, arguments + count);
    for (const auto& section : asked.empty() ? lgn::studies::nonlinear_sections() : asked)
      lgn::studies::nonlinear_section(section, [](const std::string& text) {
        std::fputs(text.c_str(), stdout);
        std::fflush(stdout);
      });
  } catch (const std::exception& error) {
    std::fprintf(stderr, "lgn-nonlinear: %s\n", error.what());
    return 1;
  }
  return 0;
}
