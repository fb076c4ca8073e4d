// Prints docs/nonlinear-study.md: laws whose energy cannot grow, found in data, beside what must hold.

#include <cstdio>
#include <exception>

#include "experiments/nonlinear/study.h"
#include "lgn/core/linear_algebra.h"

int main() {
  lgn::set_threads(1);  // numbers then repeat bit for bit
  try {
    std::fputs(lgn::studies::nonlinear_page().c_str(), stdout);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "lgn-nonlinear: %s\n", error.what());
    return 1;
  }
  return 0;
}
