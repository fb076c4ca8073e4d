#include "lgn/identify/regression/reduction.h"

#include <gtest/gtest.h>

#include "lgn/core/random.h"
#include "lgn/flow/propagate.h"
#include "tests/core/machine_epsilon.h"

namespace lgn {
namespace {

using testing::epsilon;

/// Two oscillating states seen through ten channels of very different sizes.
Dataset seen_through_ten(double noise, Matrix* map = nullptr) {
  const Matrix a{{-0.1, 2.0}, {-2.0, -0.1}};
  Random random(8);
  Matrix shapes = random.normals(10, 2);
  shapes.row(3) *= 1e4;
  if (map != nullptr) *map = shapes;
  const Vector times = Vector::LinSpaced(120, 0, 12);
  Matrix states = shapes * propagate(a, Vector{{1.0, 0.5}}, times);
  for (Index c = 0; c < 10; ++c)
    states.row(c) += noise * shapes.row(c).norm() * random.normals(times.size()).transpose();
  std::vector<std::string> names;
  for (int c = 0; c < 10; ++c) names.push_back("y" + std::to_string(c));
  return Dataset(names, {Trajectory("1", times, states)});
}

TEST(Reduction, FindsTheDirectionsThatMove) {
  for (const double noise : {0.0, 0.01}) {
    SCOPED_TRACE(noise);
    const auto reduction = find_reduction(seen_through_ten(noise));
    ASSERT_TRUE(reduction.has_value());
    EXPECT_EQ(reduction->basis.cols(), 2);
    const Matrix gram = reduction->basis.transpose() * reduction->basis;
    EXPECT_LE((gram - Matrix::Identity(2, 2)).norm(), 100 * epsilon);  // sums of 10 terms
  }
}

TEST(Reduction, LiftsAGeneratorWithItsPoles) {
  const Dataset data = seen_through_ten(0);
  const auto reduction = find_reduction(data);
  ASSERT_TRUE(reduction.has_value());
  const Matrix inner{{-0.3, 1.0}, {-4.0, -0.2}};
  const ComplexVector poles = eigenvalues(reduction->lifted(inner)), own = eigenvalues(inner);
  // Channels differ by 1e4, and that scales rounding.
  const double tolerance = 1e5 * epsilon * norm1(inner);
  for (const Complex& pole : own) EXPECT_LE((poles.array() - pole).abs().minCoeff(), tolerance);
  // Every other direction decays as fast as the fastest.
  const double fastest = own.cwiseAbs().maxCoeff();
  Index decays = 0;
  for (const Complex& pole : poles) decays += std::abs(pole + fastest) <= tolerance ? 1 : 0;
  EXPECT_EQ(decays, 8);
  // The reduced samples follow the data: x = diag(sizes) U z.
  const Matrix z = reduction->reduced(data).runs()[0].states();
  const Matrix back = reduction->sizes.asDiagonal() * reduction->basis * z;
  const Matrix& states = data.runs()[0].states();
  EXPECT_LE((back - states).norm(), 1e-11 * states.norm());  // the floor of find_reduction
}

TEST(Reduction, IsNothingWhereEveryDirectionShowsOrSamplesAreMissing) {
  Random random(9);
  const Vector times = Vector::LinSpaced(50, 0, 1);
  const Dataset full({"a", "b"}, {Trajectory("1", times, random.normals(2, 50))});
  EXPECT_FALSE(find_reduction(full).has_value());
  Matrix states = seen_through_ten(0).runs()[0].states();
  states(2, 5) = std::nan("");
  const Dataset gap(seen_through_ten(0).channels(),
                    {Trajectory("1", seen_through_ten(0).runs()[0].times(), states)});
  EXPECT_FALSE(find_reduction(gap).has_value());
}

}  // namespace
}  // namespace lgn
