#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "experiments/networks/truth.h"
#include "lgn/core/error.h"
#include "lgn/identify.h"
#include "tests/identify/network_fixture.h"

namespace lgn::testing {
namespace {

using studies::compare_wiring;
using studies::equal_ladder;

TEST(NetworkRules, APatternIsTheWiring) {
  const NetworkSystem truth = equal_ladder(4, false);
  const Dataset data = sample(truth.system);
  EXPECT_EQ(pairs_of(fit_with(data, {.pattern = truth.wiring})), as_set(truth.wiring));
  // One that is not there instead of one that is: nothing is put in or taken out all the same.
  std::vector<ChannelPair> wrong = truth.wiring;
  wrong.back() = {0, 7};
  EXPECT_EQ(pairs_of(fit_with(data, {.pattern = wrong})), as_set(wrong));
}

TEST(NetworkRules, ThatContradictAreRefused) {
  const NetworkSystem truth = equal_ladder(4, false);
  const Dataset data = sample(truth.system);
  const ChannelPair there = truth.wiring.front(), other{0, 7};
  for (const EdgeRules& rules : {EdgeRules{.required = {other}, .forbidden = {other}},
                                 EdgeRules{.pattern = truth.wiring, .required = {other}},
                                 EdgeRules{.pattern = truth.wiring, .forbidden = {there}}})
    EXPECT_THROW(fit_with(data, rules), Error);
}

TEST(NetworkRules, ARequiredPairStaysHoweverSmall) {
  const NetworkSystem truth = equal_ladder(4, false);
  const Model model =
      identify(sample(truth.system), {.network = {.rules = {.required = {{0, 7}}}}});
  const auto couplings = elements_of(model, ElementType::coupling);
  const auto found = std::find_if(couplings.begin(), couplings.end(),
                                  [](const auto& e) { return e.from == 0 && e.to == 7; });
  ASSERT_NE(found, couplings.end());
  // Its true value is zero; a normal error lies beyond 4 standard errors in one case of 16,000.
  EXPECT_LE(std::abs(found->value), 4 * found->se);
  // 1% noise in 2,700 samples moves a coupling by far less than it is.
  EXPECT_LE(std::abs(found->value), 0.01);
  EXPECT_EQ(couplings.size(), truth.wiring.size() + 1);
  EXPECT_EQ(compare_wiring(model, truth).missing, 0);
}

TEST(NetworkRules, AForbiddenPairIsNotThere) {
  const NetworkSystem truth = equal_ladder(4, false);
  const auto pairs = pairs_of(fit_with(sample(truth.system), {.forbidden = {{2, 3}}}));
  EXPECT_FALSE(pairs.contains({2, 3}));
  EXPECT_FALSE(pairs.empty());
}

/// All pairs of eight channels.
std::vector<ChannelPair> every_pair() {
  std::vector<ChannelPair> pairs;
  for (Index i = 0; i < 8; ++i)
    for (Index j = i + 1; j < 8; ++j) pairs.emplace_back(i, j);
  return pairs;
}

TEST(NetworkRules, ForbiddingEveryPairIsAnError) {
  const Dataset data = sample(equal_ladder(4, false).system);
  EXPECT_THROW(fit_with(data, {.forbidden = every_pair()}), Error);
}

TEST(NetworkRules, OnePairMayBeLeft) {
  // The last states couple; the first does with none, and may lose all of its elements.
  const Dataset data = sample(equal_ladder(4, false).system);
  EdgeRules rules{.forbidden = every_pair()};
  rules.forbidden.pop_back();
  for (const auto& pair : pairs_of(fit_with(data, rules))) EXPECT_EQ(pair, ChannelPair(6, 7));
}

TEST(NetworkRules, AStructureWithoutPairsHasNone) {
  const Dataset data = sample(equal_ladder(4, false).system);
  EXPECT_THROW(identify(data, {.structure = "sd", .network = {.rules = {.forbidden = {{0, 1}}}}}),
               Error);
}

}  // namespace
}  // namespace lgn::testing
