// Prints docs/varying.md: every study of generators that vary in time, measured beside what must hold.

#include <cstdio>
#include <exception>

#include "experiments/varying/page.h"
#include "lgn/core/linear_algebra.h"

int main() {
  using namespace lgn::studies;
  lgn::set_threads(1);  // numbers then repeat bit for bit
  try {
    for (const auto section : {varying_introduction, orders_section, kept_section,
                               modulation_section, modulation_noise_section, features_section,
                               constants_section, drift_section, choice_section}) {
      std::fputs(section().c_str(), stdout);
      std::fflush(stdout);
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "lgn-varying: %s\n", error.what());
    return 1;
  }
  return 0;
}
