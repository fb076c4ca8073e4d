#include "lgn/identify/hidden/channel_compression.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "lgn/core/random.h"
#include "lgn/identify.h"

namespace lgn::testing {
namespace {

/// Two modes in sixty channels, each with noise and an offset of its own.
struct Shared {
  static constexpr Index channels = 60, samples = 400;
  std::vector<Complex> poles = {{-0.05, 4.4}, {-0.09, 11.9}};
  ComplexMatrix shapes = ComplexMatrix(channels, 2);
  Vector noise = Vector(channels), offset = Vector(channels);

  Dataset data(std::uint64_t seed, double missing = 0) {
    Random random(seed);
    const Vector times = Vector::LinSpaced(samples, 0, 20);
    Matrix y = Matrix::Zero(channels, samples);
    for (Index c = 0; c < channels; ++c) {
      noise[c] = 0.05 + 0.1 * random.uniform();
      offset[c] = random.normal();
      for (Index k = 0; k < 2; ++k) {
        shapes(c, k) = {random.normal(), 0.3 * random.normal()};
        y.row(c) +=
            (shapes(c, k) *
             (poles[static_cast<std::size_t>(k)] * times.cast<Complex>()).array().exp().matrix())
                .real()
                .transpose();
      }
      y.row(c).array() += offset[c];
    }
    for (Index k = 0; k < samples; ++k) {
      const bool gap = random.uniform() < missing;
      for (Index c = 0; c < channels; ++c) {
        y(c, k) += noise[c] * random.normal();
        if (gap && c % 7 == 0) y(c, k) = std::nan("");
      }
    }
    std::vector<std::string> names;
    for (Index c = 0; c < channels; ++c) names.push_back("y" + std::to_string(c + 1));
    return Dataset(names, {Trajectory("1", times, y)});
  }
};

/// Sums squares of deviations in standard errors.
struct Deviations {
  double squares = 0, count = 0;
  void add(double deviation, double error) {
    squares += deviation * deviation / (error * error);
    count += 1;
  }
  double rms() const { return std::sqrt(squares / count); }
  /// Whether it is one, up to five standard errors of such a mean of independent numbers.
  bool are_errors() const { return std::abs(squares / count - 1) < 5 * std::sqrt(2 / count); }
};

TEST(ChannelCompression, FindsWhatChannelsShareAndTheirNoise) {
  Shared shared;
  const Dataset data = shared.data(1);
  Vector means = Vector::Zero(data.dimension());
  for (Index c = 0; c < data.dimension(); ++c) means[c] = data.runs()[0].states().row(c).mean();
  const auto found = compress_channels(data.less(means), 15);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->components.dimension(), 4);
  // σ from 400 samples is uncertain by 1/√800, five times of which are 18%.
  for (Index c = 0; c < data.dimension(); ++c)
    EXPECT_NEAR(found->noise[c] / shared.noise[c], 1, 0.18) << c;
  // Some tens of rotations and products of sixty rows, ε each.
  EXPECT_NEAR((found->basis.transpose() * found->basis - Matrix::Identity(4, 4)).norm(), 0, 1e-12);
}

TEST(ChannelCompression, TakesNoChannelOfNoiseForMotion) {
  // Two channels of a hundred see almost nothing, and their noise is as large in their size as the motion is in that of others.
  constexpr Index channels = 100, samples = 600;
  Random random(5);
  Matrix y(channels, samples);
  std::vector<std::string> names;
  for (Index c = 0; c < channels; ++c) {
    names.push_back("y" + std::to_string(c + 1));
    const double first = random.normal(), second = random.normal(), seen = c % 50 == 7 ? 0.01 : 1.0;
    for (Index k = 0; k < samples; ++k) {
      const double t = 0.02 * static_cast<double>(k);
      y(c, k) = seen * (first * std::exp(-0.08 * t) * std::cos(8.2 * t) +
                        second * std::exp(-0.4 * t) * std::cos(19.5 * t)) +
                0.05 * random.normal();
    }
  }
  const Dataset data(names, {Trajectory("1", Vector::LinSpaced(samples, 0, 12), y)});
  const auto found = compress_channels(data, channels / 4);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->components.dimension(), 2);
  // σ from 600 samples is uncertain by 1/√1200, five times of which are 14%.
  EXPECT_NEAR(found->noise.minCoeff() / 0.05, 1, 0.15);
  EXPECT_NEAR(found->noise.maxCoeff() / 0.05, 1, 0.15);
}

