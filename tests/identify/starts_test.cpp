#include "lgn/identify/likelihood/starts.h"

#include <gtest/gtest.h>

#include <limits>

#include "lgn/core/random.h"
#include "lgn/flow/propagate.h"
#include "tests/core/machine_epsilon.h"

namespace lgn {
namespace {

using testing::epsilon;

constexpr double kGap = std::numeric_limits<double>::quiet_NaN();

const Matrix generator{{-0.1, 2.0, 0.0}, {-2.0, -0.1, 0.5}, {0.0, -0.5, -0.3}};

Trajectory run_from(const Vector& start, const Vector& times, double noise = 0,
                    std::uint64_t seed = 1) {
  Random random(seed);
  return Trajectory(
      "1", times,
      propagate(generator, start, times) + noise * random.normals(start.size(), times.size()));
}

TEST(FittedStarts, AreExactOnCleanData) {
  const Vector first{{1.0, -2.0, 0.5}}, second{{0.0, 3.0, 1.0}};
  const Vector uneven{{5.0, 5.1, 5.7, 6.0, 8.0}};
  const Dataset data({"a", "b", "c"},
                     {run_from(first, Vector::LinSpaced(60, 0, 6)), run_from(second, uneven)});
  const Matrix starts = fitted_starts(generator, data);
  // Sixty products and normal equations whose condition is below 10.
  const double tolerance = 1000 * epsilon;
  EXPECT_LE((starts.col(0) - first).norm(), tolerance);
  EXPECT_LE((starts.col(1) - second).norm(), tolerance);
}

TEST(FittedStarts, LeaveResidualsThatTheModelCannotExplain) {
  const Vector times = Vector::LinSpaced(80, 0, 8);
  const Dataset data({"a", "b", "c"}, {run_from(Vector{{1.0, 1.0, 1.0}}, times, 0.3)});
  const Matrix start = fitted_starts(generator, data);
  const Matrix residual = data.runs()[0].states() - propagate(generator, start, times);
  // Least squares: the residual is orthogonal to every trajectory of the model.
  for (Index k = 0; k < 3; ++k) {
    const Matrix direction = propagate(generator, Vector::Unit(3, k), times);
    EXPECT_NEAR(residual.cwiseProduct(direction).sum(), 0,
                1e-12 * residual.norm() * direction.norm());
  }
}

TEST(FittedStarts, SeeThroughGaps) {
  const Vector start{{1.0, -2.0, 0.5}};
  Matrix states = run_from(start, Vector::LinSpaced(60, 0, 6)).states();
  states.col(0).setConstant(kGap);
  states.row(2).setConstant(kGap);
  states.row(0).tail(50).setConstant(kGap);
  states(2, 59) = kGap;
  const Dataset shown({"a", "b", "c"}, {Trajectory("1", Vector::LinSpaced(60, 0, 6), states),
                                        run_from(start, Vector::LinSpaced(60, 0, 6))});
  // The third state is seen only by its effect on the others: the condition is a few hundred.
  EXPECT_LE((fitted_starts(generator, shown).col(0) - start).norm(), 1e5 * epsilon);
}

TEST(FittedStarts, LeaveWhatIsNotSeenAtZero) {
  // Two channels without coupling, the second one missing in this run.
  Matrix states(2, 3);
  states << 4, 4, 4, kGap, kGap, kGap;
  const Vector times{{0.0, 1.0, 2.0}};
  const Dataset data({"a", "b"},
                     {Trajectory("1", times, states), Trajectory("2", times, Matrix::Ones(2, 3))});
  EXPECT_LE((fitted_starts(Matrix::Zero(2, 2), data).col(0) - Vector{{4.0, 0.0}}).norm(),
            16 * epsilon);
}

}  // namespace
}  // namespace lgn
