#include "lgn/identify/hidden/combination_tones.h"

#include <gtest/gtest.h>

namespace lgn {
namespace {

TEST(CombinationTones, AreHarmonicsSumsAndDifferences) {
  const auto tones = combination_tones(
      {{2.402, 0.1}, {1.2, 1.0}, {3.59, 0.05}, {0.5, 0.8}, {1.7, 0.1}, {0.7, 0.02}});
  ASSERT_EQ(tones.size(), 4u);
  EXPECT_EQ(tones[0].line, 0u);
  EXPECT_EQ(tones[0].formula, "2.402 = 2 × 1.2");
  EXPECT_EQ(tones[1].formula, "1.7 = 0.5 + 1.2");
  EXPECT_EQ(tones[2].formula, "3.59 = 3 × 1.2");
  EXPECT_EQ(tones[3].formula, "0.7 = 1.2 − 0.5");
}

TEST(CombinationTones, AreMuchSmallerThanWhatMakesThem) {
  EXPECT_TRUE(combination_tones({{1.0, 1.0}, {2.0, 0.5}}).empty());
  EXPECT_TRUE(combination_tones({{1.0, 1.0}, {2.05, 0.1}}).empty());
  EXPECT_TRUE(combination_tones({}).empty());
}

TEST(CombinationTones, AreNotLookedForAmongMany) {
  std::vector<SpectralLine> lines;
  for (int k = 1; k <= 9; ++k) lines.push_back({1.0 * k, 1.0 / (k * k)});
  EXPECT_TRUE(combination_tones(lines).empty());
}

}  // namespace
}  // namespace lgn
