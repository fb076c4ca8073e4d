// Prints docs/identification.md: every study of identification, measured beside what must hold.

#include <cstdio>
#include <exception>

#include "experiments/identification/page.h"
#include "lgn/core/linear_algebra.h"

int main() {
  using namespace lgn::studies;
  lgn::set_threads(1);  // numbers then repeat bit for bit
  try {
    for (const auto section :
         {introduction, recovery_section, stiff_section, noise_section, coverage_section,
          conditions_section, coarse_section, outlier_section, hard_section, jitter_section}) {
      std::fputs(section().c_str(), stdout);
      std::fflush(stdout);
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "lgn-identification: %s\n", error.what());
    return 1;
  }
  return 0;
}
