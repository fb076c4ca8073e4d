#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "lgn/core/decompositions.h"
#include "lgn/core/error.h"
#include "lgn/data/amplitude_frequency.h"
#include "lgn/dynamics/systems.h"
#include "lgn/flow/propagate.h"
#include "lgn/identify.h"
#include "lgn/model/model_file.h"
#include "lgn/physics/assignment.h"

namespace lgn::testing {
namespace {

/// Three sections of an RLC ladder, L = C = 1, R = 0.1.
Matrix hidden_ladder() {
  Matrix a = Matrix::Zero(6, 6);
  for (Index k = 0; k < 5; ++k) {
    a(k, k + 1) = -1;
    a(k + 1, k) = 1;
  }
  for (const Index k : {1, 3, 5}) a(k, k) = -0.1;
  return a;
}

struct Recipe {
  std::vector<Index> channels = {0};
  Index runs = 1, samples = 300;
  double duration = 30, noise = 0.01, missing = 0, offset = 0;
  bool uneven = false;
  std::uint64_t seed = 1;
};

Dataset sampled(const Matrix& a, const Recipe& recipe) {
  Random random(recipe.seed);
  std::vector<Trajectory> runs;
  const auto l = static_cast<Index>(recipe.channels.size());
  for (Index r = 0; r < recipe.runs; ++r) {
    Vector times = Vector::LinSpaced(recipe.samples, 0, recipe.duration);
    if (recipe.uneven) {
      for (Index k = 1; k + 1 < times.size(); ++k) times[k] = recipe.duration * random.uniform();
      std::sort(times.begin(), times.end());
      for (Index k = 1; k < times.size(); ++k) times[k] = std::max(times[k], times[k - 1] + 1e-6);
    }
    Vector x0 = Vector::Unit(a.rows(), 0);
    if (r > 0) x0 = random.normals(a.rows());
    const Matrix states = propagate(a, x0, times);
    Matrix y(l, times.size());
    for (Index c = 0; c < l; ++c)
      y.row(c) = states.row(recipe.channels[static_cast<std::size_t>(c)]);
    const double size = std::sqrt(y.squaredNorm() / static_cast<double>(y.size()));
    y += recipe.noise * size * random.normals(l, times.size());
    y.array() += recipe.offset;
    for (Index k = 0; k < y.cols(); ++k)
      for (Index c = 0; c < l; ++c)
        if (random.uniform() < recipe.missing) y(c, k) = std::nan("");
    runs.emplace_back(std::to_string(r), times, y);
  }
  std::vector<std::string> names;
  for (Index c = 0; c < l; ++c) names.push_back("y" + std::to_string(c + 1));
  return Dataset(names, runs);
}

ComplexVector poles_of(const Model& model) {
  ComplexVector poles(static_cast<Index>(model.modes.size()));
  for (Index k = 0; k < poles.size(); ++k) poles[k] = model.modes[static_cast<std::size_t>(k)].pole;
  return poles;
}

/// Mean |Δλ|/|λ|.
double distance(const ComplexVector& truth, const Model& model) {
  const ComplexVector found = poles_of(model);
  const EigenvalueMatch match = match_eigenvalues(truth, found);
  double sum = 0;
  for (Index k = 0; k < truth.size(); ++k)
    sum +=
        std::abs(truth[k] - found[match.partner[static_cast<std::size_t>(k)]]) / std::abs(truth[k]);
  return sum / static_cast<double>(truth.size());
}

/// Every pole within so many of its standard errors.
void expect_covered(const ComplexVector& truth, const Model& model, double errors) {
  const ComplexVector found = poles_of(model);
  const EigenvalueMatch match = match_eigenvalues(truth, found);
  for (Index k = 0; k < truth.size(); ++k) {
    const Mode& mode =
        model.modes[static_cast<std::size_t>(match.partner[static_cast<std::size_t>(k)])];
    ASSERT_TRUE(mode.se);
    EXPECT_LE(std::abs(truth[k].real() - mode.pole.real()), errors * mode.se->re) << truth[k];
    EXPECT_LE(std::abs(truth[k].imag() - mode.pole.imag()), errors * mode.se->im) << truth[k];
  }
}

TEST(HiddenStates, OfALadderAreFoundFromOneChannel) {
  const ComplexVector truth = eigenvalues(hidden_ladder());
  double sum = 0, expected = 0;
  int right = 0;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const Model model = identify(sampled(hidden_ladder(), {.seed = seed}));
    EXPECT_TRUE(model.hidden());
    EXPECT_TRUE(model.guarantee.stable);
    if (model.dimension() != 6) continue;
    ++right;
    sum += distance(truth, model);
    // The mean of |Δλ| for errors of equal size in both parts is √π/2 times that of their norm.
    for (const Mode& mode : model.modes)
      expected += std::sqrt(std::numbers::pi) / 2 * std::hypot(mode.se->re, mode.se->im) /
                  std::abs(mode.pole) / 6;
    expect_covered(truth, model, 4.5);
  }
  EXPECT_GE(right, 9);
  // Thirty independent poles: their mean varies by a tenth.
  EXPECT_LE(sum, 1.3 * expected);
  EXPECT_GE(sum, 0.7 * expected);
}

TEST(HiddenStates, AreFoundInSeveralRunsAtUnevenTimesWithGapsAndOffsets) {
  const ComplexVector truth = eigenvalues(hidden_ladder());
  for (const Recipe& recipe : {Recipe{.runs = 2, .samples = 200}, Recipe{.channels = {0, 3}},
                               Recipe{.channels = {0, 3}, .runs = 3, .samples = 200},
                               Recipe{.samples = 500, .duration = 50, .uneven = true},
                               Recipe{.samples = 400, .missing = 0.3}, Recipe{.offset = 5}}) {
    const Model model = identify(sampled(hidden_ladder(), recipe));
    ASSERT_EQ(model.dimension(), 6);
    expect_covered(truth, model, 4.5);
    if (recipe.offset != 0) {
      ASSERT_EQ(model.offset.size(), 1);
      EXPECT_NEAR(model.offset[0], recipe.offset, 4.5 * model.offset_errors[0]);
    }
  }
}

TEST(HiddenStates, AreCountedAtUnevenTimesWithGapsInTwoChannels) {
  // Interpolated samples, which singular values are made of, would ask for twenty and more.
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    const Model model = identify(sampled(
        hidden_ladder(), {.channels = {0, 3}, .missing = 0.3, .uneven = true, .seed = seed}));
    EXPECT_EQ(model.dimension(), 6) << seed;
  }
}

