#include "experiments/reproduction/laboratory.h"

#include <gtest/gtest.h>

#include "lgn/core/error.h"

namespace lgn::studies {
namespace {

TEST(Laboratory, FollowsTheShareOfTheWorkThatIsBehind) {
  const NeuralTrainer none("", "", 1);
  std::vector<double> seen;
  Laboratory laboratory({}, none, [&](const std::string&, double fraction) {
    seen.push_back(fraction);
    return true;
  });
  laboratory.begin("first", 0.5);
  laboratory.step(0.5);
  laboratory.begin("second", 0.75);
  laboratory.step(1);
  EXPECT_EQ(seen, (std::vector<double>{0, 0.25, 0.5, 1}));
}

TEST(Laboratory, EndsWhenItsObserverSaysSo) {
  const NeuralTrainer none("", "", 1);
  Laboratory laboratory({}, none, [](const std::string&, double) { return false; });
  EXPECT_THROW(laboratory.begin("anything", 1), Error);
}

TEST(Laboratory, HasOneSeedWhereItIsQuickUnlessMoreAreAskedFor) {
  const NeuralTrainer none("", "", 1);
  const auto go_on = [](const std::string&, double) { return true; };
  EXPECT_EQ(Laboratory({.quick = false, .seeds = 4}, none, go_on).seeds(), 4);
  EXPECT_EQ(Laboratory({.quick = true, .seeds = 4}, none, go_on).seeds(), 4);
  EXPECT_EQ(Laboratory({.quick = true}, none, go_on).seeds(), 1);
  EXPECT_EQ(Laboratory({}, none, go_on).seeds(), 3);
  EXPECT_TRUE(Laboratory({}, none, go_on).train("nothing", 1, {NeuralTask{}}).empty());
}

TEST(Experiments, AreThoseOfThePaper) {
  std::vector<std::string> ids;
  for (const Experiment& experiment : experiments()) {
    ids.push_back(experiment.id);
    EXPECT_GT(experiment.minutes, 0);
    EXPECT_GT(experiment.quick_minutes, 0);
  }
  EXPECT_EQ(ids, (std::vector<std::string>{"exp1", "exp2", "exp3", "exp4", "a1", "a2"}));
}

}  // namespace
}  // namespace lgn::studies
