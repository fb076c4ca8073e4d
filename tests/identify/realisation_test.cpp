#include "lgn/identify/realisation/realisation.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "lgn/core/random.h"
#include "lgn/core/stop.h"
#include "lgn/identify/realisation/hankel_factor.h"
#include "lgn/identify/realisation/uniform_runs.h"

namespace lgn {
namespace {

constexpr double missing = std::numeric_limits<double>::quiet_NaN();

/// y_c(t) = Σ Re(a_ck e^(λₖ t)): poles with Im λ ≥ 0, channels × poles amplitudes.
struct Decay {
  ComplexVector poles;
  ComplexMatrix amplitudes;

  Matrix at(const Vector& times) const {
    ComplexMatrix waves(poles.size(), times.size());
    for (Index j = 0; j < times.size(); ++j)
      waves.col(j) = (poles * times[j]).array().exp().matrix();
    return (amplitudes * waves).real();
  }
};

/// Three pairs over 20, 64 and 120 samples of step 1.
Decay three_pairs() {
  Decay decay{ComplexVector(3), ComplexMatrix(1, 3)};
  decay.poles << Complex(-0.01, 0.052), Complex(-0.004, 0.098), Complex(-0.02, 0.31);
  decay.amplitudes << Complex(1, 0), Complex(0.4, 0.5), Complex(0, -0.6);
  return decay;
}

Vector even_times(Index samples, double step = 1) {
  return Vector::LinSpaced(samples, 0, step * static_cast<double>(samples - 1));
}

Vector random_times(Index samples, double duration, Random& random) {
  Vector times(samples);
  for (double& time : times) time = duration * random.uniform();
  std::sort(times.begin(), times.end());
  return times;
}

Dataset one_run(const Vector& times, const Matrix& values) {
  std::vector<std::string> channels;
  for (Index c = 0; c < values.rows(); ++c) channels.push_back("y" + std::to_string(c));
  return Dataset(channels, {Trajectory("1", times, values)});
}

/// The largest |λ − λ̂|/|λ| over true poles, each compared with the nearest found.
double pole_error(const ComplexVector& truth, const Realisation& found) {
  double worst = 0;
  for (const Complex pole : truth)
    worst = std::max(worst, (found.poles.array() - pole).abs().minCoeff() / std::abs(pole));
  return worst;
}

/// The candidate with the least of these, for callers who would rank by the misfit.
double best_pole_error(const ComplexVector& truth, const std::vector<Realisation>& candidates) {
  double best = std::numeric_limits<double>::infinity();
  for (const auto& found : candidates) best = std::min(best, pole_error(truth, found));
  return best;
}

/// Conjugates side by side with conjugate shapes, real poles with real shapes, all of them stable.
void expect_well_formed(const Realisation& found, Index order) {
  ASSERT_EQ(found.poles.size(), order);
  ASSERT_EQ(found.shapes.cols(), order);
  EXPECT_TRUE(found.poles.allFinite());
  EXPECT_TRUE(found.shapes.allFinite());
  EXPECT_LT(found.poles.real().maxCoeff(), 0);
  for (Index k = 0; k < order; ++k) {
    if (found.poles[k].imag() == 0) {
      EXPECT_EQ(found.shapes.col(k).imag().norm(), 0);
      continue;
    }
    ASSERT_LT(k + 1, order);
    EXPECT_GT(found.poles[k].imag(), 0);
    EXPECT_EQ(found.poles[k + 1], std::conj(found.poles[k]));
    EXPECT_EQ(found.shapes.col(k + 1), found.shapes.col(k).conjugate());
    ++k;
  }
}

// Rounding of samples is 1e-16 of them; the weakest of six singular values is some 1e-4 of the strongest, and a factor of 100
// stands for the rest.
TEST(Realisation, IsExactForOneChannelWithoutNoise) {
  const Decay decay = three_pairs();
  const Vector times = even_times(400, 0.5);
  const HankelRealisation start(one_run(times, decay.at(times)), false);
  const auto candidates = start.realise(6);
  ASSERT_FALSE(candidates.empty());
  for (const auto& found : candidates) {
    expect_well_formed(found, 6);
    EXPECT_LT(pole_error(decay.poles, found), 1e-6);
  }
  EXPECT_LT(pole_error(decay.poles, candidates.front()), 1e-10);
  EXPECT_LT(start.singular_values()[6], 1e-12 * start.singular_values()[5]);
}

TEST(Realisation, TakesRunsOfDifferentLengthsAndChannelsInTheirOwnUnits) {
  Decay first = three_pairs();
  first.amplitudes.resize(2, 3);
  first.amplitudes << Complex(1, 0), Complex(0.4, 0.5), Complex(0, -0.6),  //
      Complex(2e4, 0), Complex(-3e4, 1e4), Complex(1e4, 1e4);
  Decay second = first;
  const Vector initial{{0.3, -1, 2}};
  second.amplitudes = first.amplitudes * initial.asDiagonal();
  const Vector long_times = even_times(300), short_times = even_times(180);
  const Dataset data({"a", "b"}, {Trajectory("1", long_times, first.at(long_times)),
                                  Trajectory("2", short_times, second.at(short_times))});
  const auto candidates = HankelRealisation(data, false).realise(6);
  ASSERT_FALSE(candidates.empty());
  const Realisation& found = candidates.front();
  expect_well_formed(found, 6);
  EXPECT_LT(pole_error(first.poles, found), 1e-10);
  for (Index k = 0; k < 3; ++k) {  // three_pairs() has its poles in ascending order, too
    const Complex ratio = found.shapes(1, 2 * k) / found.shapes(0, 2 * k);
    const Complex expected = first.amplitudes(1, k) / first.amplitudes(0, k);
    EXPECT_LT(std::abs(ratio - expected), 1e-8 * std::abs(expected));
  }
}

TEST(Realisation, TakesConstantsOutOfTheColumnSpace) {
  const Decay decay = three_pairs();
  const Vector times = even_times(400);
  const Dataset data = one_run(times, decay.at(times).array() + 100);
  EXPECT_LT(best_pole_error(decay.poles, HankelRealisation(data, true).realise(6)), 1e-8);
  // Otherwise the constant is the strongest mode.
  EXPECT_GT(best_pole_error(decay.poles, HankelRealisation(data, false).realise(6)), 1e-3);
}

TEST(Realisation, TellsFrequenciesOnePercentApart) {
  Decay decay{ComplexVector(2), ComplexMatrix::Ones(1, 2)};
  decay.poles << Complex(-0.002, 0.500), Complex(-0.003, 0.505);
  const Vector times = even_times(2000);
  Random random(1);
  const Matrix noise = 0.01 * random.normals(1, 2000);
  const auto candidates =
      HankelRealisation(one_run(times, decay.at(times) + noise), true).realise(4);
  EXPECT_LT(best_pole_error(decay.poles, candidates), 1e-3);  // a tenth of their distance
}

TEST(Realisation, FindsARealPoleBesidePairs) {
  Decay decay{ComplexVector(3), ComplexMatrix::Ones(1, 3)};
  decay.poles << Complex(-0.03, 0), Complex(-0.01, 0.2), Complex(-0.02, 0.9);
  const Vector times = even_times(250);
  for (const auto& found : HankelRealisation(one_run(times, decay.at(times)), true).realise(5)) {
    expect_well_formed(found, 5);
    EXPECT_LT(pole_error(decay.poles, found), 1e-6);
    EXPECT_EQ(found.poles[0].imag(), 0);
  }
}

TEST(Realisation, DeliversAsManyPolesAsAreAskedFor) {
  const Decay decay = three_pairs();
  const Vector times = even_times(400);
  Random random(2);
  for (const double noise : {0.0, 1e-3}) {
    const Matrix values = decay.at(times) + noise * random.normals(1, 400);
    const HankelRealisation start(one_run(times, values), true);
    for (const Index order : {1, 2, 7, 8, 15}) {
      const auto candidates = start.realise(order);
      EXPECT_FALSE(candidates.empty());
      for (const auto& found : candidates) expect_well_formed(found, order);
      // Noise of 1e-3 is averaged over hundreds of samples, and shared with poles that there are none of.
      if (order < 6) continue;
      EXPECT_LT(best_pole_error(decay.poles, candidates), noise > 0 ? 1e-2 : 1e-8);
    }
  }
}

TEST(Realisation, ReflectsGrowingModes) {
  Decay decay{ComplexVector(2), ComplexMatrix::Ones(1, 2)};
  decay.poles << Complex(0.004, 0.2), Complex(-0.02, 0.9);
  const Vector times = even_times(250);
  const auto candidates = HankelRealisation(one_run(times, decay.at(times)), false).realise(4);
  decay.poles[0] = -std::conj(decay.poles[0]);
  ASSERT_FALSE(candidates.empty());
  expect_well_formed(candidates.front(), 4);
  EXPECT_LT(pole_error(decay.poles, candidates.front()), 1e-8);
}

TEST(Realisation, FindsModesWhereThirtyPercentAreMissing) {
  const Decay decay = three_pairs();
  const Vector times = even_times(400);
  Random random(3);
  Matrix values = decay.at(times) + 0.01 * random.normals(1, 400);
  for (double& value : values.reshaped())
    if (random.uniform() < 0.3) value = missing;
  const auto candidates = HankelRealisation(one_run(times, values), true).realise(6);
  for (const auto& found : candidates) expect_well_formed(found, 6);
  EXPECT_LT(best_pole_error(decay.poles, candidates), 0.05);
}

TEST(Realisation, FindsModesInSamplesAtRandomTimes) {
  const Decay decay = three_pairs();
  Random random(4);
  const Vector times = random_times(400, 400, random);
  const Matrix values = decay.at(times) + 0.01 * random.normals(1, 400);
  const auto candidates = HankelRealisation(one_run(times, values), true).realise(6);
  for (const auto& found : candidates) expect_well_formed(found, 6);
  EXPECT_LT(best_pole_error(decay.poles, candidates), 0.05);
}

// The fastest mode has a period of 20, so that interpolation sees no more than two samples of it.
TEST(Realisation, FindsModesInFewSamplesPerPeriod) {
  Decay decay = three_pairs();
  decay.amplitudes.conservativeResize(2, 3);
  decay.amplitudes.row(1) << 100, Complex(0, 200), Complex(150, 50);
  Random random(5);
  const Vector times = random_times(40, 300, random);
  Matrix values = decay.at(times);
  values(0, 7) = values(1, 21) = missing;
  const auto candidates = HankelRealisation(one_run(times, values), false).realise(6);
  ASSERT_FALSE(candidates.empty());
  const Realisation& pursued = candidates.back();
  expect_well_formed(pursued, 6);
  EXPECT_LT(pole_error(decay.poles, pursued), 0.05);
  for (Index k = 0; k < 3; ++k) {
    const Complex ratio = pursued.shapes(1, 2 * k) / pursued.shapes(0, 2 * k);
    const Complex expected = decay.amplitudes(1, k) / decay.amplitudes(0, k);
    EXPECT_LT(std::abs(ratio - expected), 0.3 * std::abs(expected));
  }
}

// Twenty partials from 200 Hz to 8 kHz, six of them as pairs that beat, at 44.1 kHz for two seconds.
TEST(Realisation, FindsEveryPartialOfABell) {
  Random random(6);
  std::vector<double> hertz;
  for (int k = 0; k < 14; ++k)
    hertz.push_back(200 * std::pow(40, (k + 0.8 * random.uniform()) / 14));
  for (std::size_t k = 1; k < 12; k += 2)
    hertz.push_back(hertz[k] * (1.003 + 0.007 * random.uniform()));
  std::sort(hertz.begin(), hertz.end());
  Decay bell{ComplexVector(20), ComplexMatrix(1, 20)};
  for (Index k = 0; k < 20; ++k) {
    const double f = hertz[static_cast<std::size_t>(k)];
    bell.poles[k] = Complex(-1.5 * std::pow(f / 200, 0.7), 2 * std::numbers::pi * f);
    bell.amplitudes(0, k) = std::polar(0.1 + 0.9 * random.uniform(), 6 * random.uniform());
  }
  const Vector times = even_times(88200, 1 / 44100.0);
  const Matrix values = bell.at(times) + 1e-3 * random.normals(1, 88200);
  const auto candidates = HankelRealisation(one_run(times, values), true).realise(40);
  const auto all_found = [&](const Realisation& found) {
    for (Index k = 0; k < 20; ++k) {
      double line = std::numeric_limits<double>::infinity();
      for (const Index other : {k - 1, k + 1})
        if (other >= 0 && other < 20)
          line = std::min(line, std::abs((bell.poles[k] - bell.poles[other]).imag()));
      if (!((found.poles.imag().array() - bell.poles[k].imag()).abs().minCoeff() < line / 4))
        return false;
    }
    return true;
  };
  for (const auto& found : candidates) expect_well_formed(found, 40);
  EXPECT_GE(std::count_if(candidates.begin(), candidates.end(), all_found), 2);
}

TEST(Realisation, SeesAFastDecayBeforeALongTailOfNoise) {
  Decay decay{ComplexVector(1), ComplexMatrix::Ones(1, 1)};
  decay.poles << Complex(-0.02, 0.3);
  const Vector times = even_times(40000);
  Random random(7);
  const Matrix values = decay.at(times) + 0.02 * random.normals(1, 40000);
  const auto candidates = HankelRealisation(one_run(times, values), true).realise(2);
  EXPECT_LT(best_pole_error(decay.poles, candidates), 0.02);
}

TEST(Realisation, HasNoCandidatesWhereDataAreTooShort) {
  const Vector times = even_times(5);
  const Decay decay = three_pairs();
  const HankelRealisation start(one_run(times, decay.at(times)), true);
  EXPECT_TRUE(start.realise(6).empty());
  EXPECT_TRUE(start.realise(0).empty());
  const HankelRealisation shortest(one_run(even_times(2), Matrix::Ones(1, 2)), true);
  EXPECT_TRUE(shortest.realise(1).empty());
}

TEST(Realisation, CombinesManyChannels) {
  Random random(8);
  Decay decay = three_pairs();
  decay.amplitudes = random.normals(100, 3) + Complex(0, 1) * random.normals(100, 3);
  const Vector times = even_times(60);
  const auto candidates = HankelRealisation(one_run(times, decay.at(times)), false).realise(6);
  ASSERT_FALSE(candidates.empty());
  EXPECT_LT(pole_error(decay.poles, candidates.front()), 1e-6);
  for (Index k = 0; k < 3; ++k) {
    const ComplexVector found = candidates.front().shapes.col(2 * k);
    const ComplexVector expected = decay.amplitudes.col(k);
    EXPECT_NEAR(std::abs(found.dot(expected)), found.norm() * expected.norm(),
                1e-8 * found.norm() * expected.norm());
  }
}

TEST(Realisation, EndsWhereItIsAskedTo) {
  const Vector times = even_times(20000);
  Random random(9);
  const Dataset data = one_run(times, random.normals(1, 20000));
  const WorkLimit little(1e3);
  EXPECT_FALSE(unless_stopped([&] { HankelRealisation(data, true).realise(4); }));
}

TEST(UniformRuns, AreTheSamplesWhereTimesAreEven) {
  Random random(10);
  Vector times = even_times(50, 0.1);
  times.array() += 5;
  const Matrix values = random.normals(2, 50);
  const UniformRuns uniform = uniform_runs(one_run(times, values));
  EXPECT_TRUE(uniform.exact);
  EXPECT_NEAR(uniform.step, 0.1, 1e-14);
  ASSERT_EQ(uniform.runs.size(), 1u);
  EXPECT_EQ(uniform.runs[0], values);
}

// Cubics through samples and their slopes are exact for parabolas, straight lines for lines.
TEST(UniformRuns, FillWhatIsMissing) {
  const Vector times = even_times(30);
  Matrix values = (0.1 * times.array().square() - times.array()).transpose().matrix();
  const Matrix all = values;
  for (const Index k : {4, 11, 12, 13, 20}) values(0, k) = missing;
  const UniformRuns uniform = uniform_runs(one_run(times, values));
  EXPECT_FALSE(uniform.exact);
  EXPECT_TRUE(uniform.regular);
  ASSERT_EQ(uniform.runs.size(), 1u);
  ASSERT_EQ(uniform.runs[0].cols(), 30);
  EXPECT_LT((uniform.runs[0] - all).norm(), 1e-12 * all.norm());

  Random random(11);
  const Vector uneven = random_times(40, 40, random);
  const UniformRuns line = uniform_runs(one_run(uneven, 2 * uneven.transpose()));
  EXPECT_FALSE(line.regular);
  ASSERT_FALSE(line.runs.empty());
  const Matrix& run = line.runs[0];
  for (Index j = 0; j + 1 < run.cols(); ++j)
    EXPECT_NEAR(run(0, j + 1) - run(0, j), 2 * line.step, 1e-12);
}

TEST(UniformRuns, EndAtLongGaps) {
  Vector times = even_times(60);
  times.tail(25).array() += 100;
  const UniformRuns uniform = uniform_runs(one_run(times, times.transpose()));
  ASSERT_EQ(uniform.runs.size(), 2u);
  EXPECT_EQ(uniform.runs[0].cols(), 35);
  EXPECT_EQ(uniform.runs[1].cols(), 25);
}

TEST(LagLattice, SpansTheApertureWithFewLags) {
  for (const Index aperture : {5, 100, 255, 256, 3000, 300000})
    for (const Index most : {4, 25, 64, 256}) {
      const LagLattice lattice = lag_lattice(aperture, most);
      EXPECT_LE(std::ssize(lattice.lags), most);
      EXPECT_EQ(lattice.lags.front(), 0);
      EXPECT_LE(lattice.aperture(), aperture);
      EXPECT_GT(lattice.aperture(), 0.7 * static_cast<double>(aperture) - 10);
      EXPECT_EQ(lattice.shifts.front(), 1);
      for (const Index shift : lattice.shifts) {
        const auto [from, to] = lattice.pairs(shift);
        EXPECT_GE(2 * from.size(), lattice.lags.size() - 1);
        for (std::size_t i = 0; i < from.size(); ++i)
          EXPECT_EQ(lattice.lags[static_cast<std::size_t>(to[i])],
                    lattice.lags[static_cast<std::size_t>(from[i])] + shift);
      }
    }
}

// Few columns: QR; many: products; many without noise: QR of some of them, whose space is the same.
TEST(HankelFactor, HasTheProductsOfTheHankelMatrix) {
  Random random(12);
  const LagLattice lattice = lag_lattice(9, 16);
  for (const Index samples : {60, 4000})
    for (const bool centred : {false, true}) {
      const std::vector<Matrix> runs{random.normals(2, samples).array() + 3,
                                     random.normals(2, 30).array() + 3};
      Matrix h(20, samples - 9 + 21);
      for (Index lag = 0; lag < 10; ++lag) {
        h.block(2 * lag, 0, 2, samples - 9) = runs[0].middleCols(lag, samples - 9);
        h.block(2 * lag, samples - 9, 2, 21) = runs[1].middleCols(lag, 21);
      }
      if (centred) h.colwise() -= h.rowwise().mean().eval();
      const Matrix factor = hankel_factor(runs, lattice, centred), gram = h * h.transpose();
      EXPECT_LT((factor * factor.transpose() - gram).norm(), 1e-12 * gram.norm());
    }
  EXPECT_EQ(hankel_factor({random.normals(2, 9)}, lattice, false).size(), 0);
}

}  // namespace
}  // namespace lgn
