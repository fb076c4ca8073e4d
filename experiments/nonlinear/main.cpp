// Prints docs/nonlinear-study.md: laws whose energy cannot grow, found in data, beside what must hold.

#include <cstdio>
#include <exception>

#include "experiments/nonlinear/study.h"
#include "lgn/core/linear_algebra.h"

int main() {
  lgn::set_threads(1);  // numbers then repeat bit for bit
  try {
    lgn::studies::nonlinear_page([](const std::string& text) {
      std::fputs(text.c_str(), stdout);
      std::fflush(stdout);
    });
  } catch (const std::exception& error) {
    std::fprintf(stderr, "lgn-nonlinear: %s\n", error.what());
    return 1;
  }
  return 0;
}
