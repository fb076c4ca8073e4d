// Prints docs/networks.md: every study of networks, measured beside what must hold.

#include <cstdio>
#include <exception>

#include "experiments/networks/page.h"
#include "lgn/core/linear_algebra.h"

int main() {
  using namespace lgn::studies;
  lgn::set_threads(1);  // numbers then repeat bit for bit
  try {
    for (const auto section : {networks_introduction, ladder_section, clean_section,
                               elements_section, topologies_section, dense_section}) {
      std::fputs(section().c_str(), stdout);
      std::fflush(stdout);
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "lgn-networks: %s\n", error.what());
    return 1;
  }
  return 0;
}
