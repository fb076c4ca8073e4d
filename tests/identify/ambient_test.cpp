#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "lgn/core/error.h"
#include "lgn/core/lyapunov.h"
#include "lgn/core/random.h"
#include "lgn/flow/exponential.h"
#include "lgn/flow/sample_runs.h"
#include "lgn/flow/stationary.h"
#include "lgn/identify.h"
#include "lgn/identify/ambient/ambient_channels.h"
#include "lgn/identify/ambient/ambient_record.h"
#include "lgn/identify/ambient/canonical_realisation.h"
#include "lgn/identify/ambient/whittle.h"
#include "lgn/model/model_file.h"
#include "lgn/physics/modes.h"

namespace lgn {
namespace {

constexpr double pi = std::numbers::pi;

/// Two pairs and a single state, seen in two channels.
struct Example {
  ModalStructure structure{5, 2, {0, 1, 1}};
  double step = 0.05;
  Index samples = 400;
  AmbientParameters parameters;

  Example() {
    parameters.theta.resize(structure.parameters());
    parameters.theta << 6.0, 0.3, 11.0, 0.5, 2.0, 0.5, -0.2, 0.4, 0.1, 0.3;
    parameters.g.resize(5, 2);
    parameters.g << 0.2, 0.1, 0.05, 0.02, 0.1, 0.2, 0.01, 0.03, 0.2, 0.1;
    parameters.variance = 4 * Matrix::Identity(2, 2);
  }

  /// E Y Yᴴ/N by the sum that defines it.
  ComplexMatrix expected(double frequency) const {
    const Matrix a = structure.generator(parameters.theta);
    const Matrix c = structure.observation(parameters.theta).matrix();
    const Matrix map = exponential(a * step);
    ComplexMatrix sum = parameters.variance.cast<Complex>();
    Matrix power = map;
    for (Index k = 1; k < samples; ++k) {
      const ComplexMatrix term = (1 - static_cast<double>(k) / static_cast<double>(samples)) *
                                 std::polar(1.0, -frequency * step * static_cast<double>(k)) *
                                 (c * power * parameters.g).cast<Complex>();
      sum += term + term.adjoint();
      power = power * map;
    }
    return sum;
  }

