#include "lgn/identify/likelihood/correlated_residuals.h"

#include <gtest/gtest.h>

#include <cmath>

#include "lgn/core/inverse_root.h"
#include "lgn/core/random.h"
#include "lgn/dynamics/affine.h"
#include "lgn/flow/propagate.h"

namespace lgn {
namespace {

const Matrix a{{-0.1, 1}, {-1, -0.1}};
const Matrix directions =
    (Matrix(4, 2) << Matrix::Identity(2, 2), Matrix{{0, 1}, {-1, 0}}).finished();

/// Four runs of the generator with noise of unit size whose neighbours correlate by ρ.
Dataset sampled(double correlation, std::uint64_t seed, Index samples = 400) {
  Random random(seed);
  std::vector<Trajectory> runs;
  const Vector times = 0.1 * Vector::LinSpaced(samples, 0, static_cast<double>(samples - 1));
  for (int r = 0; r < 4; ++r) {
    Matrix states = propagate(a, Vector{{20, 5.0 * r}}, times);
    Vector noise = random.normals(2);
    for (Index k = 0; k < samples; ++k) {
      states.col(k) += noise;
      noise = correlation * noise + std::sqrt(1 - correlation * correlation) * random.normals(2);
    }
    runs.emplace_back(std::to_string(r), times, states);
  }
  return Dataset({"a", "b"}, runs);
}

struct Found {
  ErrorRoot errors;
  Matrix information;
  Vector step;  ///< to the maximum
};

Found find(const Dataset& data) {
  const AffineStructure structure(a, directions);
  const Problem problem(data, structure, Vector::Ones(2));
  const auto profile = problem.profile(Vector::Zero(2));
  const auto normal = problem.linearise(*profile);
  return {error_root(problem, *profile, normal), normal.information,
          -normal.information.ldlt().solve(normal.gradient)};
}

TEST(ErrorRoot, OfWhiteNoiseIsTheInformation) {
  int as_it_is = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const Found found = find(sampled(0, seed));
    as_it_is += found.errors.widening == 1 ? 1 : 0;
    // The distance from the maximum, about √2 at the truth, is in it.
    const Matrix rest =
        found.errors.root * found.errors.root.transpose() - found.step * found.step.transpose();
    if (found.errors.widening == 1) {
      EXPECT_LE((rest * found.information - Matrix::Identity(2, 2)).norm(), 1e-9);
    }
    EXPECT_NEAR(found.errors.distance, std::sqrt(found.step.dot(found.information * found.step)),
                1e-9);
  }
  EXPECT_GE(as_it_is, 15);
}

TEST(ErrorRoot, OfCorrelatedNoiseIsTheSpreadOfTheEstimates) {
  constexpr int repeats = 200;
  Matrix spread = Matrix::Zero(2, 2), predicted = Matrix::Zero(2, 2), white = Matrix::Zero(2, 2);
  for (int seed = 1; seed <= repeats; ++seed) {
    const Found found = find(sampled(0.7, static_cast<std::uint64_t>(seed)));
    spread += found.step * found.step.transpose() / repeats;
    predicted +=
        (found.errors.root * found.errors.root.transpose() - found.step * found.step.transpose()) /
        repeats;
    white += found.information.inverse() / repeats;
  }
  // 200 squares scatter by 10%; the noise is two and a half times as large at these frequencies.
  for (Index q = 0; q < 2; ++q) {
    EXPECT_NEAR(std::sqrt(predicted(q, q) / spread(q, q)), 1, 0.15);
    EXPECT_GE(std::sqrt(spread(q, q) / white(q, q)), 1.8);
  }
}

}  // namespace
}  // namespace lgn
