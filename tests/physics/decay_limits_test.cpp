#include "lgn/physics/decay_limits.h"

#include <gtest/gtest.h>

#include "lgn/dynamics/systems.h"
#include "lgn/flow/sample_runs.h"
#include "lgn/identify.h"

namespace lgn {
namespace {

Model fitted(double gamma, const std::string& structure, std::uint64_t seed) {
  const Dataset data =
      sample_runs(rlc(1, gamma), {.end = 40, .noise = 0.05, .seed = seed, .start = Vector{{1, 0}}});
  FitOptions options;
  options.structure = structure;
  options.network.kinds = {ChannelKind::position, ChannelKind::velocity};
  return identify(data, options);
}

TEST(DecayLimits, HoldTheDampingThatAStructureLeavesOut) {
  constexpr int repeats = 100;
  const double gamma = 1e-3, truth = gamma / 2;  // ζ = γ/2ω
  int held = 0;
  for (int seed = 1; seed <= repeats; ++seed) {
    const Model model = fitted(gamma, "skew", static_cast<std::uint64_t>(seed));
    ASSERT_TRUE(model.modes[0].decay_below);
    EXPECT_EQ(model.modes[0].pole.real(), 0);
    EXPECT_EQ(model.modes[0].decay_below, model.modes[1].decay_below);
    EXPECT_GT(model.modes[0].se->damping_ratio, 0);
    held += *model.modes[0].damping_ratio_below() > truth ? 1 : 0;
  }
  // At least 95% less four standard deviations of 100 trials.
  EXPECT_GE(held, 87);
}

TEST(DecayLimits, AreAsWideAsTheErrorOfAFreeDecay) {
  const Model bound = fitted(0, "skew", 1), free = fitted(0, "full", 1);
  EXPECT_NEAR(bound.modes[0].se->re / free.modes[0].se->re, 1, 0.1);
  EXPECT_LE(*bound.modes[0].decay_below, 4 * free.modes[0].se->re);
}

TEST(DecayLimits, LeaveAloneWhatIsResolved) {
  for (const char* structure : {"sd", "full", "mechanical"})
    EXPECT_FALSE(fitted(0.3, structure, 1).modes[0].decay_below) << structure;
}

TEST(DecayLimits, StandWhereAnErrorIsLargerThanTheDecay) {
  constexpr int repeats = 100;
  const double gamma = 1e-4,
               truth = gamma / 2;  // −Re λ; its standard error is three times as large
  int limits = 0, held = 0;
  for (int seed = 1; seed <= repeats; ++seed) {
    const Mode mode = fitted(gamma, "full", static_cast<std::uint64_t>(seed)).modes[0];
    EXPECT_EQ(mode.decay_below.has_value(),
              mode.pole.real() <= 0 && -mode.pole.real() < mode.se->re);
    limits += mode.decay_below ? 1 : 0;
    held += mode.decay_below && *mode.decay_below > truth ? 1 : 0;
  }
  // The decay is found between none and one standard error in about a third of the repeats.
  EXPECT_GT(limits, 15);
  // 1.6 standard errors and more above zero.
  EXPECT_EQ(held, limits);
}

}  // namespace
}  // namespace lgn