  /// At lines of the spectrum.
  std::vector<SpectralCell> cells() const {
    std::vector<SpectralCell> result;
    for (Index j = 3; j < 190; j += 4) {
      const double w = 2 * pi * static_cast<double>(j) / (step * static_cast<double>(samples));
      result.push_back({w, static_cast<double>(1 + j % 3), expected(w)});
    }
    return result;
  }
};

TEST(WhittleLikelihood, KnowsTheExpectationOfPeriodograms) {
  const Example example;
  const WhittleLikelihood likelihood(example.cells(), example.structure, example.step,
                                     example.samples);
  const Vector phi = likelihood.packed(example.parameters);
  // Where every periodogram is the model's spectrum nothing is missed, and −ℓ is at its maximum: a sum of 400 terms of
  // order one, rounded, relative to spectra of order one.
  EXPECT_LT(likelihood.misfit(phi).excess.maxCoeff(), 1e-22);
  EXPECT_LT(likelihood.linearise(phi).gradient.cwiseAbs().maxCoeff(), 1e-9);
}

TEST(WhittleLikelihood, HasTheGradientAndTheInformationOfItsCost) {
  const Example example;
  std::vector<SpectralCell> cells = example.cells();
  const WhittleLikelihood exact(cells, example.structure, example.step, example.samples);
  Random random(1);
  for (auto& cell : cells) {
    const ComplexMatrix y =
        random.normals(2, 1).cast<Complex>() + Complex(0, 1) * random.normals(2, 1).cast<Complex>();
    cell.periodogram += y * y.adjoint();
  }
  const WhittleLikelihood likelihood(cells, example.structure, example.step, example.samples);
  const Vector phi = likelihood.packed(example.parameters);
  const Vector gradient = likelihood.linearise(phi).gradient;
  const Matrix information = exact.linearise(phi).information;
  for (Index i = 0; i < phi.size(); ++i) {
    const double h = 1e-5 * std::max(1.0, std::abs(phi[i]));
    Vector more = phi, less = phi;
    more[i] += h;
    less[i] -= h;
    // Half the gradient of 2ℓ; central differences have h² and ε/h of error, 1e-10 and 1e-9 of costs of some hundred.
    const double slope = (likelihood.cost(more) - likelihood.cost(less)) / (4 * h);
    EXPECT_NEAR(gradient[i], slope, 1e-6 * std::max(1.0, std::abs(slope))) << i;
    // Where periodograms are what is expected, the second derivative is the information.
    const Vector curve =
        (exact.linearise(more).gradient - exact.linearise(less).gradient) / (2 * h);
    EXPECT_NEAR((curve - information.col(i)).norm(), 0, 1e-5 * information.norm()) << i;
  }
}

TEST(WhittleLikelihood, IsInfiniteWhereASpectrumIsNegative) {
  Example example;
  example.parameters.variance *= -1;
  const WhittleLikelihood likelihood(example.cells(), example.structure, example.step,
                                     example.samples);
  EXPECT_EQ(likelihood.cost(likelihood.packed(example.parameters)),
            std::numeric_limits<double>::infinity());
}

TEST(AmbientRecord, HasCorrelationsAndPeriodogramsOfItsSamples) {
  Random random(3);
  const Index n = 120;
  Matrix y = random.normals(2, n);
  const Vector times = Vector::LinSpaced(n, 0, 0.1 * static_cast<double>(n - 1));
  const AmbientRecord record(Dataset({"a", "b"}, {Trajectory("1", times, y)}));
  const auto correlations = record.correlations(5);
  // The same sums in the time domain, trends taken out by hand.
  const Eigen::RowVectorXd t = Eigen::RowVectorXd::LinSpaced(n, -1, 1);
  y.colwise() -= y.rowwise().mean().eval();
  y -= y * t.transpose() * t / t.squaredNorm();
  const Vector sizes = (y.rowwise().squaredNorm() / static_cast<double>(n)).cwiseSqrt();
  y = sizes.cwiseInverse().asDiagonal() * y;
  for (Index k = 0; k <= 5; ++k) {
    const Matrix direct =
        y.rightCols(n - k) * y.leftCols(n - k).transpose() / static_cast<double>(n - k);
    EXPECT_NEAR((correlations[static_cast<std::size_t>(k)] - direct).norm(), 0, 1e-12) << k;
  }
  // Lines 3 to 59 of 60 are all there, each once.
  double lines = 0;
  for (const auto& cell : record.cells({}, 0.2)) lines += cell.lines;
  EXPECT_EQ(lines, 57);
}

TEST(StationaryStates, HaveTheCovarianceThatForcesKeepUp) {
  const System system = tower(2, 1, 0.05, 0);
  Random random(1);
  const Index samples = 200'000;
  const Matrix x = stationary_states(system.a, system.forces, samples, 0.1, random);
  const Matrix expected =
      solve_lyapunov(system.a.transpose(), system.forces * system.forces.transpose());
  // Some 6,000 independent values: a decay takes three seconds of 20,000. Five standard errors.
  EXPECT_LT((x * x.transpose() / static_cast<double>(samples) - expected).norm(),
            5 * std::sqrt(2.0 / 6000) * expected.norm());
}

/// Of a Hermitian matrix of two rows.
double least_eigenvalue(const ComplexMatrix& a) {
  const double mean = (a(0, 0) + a(1, 1)).real() / 2, half = (a(0, 0) - a(1, 1)).real() / 2;
  return mean - std::hypot(half, std::abs(a(1, 0)));
}

TEST(CanonicalRealisation, IsAStationaryProcessForEveryNumberOfStates) {
  Random random(5);
  const Index n = 300;
  Matrix y = random.normals(2, n);
  for (Index k = 2; k < n; ++k) y.col(k) += 1.2 * y.col(k - 1) - 0.9 * y.col(k - 2);
  std::vector<Matrix> correlations;
  for (Index k = 0; k <= 20; ++k)
    correlations.push_back(y.rightCols(n - k) * y.leftCols(n - k).transpose() /
                           static_cast<double>(n));
  std::vector<Index> lags;
  for (Index k = 1; k < 3000; ++k) lags.push_back(k);
  const CanonicalRealisation realisation(correlations, 10);
  for (Index states = 1; states <= 20; ++states) {
    const auto found = realisation.realise(states, 1, lags);
    ASSERT_TRUE(found.has_value());
    EXPECT_EQ(found->modes.poles.size(), states);
    EXPECT_LT(found->modes.poles.real().maxCoeff(), 0);
    for (double w = 0.02; w < pi; w += 0.1) {
      ComplexMatrix spectrum = correlations.front().cast<Complex>();
      for (std::size_t k = 0; k < lags.size(); ++k) {
        const ComplexMatrix half =
            std::polar(1.0, -w * static_cast<double>(lags[k])) * found->correlations[k];
        spectrum += half + half.adjoint();
      }
      // A sum of 3,000 terms up to 10, rounded.
      EXPECT_GT(least_eigenvalue(spectrum), -1e-9) << states << " states at " << w;
    }
  }
  EXPECT_FALSE(realisation.realise(21, 1, lags).has_value());
}

Dataset tower_record(Index floors, double memory, double end = 300) {
  return sample_runs(tower(floors, 1, 0.01, memory),
                     {.end = end, .step = 0.05, .noise = 0.05, .seed = 4});
}

void expect_modes_of_the_tower(const Model& model, Index floors, double memory) {
  std::size_t found = 0;
  const System system = tower(floors, 1, 0.01, memory);
  for (const Mode& truth : find_modes(system.a, {true, false, false})) {
    if (truth.pole.imag() <= 0) continue;
    const Mode* own = nullptr;
    for (const Mode& mode : model.modes)
      if (std::abs(mode.frequency_hz - truth.frequency_hz) < 0.03 * truth.frequency_hz) own = &mode;
    ASSERT_NE(own, nullptr) << truth.frequency_hz;
    ASSERT_TRUE(own->se.has_value());
    // Four standard errors: one in ten thousand by chance.
    EXPECT_NEAR(own->frequency_hz, truth.frequency_hz, 4 * own->se->frequency_hz);
    EXPECT_NEAR(own->damping_ratio, 0.01, 4 * own->se->damping_ratio);
    ++found;
  }
  EXPECT_EQ(found, static_cast<std::size_t>(floors));
}

TEST(RandomVibration, FindsTheModesOfATower) {
  const Dataset data = tower_record(3, 0);
  const Model model = identify(data);
  EXPECT_EQ(model.record, "ambient");
  EXPECT_EQ(model.dimension(), 6);
  EXPECT_TRUE(model.guarantee.stable);
  ASSERT_TRUE(model.ambient.has_value());
  expect_modes_of_the_tower(model, 3, 0);
  const Model again = model_from_json(model_to_json(model), "again");
  ASSERT_TRUE(again.ambient.has_value());
  EXPECT_EQ(again.record, "ambient");
  EXPECT_EQ(again.ambient->g, model.ambient->g);
  EXPECT_EQ(again.ambient->variance, model.ambient->variance);
}

TEST(RandomVibration, DescribesTheSpectrumOfTheWindBesideTheModesSlow) {
  const Model model = identify(tower_record(3, 1.0 / 3), {.record = Record::ambient});
  expect_modes_of_the_tower(model, 3, 1.0 / 3);
}

TEST(RandomVibration, FollowsChannelsBeyondTheReferencesSlow) {
  constexpr Index floors = 9;
  const System system = tower(floors, 1, 0.02, 0);
  const Dataset data = sample_runs(system, {.end = 600, .step = 0.05, .noise = 0.05, .seed = 2});
  const Model model = identify(data, {.record = Record::ambient});
  // Nine modes, three of them above half the sampling rate, which appear below it.
  EXPECT_EQ(model.dimension(), 2 * floors);
  EXPECT_TRUE(model.fit.converged);
  // The lowest mode's shape in all nine channels, six of which were fitted together.
  const Mode* lowest = nullptr;
  for (const Mode& mode : model.modes)
    if (mode.pole.imag() > 0 && std::abs(mode.frequency_hz - 1) < 0.03) lowest = &mode;
  ASSERT_NE(lowest, nullptr);
  ASSERT_EQ(lowest->shape.size(), floors);
  const Vector truth = system.c.col(0);
  const double alike = std::norm((lowest->shape.transpose() * truth.cast<Complex>())(0)) /
                       (lowest->shape.squaredNorm() * truth.squaredNorm());
  EXPECT_GT(alike, 0.99);
}

TEST(ReferenceChannels, AreThoseThatShowMost) {
  Matrix variance = Matrix::Identity(4, 4);
  variance(0, 1) = variance(1, 0) = 0.99;
  variance(3, 3) = 0.5;
  EXPECT_EQ(reference_channels(variance, 2), (std::vector<Index>{0, 2}));
  EXPECT_EQ(reference_channels(variance, 9).size(), 4u);
}

TEST(RandomVibration, FindsNoModeWhereThereIsNone) {
  Random random(7);
  const Index n = 2000;
  const Vector times = Vector::LinSpaced(n, 0, static_cast<double>(n - 1));
  const Matrix noise = random.normals(2, n);
  Matrix walk = noise;
  for (Index k = 1; k < n; ++k) walk.col(k) += walk.col(k - 1);
  for (const Record record : {Record::automatic, Record::ambient})
    for (const Matrix& y : {noise, walk})
      EXPECT_THROW(identify(Dataset({"a", "b"}, {Trajectory("1", times, y)}), {.record = record}),
                   NotIdentified);
  // What rounding leaves of a constant, or of a straight line, is no vibration.
  Matrix line(2, n);
  line << Matrix::Constant(1, n, 3), (1e3 + 0.1 * times.array()).matrix().transpose();
  EXPECT_THROW(
      identify(Dataset({"a", "b"}, {Trajectory("1", times, line)}), {.record = Record::ambient}),
      NotIdentified);
}

/// One floor of three that shake, many samples to a period.
Dataset one_floor(std::uint64_t seed) {
  constexpr Index n = 20000, parts = 4;
  constexpr double step = 0.02;
  Matrix stiffness{{2, -1, 0}, {-1, 2, -1}, {0, -1, 1}};
  stiffness *= 40;
  Random random(seed);
  Vector q = Vector::Zero(3), v = q;
  Matrix y(1, n);
  for (Index k = 0; k < n; ++k) {
    const Vector force = random.normals(3) / std::sqrt(step);
    for (Index i = 0; i < parts; ++i) {
      v += step / parts * (force - stiffness * (q + 0.002 * v));
      q += step / parts * v;
    }
    y(0, k) = q[0];
  }
  y *= std::sqrt(static_cast<double>(n)) / y.norm();
  y += 0.05 * random.normals(1, n);
  const Vector times = Vector::LinSpaced(n, 0, step * static_cast<double>(n - 1));
  return Dataset({"a"}, {Trajectory("1", times, y)});
}

TEST(RandomVibration, TellsTwoModesFromOneWideOne) {
  // Searches of these pass by a mode that lies over two, one that lies over chance, and an alias beyond 25 Hz.
  for (const std::uint64_t seed : {12U, 14U, 18U, 19U, 22U}) {
    const Model model = identify(one_floor(seed), {.record = Record::ambient});
    EXPECT_EQ(model.dimension(), 6) << seed;
    for (const Mode& mode : model.modes) {
      EXPECT_LT(mode.frequency_hz, 3) << seed;
      EXPECT_LT(mode.damping_ratio, 0.03) << seed;
    }
  }
}

TEST(RandomVibration, AsksForModes) {
  EXPECT_THROW(identify(tower_record(2, 0, 60), {.structure = "sd", .record = Record::ambient}),
               Error);
}

}  // namespace
}  // namespace lgn
