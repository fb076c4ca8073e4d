// Prints docs/identification.md: every study of identification, measured beside what must hold; or the sections that are
// named.

#include <cstdio>
#include <exception>
#include <string>
#include <utility>
#include <vector>

#include "experiments/identification/page.h"
#include "lgn/core/linear_algebra.h"

int main(int count, char** words) {
  using namespace lgn::studies;
  lgn::set_threads(1);  // numbers then repeat bit for bit
  const std::vector<std::pair<std::string, std::string (*)()>> sections{
      {"introduction", introduction},
      {"recovery", recovery_section},
      {"stiff", stiff_section},
      {"noise", noise_section},
      {"coverage", coverage_section},
      {"conditions", conditions_section},
      {"hidden", hidden_section},
      {"records", hard_records_section},
      {"vibration", vibration_section},
      {"driven", driven_section},
      {"coloured", coloured_section},
      {"coarse", coarse_section},
      {"outliers", outlier_section},
      {"hard", hard_section},
      {"jitter", jitter_section},
      {"dense", dense_systems_section},
      {"plan", plan_section}};
  const std::vector<std::string> wanted(words + 1, words + count);
  const auto is_wanted = [&](const std::string& name) {
    for (const auto& word : wanted)
      if (word == name) return true;
    return wanted.empty();
  };
  try {
    for (const auto& [name, section] : sections) {
      if (!is_wanted(name)) continue;
      std::fputs(section().c_str(), stdout);
      std::fflush(stdout);
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "lgn-identification: %s\n", error.what());
    return 1;
  }
  return 0;
}
