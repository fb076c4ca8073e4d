#include "lgn/physics/spectrum.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "lgn/core/random.h"
#include "lgn/flow/exponential.h"

namespace lgn {
namespace {

constexpr double pi = std::numbers::pi;

TEST(EvenRuns, KeepEvenSamplesAndInterpolateOthers) {
  const Vector times = Vector::LinSpaced(11, 3, 4);
  Matrix values(1, 11);
  values = 2 * times.transpose();
  const auto even = even_runs(Dataset({"y"}, {Trajectory("1", times, values)}), 1, 0.1);
  ASSERT_EQ(even.size(), 1u);
  EXPECT_EQ((even[0].values - values).norm(), 0);
  values(0, 4) = std::nan("");
  Vector uneven = times;
  uneven[7] += 0.04;
  values(0, 7) = 2 * uneven[7];
  const auto filled = even_runs(Dataset({"y"}, {Trajectory("1", uneven, values)}), 1, 0.1);
  // A line is interpolated to rounding.
  ASSERT_EQ(filled[0].times.size(), 11);
  EXPECT_LE((filled[0].values.row(0).transpose() - 2 * filled[0].times).norm(), 1e-13);
}

TEST(AmplitudeSpectrum, OfADecayIsItsTransform) {
  // ∫ e^{−d t} cos(w t) e^{−iωt} dt = (d + iω)/((d + iω)² + w²).
  const double d = 0.5, w = 2 * pi * 3, step = 1e-3;
  const Vector times = Vector::LinSpaced(20'000, 0, 19.999);
  Matrix y(1, times.size());
  for (Index k = 0; k < times.size(); ++k)
    y(0, k) = 4 + std::exp(-d * times[k]) * std::cos(w * times[k]);
  const auto runs = even_runs(Dataset({"y"}, {Trajectory("1", times, y)}), 1, step);
  const Spectrum found = amplitude_spectrum(runs, step, Vector{{4.0}});
  for (Index k = 0; k < found.frequencies.size(); k += 7) {
    if (found.frequencies[k] > 10) break;
    const Complex s(d, 2 * pi * found.frequencies[k]);
    // A sum in place of the integral is off by half of the first sample times the step, and by the end of the record.
    EXPECT_NEAR(found.values(0, k), std::abs(s / (s * s + w * w)), step + std::exp(-d * 20));
  }
}

TEST(WelchDensity, OfWhiteNoiseIsItsVarianceOverTheBandwidth) {
  Random random(3);
  const double step = 0.01, sigma = 2;
  const Vector times = Vector::LinSpaced(30'000, 0, 299.99);
  const Matrix y = sigma * random.normals(2, times.size());
  const Spectrum found =
      welch_density(even_runs(Dataset({"a", "b"}, {Trajectory("1", times, y)}), 2, step), step);
  // 60,000 values: a mean of squares varies by √(2/60,000), and the window counts some more than others.
  EXPECT_NEAR(found.values.mean(), 2 * step * sigma * sigma, 5 * std::sqrt(2 / 6e4) * 0.08);
  EXPECT_NEAR(found.frequencies[found.frequencies.size() - 1], 50, 1e-9);
}

TEST(ModelDensity, IsTheSumOverCorrelations) {
  const Matrix a{{0.0, 2.0, 0.0}, {-2.0, -0.3, 0.0}, {0.0, 0.0, -0.7}};
  const Matrix c{{1.0, 0.2, 0.5}, {0.3, -1.0, 0.1}};
  const Matrix g{{1.0, 0.1}, {0.2, 0.9}, {0.4, 0.3}};
  const Matrix variance{{2.0, 0.3}, {0.3, 1.5}};
  const double step = 0.2;
  const Vector frequencies{{0.0, 0.3, 0.31, 1.7}};
  const Matrix found = model_density(a, c, g, variance, step, frequencies);
  const Matrix flow = exponential(step * a);
  for (Index k = 0; k < frequencies.size(); ++k) {
    Vector sum = variance.diagonal();
    Matrix moved = flow * g;
    // exp(−0.15 · 0.2 · 1200) is below rounding.
    for (int lag = 1; lag <= 1200; ++lag, moved = flow * moved)
      sum += 2 * std::cos(2 * pi * frequencies[k] * lag * step) * (c * moved).diagonal();
    EXPECT_LE((found.col(k) - 2 * step * sum).norm(), 1e-12 * found.col(k).norm());
  }
}

}  // namespace
}  // namespace lgn
