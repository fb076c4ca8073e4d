#include "lgn/identify/selection.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "lgn/core/error.h"
#include "lgn/dynamics/structures.h"
#include "lgn/flow/sample_runs.h"

namespace lgn {
namespace {

System system_of(const Matrix& a, bool common_unit = true) {
  System system{"", {}, a, {}, {}, common_unit};
  for (Index c = 0; c < a.rows(); ++c) system.channels.push_back("x" + std::to_string(c + 1));
  return system;
}

Dataset sample(const System& system, double noise, double end = 30, double step = 0.1,
               std::uint64_t seed = 1) {
  return sample_runs(system, {.runs = 3, .end = end, .step = step, .noise = noise, .seed = seed});
}

/// The names of a selection's candidates, in order, and that one of them is chosen, which its
/// estimate belongs to.
std::string chosen(const Selection& selection) {
  const auto& all = selection.candidates;
  EXPECT_EQ(std::count_if(all.begin(), all.end(), [](const auto& c) { return c.chosen; }), 1);
  for (const auto& c : all) EXPECT_FALSE(c.verdict.empty()) << c.structure;
  const auto winner = std::find_if(all.begin(), all.end(), [](const auto& c) { return c.chosen; });
  if (winner == all.end()) return {};
  EXPECT_EQ(selection.fit.structure->name(), winner->structure);
  EXPECT_EQ(winner->verdict, winner->stable ? "chosen" : "chosen: the data grow");
  return winner->structure;
}

const StructureCandidate& find(const Selection& selection, const std::string& name) {
  for (const auto& c : selection.candidates)
    if (c.structure == name) return c;
  throw Error("no candidate " + name);
}

/// ‖A − truth‖/‖truth‖; of the order of the noise over √values for what is well excited.
double error_of(const Selection& selection, const Matrix& truth) {
  return (selection.fit.generator() - truth).norm() / truth.norm();
}

TEST(Selection, UndampedDataAreSkew) {
  Random random(41);
  const Matrix a = SkewStructure(4).generator(random.normals(6));
  for (const double noise : {0.0, 0.01, 0.1}) {
    SCOPED_TRACE(noise);
    const Selection found = select_structure(sample(system_of(a), noise));
    EXPECT_EQ(chosen(found), "skew");
    EXPECT_TRUE(found.fit.converged);
    // 900 samples tell the directions of modes to noise/√900, frequencies better: six parameters.
    EXPECT_LE(error_of(found, a), std::sqrt(6) * noise / 30 + 1e-10);
  }
}

TEST(Selection, ALadderIsSdAndHasATable) {
  const System system = ladder(Vector{{0.1, 0.2, 0.3}}, Vector::Ones(3), Vector::Ones(3));
  const Selection found = select_structure(sample(system, 0.05));
  EXPECT_EQ(chosen(found), "sd");
  std::vector<std::string> names;
  for (const auto& c : found.candidates) names.push_back(c.structure);
  EXPECT_EQ(names, (std::vector<std::string>{"skew", "sd", "scaled-sd", "metric", "full"}));
  EXPECT_EQ(find(found, "skew").parameters, 15);
  EXPECT_EQ(find(found, "sd").parameters, 21);
  EXPECT_EQ(find(found, "scaled-sd").parameters, 26);
  EXPECT_EQ(find(found, "metric").parameters, 36);  // its gauge does not count
  EXPECT_EQ(find(found, "full").parameters, 36);
  const auto& sd = find(found, "sd");
  // Noise is 5% of the whole signal, whose first three quarters have up to 4/3 of its mean square;
  // 4,000 values give its size to 1/√8000, four of which are 5%.
  EXPECT_LE(sd.nrmse, 0.05 * 1.05);
  EXPECT_GE(sd.nrmse, 0.05 * std::sqrt(0.75) * 0.95);
  EXPECT_TRUE(std::isfinite(sd.held_out));
  EXPECT_TRUE(std::isfinite(sd.criterion));
  for (const auto& c : found.candidates) {
    if (c.chosen || !std::isfinite(c.nrmse)) continue;
    // Whoever fits may not beat the winner by strong evidence and predict as well.
    EXPECT_TRUE(c.criterion > sd.criterion - 10 || c.held_out > 2 * sd.held_out) << c.structure;
  }
}

TEST(Selection, ExactDataEndTheSearchAtTheSimplest) {
  const System system = ladder(Vector{{0.1, 0.2}}, Vector::Ones(2), Vector::Ones(2));
  const Selection found = select_structure(sample(system, 0));
  EXPECT_EQ(chosen(found), "sd");
  for (const char* richer : {"scaled-sd", "metric", "full"})
    EXPECT_EQ(find(found, richer).verdict, "not tried: a simpler one explains the data");
  EXPECT_LE(error_of(found, system.a), 1e-9);  // residuals below 1e-12, conditions below 1000
}

TEST(Selection, ALadderInVoltsAndAmperesIsScaledSd) {
  const System own = ladder(Vector{{0.1, 0.2}}, Vector::Ones(2), Vector::Ones(2));
  const Eigen::DiagonalMatrix<double, 4> units(1, 0.05, 20, 0.3);
  const Matrix a = units * own.a * units.inverse();
  for (const double noise : {0.0, 0.02}) {
    SCOPED_TRACE(noise);
    EXPECT_EQ(chosen(select_structure(sample(system_of(a, false), noise))), "scaled-sd");
  }
}

TEST(Selection, AnOscillatorInPositionAndVelocityIsMetric) {
  for (const double noise : {0.0, 0.01}) {
    SCOPED_TRACE(noise);
    const System system = oscillator(50);
    const Selection found = select_structure(sample(system, noise, 3, 0.005));
    EXPECT_EQ(chosen(found), "metric");
    EXPECT_TRUE(find(found, "metric").stable);
    const ComplexVector poles = eigenvalues(found.fit.generator());
    // ω is known to noise/√values per duration: 0.01/60/3; ten times that, and rounding.
    EXPECT_NEAR(std::abs(poles[1].imag()), 50, 10 * noise / 60 / 3 + 50 * 1e-10);
  }
}

TEST(Selection, AChainOfMassesInPositionsAndVelocitiesIsNotSd) {
  const System system = mass_spring(3, 1, 4, 0.2);
  const Selection found = select_structure(sample(system, 0.01));
  const std::string name = chosen(found);
  EXPECT_TRUE(name == "metric" || name == "scaled-sd") << name;
  EXPECT_TRUE(find(found, name).stable);
}

TEST(Selection, DataThatGrowAreFull) {
  const Matrix a{{0.1, 1}, {-1, 0.1}};
  for (const double noise : {0.0, 0.01}) {
    SCOPED_TRACE(noise);
    const Selection found = select_structure(sample(system_of(a), noise));
    EXPECT_EQ(chosen(found), "full");
    EXPECT_FALSE(find(found, "full").stable);
    EXPECT_EQ(find(found, "full").verdict, "chosen: the data grow");
    EXPECT_EQ(find(found, "sd").verdict.substr(0, 9), "not tried");
    EXPECT_GT(eigenvalues(found.fit.generator()).real().maxCoeff(), 0);
  }
}

TEST(Selection, NoisyDataThatDoNotGrowAreNeverFullSlow) {
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const System system = random_dissipative(3, random);
    const Selection found = select_structure(sample(system, 0.3, 15, 0.1, seed));
    EXPECT_NE(chosen(found), "full");
    EXPECT_LE(eigenvalues(found.fit.generator()).real().maxCoeff(),
              1e-12 * norm1(found.fit.generator()));
  }
}

TEST(Selection, OfOneState) {
  for (const double noise : {0.0, 0.02}) {
    SCOPED_TRACE(noise);
    const Selection decay =
        select_structure(sample(system_of(Matrix::Constant(1, 1, -0.3)), noise, 10));
    EXPECT_EQ(chosen(decay), "sd");
    EXPECT_EQ(decay.candidates.size(), 2u);
    const Selection growth =
        select_structure(sample(system_of(Matrix::Constant(1, 1, 0.3)), noise, 10));
    EXPECT_EQ(chosen(growth), "full");
    EXPECT_FALSE(find(growth, "full").stable);
  }
}

TEST(Selection, OfRunsTooShortToHoldAPartOut) {
  Random random(42);
  const System system = random_dissipative(3, random);
  const Selection found = select_structure(
      sample_runs(system, {.runs = 20, .end = 1.2, .step = 0.1, .noise = 0.001, .seed = 3}));
  EXPECT_EQ(chosen(found), "sd");
  for (const auto& c : found.candidates) EXPECT_TRUE(std::isnan(c.held_out)) << c.structure;
}

TEST(Selection, StopsWhenTheObserverSaysSo) {
  Random random(43);
  FitOptions options;
  options.observe = [](const FitProgress&) { return false; };
  const Dataset data = sample(random_dissipative(3, random), 0.05);
  const Selection found = select_structure(data, options);
  EXPECT_FALSE(chosen(found).empty());
  EXPECT_TRUE(found.fit.stopped);
  EXPECT_FALSE(found.fit.converged);
  EXPECT_EQ(found.fit.initial_states.cols(), 3);
}

TEST(Selection, SaysWhenNothingIsToBeSeen) {
  const Dataset rest({"a", "b"},
                     {Trajectory("", Vector::LinSpaced(40, 0, 4), Matrix::Zero(2, 40))});
  EXPECT_THROW(select_structure(rest), NotIdentified);
}

}  // namespace
}  // namespace lgn