TEST(HiddenStates, ShowTheShapesOfTheirModesInChannels) {
  // Of the true generator, what channels 0 and 3 see.
  const Model model = identify(sampled(hidden_ladder(), {.channels = {0, 3}}));
  const Eigensystem system = eigensystem(hidden_ladder());
  ASSERT_EQ(model.c.rows(), 2);
  for (Index k = 0; k < 6; ++k) {
    const Complex ratio = system.right(0, k) / system.right(3, k);
    for (const Mode& mode : model.modes) {
      if (std::abs(mode.pole - system.values[k]) > 0.01) continue;
      ASSERT_EQ(mode.shape.size(), 2);
      ASSERT_EQ(mode.shape_errors.size(), 2);
      const double error =
          mode.shape_errors.cwiseAbs().maxCoeff() / mode.shape.cwiseAbs().minCoeff();
      EXPECT_LE(std::abs(mode.shape[0] / mode.shape[1] / ratio - 1.0), 6 * error);
    }
  }
}

TEST(HiddenStates, AreAsManyAsAskedFor) {
  FitOptions options;
  options.states = States::given;
  options.state_count = 4;
  EXPECT_EQ(identify(sampled(hidden_ladder(), {}), options).dimension(), 4);
  options.state_count = 500;
  EXPECT_THROW(identify(sampled(hidden_ladder(), {}), options), NotIdentified);
  options.state_count = 0;
  EXPECT_THROW(identify(sampled(hidden_ladder(), {}), options), Error);
  options.structure = "sd";
  options.state_count = 6;
  EXPECT_THROW(identify(sampled(hidden_ladder(), {}), options), Error);
}