TEST(ChannelCompression, IsNothingForNoiseOrForTooMuch) {
  Random random(3);
  std::vector<std::string> names;
  for (Index c = 0; c < 50; ++c) names.push_back("y" + std::to_string(c + 1));
  const Matrix noise = random.normals(50, 300);
  const Dataset white(names, {Trajectory("1", Vector::LinSpaced(300, 0, 30), noise)});
  EXPECT_FALSE(compress_channels(white, 12));
  Shared shared;
  EXPECT_FALSE(compress_channels(shared.data(1), 3));
}

TEST(ChannelCompression, NeedsNoiseOrAnEndOfTheRank) {
  // A rod of fifty points that cools: every state decays at a rate of its own, and singular values fall without an end.
  constexpr Index points = 50, samples = 300;
  Matrix rod = Matrix::Zero(points, samples), modes = rod;
  for (Index c = 0; c < points; ++c)
    for (Index k = 0; k < samples; ++k) {
      const double place = std::numbers::pi * static_cast<double>(c + 1) / (points + 1),
                   t = static_cast<double>(k) / samples;
      for (int m = 1; m <= points; ++m) rod(c, k) += std::sin(m * place) * std::exp(-m * m * t);
      for (int m = 1; m <= 3; ++m) modes(c, k) += std::sin(m * place) * std::cos(30 * m * t + m);
    }
  std::vector<std::string> names;
  for (Index c = 0; c < points; ++c) names.push_back("y" + std::to_string(c + 1));
  const auto compressed = [&](const Matrix& states) {
    return compress_channels(
        Dataset(names, {Trajectory("1", Vector::LinSpaced(samples, 0, 1), states)}), points / 4);
  };
  EXPECT_FALSE(compressed(rod));
  const auto three = compressed(modes);
  ASSERT_TRUE(three);
  EXPECT_EQ(three->components.dimension(), 3);
}

TEST(ChannelCompression, ErrorsOfPolesShapesAndOffsetsAreTheirs) {
  Deviations poles, shapes, offsets;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    Shared shared;
    const Model model = identify(shared.data(seed, seed % 2 == 0 ? 0.2 : 0.0));
    ASSERT_EQ(model.dimension(), 4);
    ASSERT_EQ(model.outputs(), Shared::channels);
    ASSERT_EQ(model.data.assumptions.size(), 1U);
    for (const Mode& mode : model.modes) {
      if (mode.pole.imag() < 0) continue;
      const Index own = std::abs(mode.pole.imag() - 4.4) < 1 ? 0 : 1;
      const Complex off = mode.pole - shared.poles[static_cast<std::size_t>(own)];
      poles.add(off.real(), mode.se->re);
      poles.add(off.imag(), mode.se->im);
      Index largest = 0;
      mode.shape.cwiseAbs().maxCoeff(&largest);
      const ComplexVector truth =
          shared.shapes.col(own) * (mode.shape[largest] / shared.shapes(largest, own));
      for (Index c = 0; c < Shared::channels; ++c) {
        if (c == largest) continue;
        shapes.add((mode.shape[c] - truth[c]).real(), mode.shape_errors[c].real());
        shapes.add((mode.shape[c] - truth[c]).imag(), mode.shape_errors[c].imag());
      }
    }
    for (Index c = 0; c < Shared::channels; ++c)
      offsets.add(model.offset[c] - shared.offset[c], model.offset_errors[c]);
  }
  EXPECT_TRUE(poles.are_errors()) << poles.rms();
  // Shapes of a mode share the error of the channel that they are relative to: as many independent numbers as there are modes at least.
  shapes.count /= 60;
  shapes.squares /= 60;
  EXPECT_TRUE(shapes.are_errors()) << shapes.rms();
  EXPECT_TRUE(offsets.are_errors()) << offsets.rms();
}

}  // namespace
}  // namespace lgn::testing
