#include "lgn/model/warnings.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "lgn/core/setting.h"
#include "tests/report/sample_variation.h"

namespace lgn {
namespace {

std::vector<std::string> codes(Model model, const FitFacts& facts) {
  std::vector<std::string> all;
  for (const auto& warning : find_warnings(model, facts)) all.push_back(warning.code);
  return all;
}
using Codes = std::vector<std::string>;

FitFacts good_facts(Index channels) {
  FitFacts facts;
  facts.residuals.squares = Vector::Constant(channels, 1e-4);
  facts.residuals.power = facts.residuals.count = Vector::Constant(channels, 100);
  facts.residuals.pairs = Matrix::Constant(channels, 1, 99);
  facts.residuals.products = Matrix::Zero(channels, 1);
  facts.values = 100;
  facts.unknowns = 10;
  return facts;
}

TEST(Warnings, DoNotJudgeTheMeanOfAVaryingGenerator) {
  Model model = testing::harmonic_model();
  const FitFacts facts = good_facts(2);
  EXPECT_EQ(codes(model, facts), Codes{});
  // Of a constant generator, this would be aliasing, growth, a repeated pole and an open mode.
  model.a = Matrix{{1.0, 50.0}, {-50.0, 1.0}};
  model.modes = find_modes(model.a);
  model.modes[0].condition = 1e9;
  model.modes[1].identifiable = false;
  model.data.step = 1;
  EXPECT_EQ(codes(model, facts), Codes{});
  model.variation.reset();
  EXPECT_EQ(codes(model, facts),
            (Codes{"aliasing", "unstable", "ill-conditioned-poles", "undetermined-modes"}));
}

TEST(Warnings, NameGrowthThatHiddenStatesCannotFollow) {
  Model model = testing::harmonic_model();
  model.variation.reset();
  model.c = Matrix{{1.0, 0.0}};
  FitFacts facts = good_facts(1);
  facts.growing = true;
  const auto grows = [&](double decay, double left) {
    model.a = Matrix{{-decay, 1.0}, {-1.0, -decay}};
    model.modes = find_modes(model.a);
    facts.residuals.squares[0] = left;
    facts.residuals.products(0, 0) = 0.9 * left;
    const auto all = codes(model, facts);
    return std::find(all.begin(), all.end(), "growing") != all.end();
  };
  EXPECT_TRUE(grows(0, 10));
  EXPECT_FALSE(grows(0.1, 10));   // not at the bound
  EXPECT_FALSE(grows(0, 1e-12));  // explained
  facts.growing = false;
  EXPECT_FALSE(grows(0, 10));
}

TEST(Warnings, KeepThoseAboutTheFit) {
  Model model = testing::harmonic_model();
  model.fit.converged = false;
  FitFacts facts = good_facts(2);
  facts.unknowns = 101;
  facts.errors_skipped = true;
  facts.residuals.squares << 95, 50;
  facts.residuals.products << 0,
      40;  // of 50: neighbours are alike in one channel, noise in the other
  EXPECT_EQ(codes(model, facts), (Codes{"underdetermined", "not-converged", "poor-fit",
                                        "idle-channel", "errors-skipped"}));
}

TEST(Warnings, JudgeGrowthByFloquetsMultipliers) {
  Model model = testing::harmonic_model();
  model.variation->floquet->multipliers[1] = Complex(0, 1 + 1e-10);
  EXPECT_EQ(codes(model, good_facts(2)), Codes{});
  model.variation->floquet->multipliers[1] = Complex(0, -1.25);
  EXPECT_EQ(codes(model, good_facts(2)), Codes{"unstable"});
  EXPECT_NE(find_warnings(model, good_facts(2))[0].message.find("Floquet multiplier 1.25"),
            std::string::npos);
}

TEST(Warnings, SayThatAPeriodIsLongerThanTheData) {
  Model model = testing::harmonic_model();  // 2π/1.1 = 5.712
  model.variation->end = 5.72;
  EXPECT_EQ(codes(model, good_facts(2)), Codes{});
  model.variation->end = 5.70;
  EXPECT_EQ(codes(model, good_facts(2)), Codes{"frequency-not-seen"});
  model = testing::law_model();
  model.variation->end = 5.70;
  EXPECT_EQ(codes(model, good_facts(2)), Codes{"frequency-not-seen"});
  // Fixed frequencies are no finding.
  model = testing::fourier_model();
  EXPECT_EQ(codes(model, good_facts(3)), Codes{});
}

bool marked(const Model& model) {
  return std::all_of(model.modes.begin(), model.modes.end(), [](const Mode& mode) {
    return mode.identifiable == false && mode.reason.starts_with("not to be trusted");
  });
}

TEST(Warnings, TrustNoModeOfWhatIsNotExplained) {
  Model model = testing::harmonic_model();
  model.variation.reset();
  FitFacts facts = good_facts(2);
  find_warnings(model, facts);
  EXPECT_FALSE(marked(model));
  facts.residuals.squares << 60, 60;
  EXPECT_EQ(codes(model, facts), (Codes{"poor-fit", "undetermined-modes"}));
  find_warnings(model, facts);
  EXPECT_TRUE(marked(model));
}

TEST(Warnings, SayThatAFewPerCentAreLeftAndNotNoise) {
  const Model model = testing::harmonic_model();
  FitFacts facts = good_facts(2);
  facts.residuals.squares << 0.01, 0.5;  // 1% and 7%
  EXPECT_EQ(codes(model, facts), Codes{});
  facts.residuals.products << 0, 0.48;
  EXPECT_EQ(codes(model, facts), Codes{"poor-fit"});
  // A channel that is not explained is not idle.
  facts.residuals.squares << 0.01, 95;
  facts.residuals.products << 0, 90;
  EXPECT_EQ(codes(model, facts), Codes{"poor-fit"});
}

TEST(Warnings, AdviseWhatWasNotTried) {
  Model model = testing::harmonic_model();
  model.variation.reset();
  model.structure = "sd";
  FitFacts facts = good_facts(2);
  facts.residuals.squares << 0.01, 0.5;
  facts.residuals.products << 0, 0.48;
  const auto message = [&] { return find_warnings(model, facts)[0].message; };
  const std::string automatic = setting("structure", "auto");
  EXPECT_NE(message().find(automatic), std::string::npos);
  model.candidates.resize(1);
  EXPECT_EQ(message().find(automatic), std::string::npos);
  facts.amplitude_frequency = AmplitudeFrequency{"x1", 1.0, 0.9};
  EXPECT_NE(message().find("as its amplitude grows"), std::string::npos);
}

TEST(Warnings, SayThatAnEstimateIsNotTheBest) {
  Model model = testing::harmonic_model();
  FitFacts facts = good_facts(2);
  facts.distance = 0.2;
  EXPECT_EQ(codes(model, facts), Codes{});
  facts.distance = 5;
  model.method = "mle";
  EXPECT_EQ(codes(model, facts), Codes{});
  model.method = "closed-form";
  EXPECT_EQ(codes(model, facts), Codes{"not-at-optimum"});
  facts.distance = 0;
  facts.unrefined = true;
  EXPECT_EQ(codes(model, facts), Codes{"not-at-optimum"});
}

}  // namespace
}  // namespace lgn