TEST(HiddenStates, OfALosslessSystemDoNotDecay) {
  Matrix a = hidden_ladder();
  a.diagonal().setZero();
  FitOptions options;
  options.structure = "skew";
  options.states = States::given;
  options.state_count = 6;
  const Model model = identify(sampled(a, {.duration = 60}), options);
  EXPECT_TRUE(model.guarantee.conservative);
  const ComplexVector truth = eigenvalues(a);
  EXPECT_LE(distance(truth, model), 1e-3);
  for (const Mode& mode : model.modes) EXPECT_EQ(mode.pole.real(), 0);
  // One channel has too few states in any case, and how many more there are need not be said.
  options.states = States::automatic;
  const Model found = identify(sampled(a, {.duration = 60}), options);
  EXPECT_EQ(found.dimension(), 6);
  EXPECT_TRUE(found.guarantee.conservative);
}

TEST(HiddenStates, OfALawGiveItsParameters) {
  const Matrix a{{0.0, 1.0}, {-9.0, -0.3}};
  FitOptions options;
  options.structure = "parametric:rlc";
  const Model model = identify(sampled(a, {.duration = 20, .offset = 1}), options);
  ASSERT_EQ(model.parameters.size(), 2u);
  const double errors = 4.5;
  ASSERT_EQ(model.parameter_errors.size(), 2);
  EXPECT_NEAR(model.parameters[0].value(0, 0), 9, errors * model.parameter_errors[0]);
  EXPECT_NEAR(model.parameters[1].value(0, 0), 0.3, errors * model.parameter_errors[1]);
  // omega2 = |λ|² and gamma = −2 Re λ, and so their errors, to rounding.
  const Mode::Errors& of_pole = model.modes[0].se.value();
  const double by_frequency = 2 * std::abs(model.modes[0].pole) * of_pole.natural_frequency;
  EXPECT_NEAR(model.parameter_errors[0], by_frequency, 1e-9 * by_frequency);
  EXPECT_NEAR(model.parameter_errors[1], 2 * of_pole.re, 1e-9 * of_pole.re);
  EXPECT_EQ(model_from_json(model_to_json(model), "law.json").parameter_errors,
            model.parameter_errors);
  expect_covered(eigenvalues(a), model, errors);
}

TEST(HiddenStates, MayBeRealPolesBesidePairs) {
  Matrix a = Matrix::Zero(4, 4);
  a.topLeftCorner(2, 2) = Matrix{{-0.1, 2.0}, {-2.0, -0.1}};
  a(2, 2) = -0.4;
  a(3, 3) = -3;
  // One channel that sees them all.
  Dataset states = sampled(a, {.channels = {0, 1, 2, 3}, .samples = 800, .noise = 0});
  Random random(3);
  const Vector times = states.runs()[0].times();
  const Matrix x = propagate(a, Vector::Ones(4), times);
  const Dataset data(
      {"y"}, {Trajectory("1", times, x.colwise().sum() + 1e-3 * random.normals(1, times.size()))});
  const Model model = identify(data);
  ASSERT_EQ(model.dimension(), 4);
  expect_covered(eigenvalues(a), model, 4.5);
}

TEST(HiddenStates, AreFoundWhereTheFrequencyOfSwingsFollowsTheirAmplitude) {
  // cos φ with φ' = 2 + 0.2 a², as that of a spring which hardens; nonlinear laws need more channels than this one.
  Random random(1);
  const Vector times = Vector::LinSpaced(1000, 0, 60);
  const auto t = times.array();
  Matrix y = 1e-3 * random.normals(1, times.size());
  y.array() += ((-0.02 * t).exp() * (2 * t + 5 * (1 - (-0.04 * t).exp())).cos()).transpose();
  const Dataset data({"y"}, {Trajectory("1", times, y)});
  ASSERT_TRUE(find_amplitude_frequency(data).has_value());
  EXPECT_TRUE(identify(data).hidden());
}

TEST(HiddenStates, AreNotFoundWhereThereAreNone) {
  Random random(8);
  const Vector times = Vector::LinSpaced(500, 0, 50);
  EXPECT_THROW(identify(Dataset({"y"}, {Trajectory("1", times, random.normals(1, 500))})),
               NotIdentified);
}

TEST(HiddenStates, LeaveAloneWhatOneStatePerChannelExplains) {
  const Model model = identify(sampled(hidden_ladder(), {.channels = {0, 1, 2, 3, 4, 5}}));
  EXPECT_FALSE(model.hidden());
}

}  // namespace
}  // namespace lgn::testing
