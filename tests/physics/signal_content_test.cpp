#include "lgn/physics/signal_content.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "lgn/core/random.h"

namespace lgn {
namespace {

Dataset dataset(const Matrix& states) {
  std::vector<std::string> names;
  for (Index c = 0; c < states.rows(); ++c) names.push_back("x" + std::to_string(c));
  return Dataset(names, {Trajectory("1", Vector::LinSpaced(states.cols(), 0, 1), states)});
}

TEST(SignalContent, HasTheSingularValuesOfAllSamplesInUnitsOfNoise) {
  Random random(1);
  const Matrix states = random.normals(5, 3000);  // several blocks
  const Vector noise{{1, 2, 3, 0.5, 0.1}};
  const auto content = find_signal_content(dataset(states), noise);
  const Vector expected =
      Eigen::JacobiSVD<Matrix>(noise.cwiseInverse().asDiagonal() * states).singularValues();
  ASSERT_EQ(content.singular_values.size(), 5);
  // A backward stable factorisation moves singular values by a small multiple of ε times the largest.
  EXPECT_LE((content.singular_values - expected).cwiseAbs().maxCoeff(),
            100 * 2.3e-16 * expected[0]);
  EXPECT_DOUBLE_EQ(content.floor, std::sqrt(3000.0) + std::sqrt(5.0));
}

TEST(SignalContent, CountsWhatStandsAboveTheNoise) {
  Random random(2);
  // Two directions of motion in four channels, and noise of size 0.01 in all.
  const Matrix states =
      random.normals(4, 2) * random.normals(2, 1000) + 0.01 * random.normals(4, 1000);
  const auto content = find_signal_content(dataset(states), Vector::Constant(4, 0.01));
  EXPECT_EQ(content.above_floor(), 2);
}

TEST(SignalContent, LeavesIncompleteSamplesOut) {
  Matrix states = Matrix::Ones(2, 4);
  states(1, 2) = std::numeric_limits<double>::quiet_NaN();
  const auto content = find_signal_content(dataset(states), Vector::Ones(2));
  EXPECT_NEAR(content.singular_values[0], std::sqrt(6.0), 1e-14);  // three samples of (1, 1)
  states.row(0).head(2).setConstant(std::numeric_limits<double>::quiet_NaN());
  states(0, 3) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(find_signal_content(dataset(states), Vector::Ones(2)).singular_values.size(), 0);
}

}  // namespace
}  // namespace lgn
