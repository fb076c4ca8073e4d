#include "lgn/identify/hidden/run_modes.h"

#include <gtest/gtest.h>

#include "lgn/dynamics/systems.h"
#include "lgn/flow/sample_runs.h"
#include "lgn/physics/modes.h"

namespace lgn {
namespace {

TEST(RunModes, AreThoseOfTheSystemInEveryRun) {
  const System system = mass_spring(2, 1, 1, 0.05);
  const Dataset data = sample_runs(system, {.runs = 3, .end = 60, .step = 0.2, .seed = 2});
  std::vector<ShapedPole> modes;
  for (const Mode& mode : find_modes(system.a, {true, true, false}))
    if (mode.pole.imag() > 0) modes.push_back({mode.pole, mode.shape});
  modes.push_back({{-0.1, 9.0}, modes.front().shape});  // of which no run shows anything
  const auto found = modes_of_runs(data, modes, 4);
  ASSERT_EQ(found.size(), 3u);
  for (const auto& run : found) {
    ASSERT_EQ(run.size(), 3u);
    for (std::size_t m = 0; m < 2; ++m) {
      ASSERT_TRUE(run[m].has_value());
      // Clean data on a grid: exact but for the rounding of a realisation, some thousand times that of a number.
      EXPECT_NEAR(std::abs(run[m]->pole - modes[m].pole), 0, 1e-8);
      EXPECT_NEAR(run[m]->assurance, 1, 1e-8);
    }
    EXPECT_FALSE(run[2].has_value());
  }
}

}  // namespace
}  // namespace lgn
