#include "lgn/identify/closed_form.h"

#include <gtest/gtest.h>

#include "lgn/core/error.h"
#include "lgn/dynamics/find_structure.h"
#include "lgn/flow/propagate.h"
#include "lgn/flow/sample_runs.h"
#include "lgn/physics/assignment.h"
#include "lgn/physics/metrics.h"
#include "tests/core/machine_epsilon.h"

namespace lgn {
namespace {

using testing::epsilon;

System unit_ladder(Index sections) {
  return ladder(Vector::Constant(sections, 0.1), Vector::Ones(sections), Vector::Ones(sections));
}

double distance(const Matrix& found, const Matrix& truth) {
  return (found - truth).norm() / truth.norm();
}

Matrix closed_form_of(const System& system, const Dataset& data, const std::string& structure) {
  return closed_form(data, *find_structure(structure, system.a.rows()));
}

// The difference of order 2m is exact for polynomials of degree 2m, and its error on sin(ωt) is
// (ωh)^(2m) (m!)²/(2m+1)! to leading order.
TEST(CentralDifferences, HaveTheirOrder) {
  for (int half = 1; half <= 6; ++half) {
    double last = 0;
    for (const double step : {0.4, 0.2}) {
      const Vector times = Vector::LinSpaced(41, 0, 40 * step);
      const Matrix states = times.transpose().array().sin().matrix();
      const Regression r =
          central_differences(Dataset({"x"}, {Trajectory("1", times, states)}), half);
      ASSERT_EQ(r.states.cols(), 41 - 2 * half);
      const Matrix truth = times.segment(half, r.states.cols()).transpose().array().cos().matrix();
      const double error = (r.derivatives - truth).cwiseAbs().maxCoeff();
      if (last > 0 && error > 1e3 * epsilon) {
        EXPECT_NEAR(std::log2(last / error), 2 * half, 0.2) << half;
      }
      last = error;
    }
  }
}

TEST(CentralDifferences, SkipGapsAndUnevenSteps) {
  Matrix states = Matrix::Ones(1, 9);
  states(0, 4) = std::nan("");
  Vector times = Vector::LinSpaced(9, 0, 8);
  EXPECT_EQ(central_differences(Dataset({"x"}, {Trajectory("1", times, states)}), 1).states.cols(),
            4);
  times.tail(4).array() += 0.5;  // the step into sample 5 is 1.5
  states.setOnes();
  EXPECT_EQ(central_differences(Dataset({"x"}, {Trajectory("1", times, states)}), 1).states.cols(),
            5);
}

// Order 12 leaves (ωh)^12 (6!)²/13! ≤ 0.2^12 · 8.3e-5 = 3.4e-13 of a derivative at ω ≤ 2, h = 0.1.
TEST(ClosedForm, FindsExactSystems) {
  const double truncation = 3.4e-13;
  Random random(3);
  for (const auto& system :
       {unit_ladder(1), unit_ladder(3), unit_ladder(10), random_dissipative(12, random)}) {
    const Dataset data = sample_runs(system, {.runs = 3, .seed = 5});
    EXPECT_LE(distance(closed_form_of(system, data, "sd"), system.a), 10 * truncation);
    EXPECT_LE(distance(closed_form_of(system, data, "full"), system.a), 10 * truncation);
  }
  const System lossless = ladder(Vector::Zero(3), Vector::Ones(3), Vector::Ones(3));
  const Dataset data = sample_runs(lossless, {.runs = 3, .seed = 5});
  EXPECT_LE(distance(closed_form_of(lossless, data, "skew"), lossless.a), 10 * truncation);
}

// The paper's 100-dimensional ladder from three runs, where 1,000 epochs of Adam end at a test
// NRMSE of 0.90. The data's condition number of 1e9 leaves about seven digits; the bounds are those
// asked of clean data.
TEST(ClosedForm, FindsThePapersLadder) {
  const System system = unit_ladder(50);
  const Dataset data = sample_runs(system, {.runs = 3, .seed = 42});
  const Matrix a = closed_form_of(system, data, "sd");
  EXPECT_LE(distance(a, system.a), 1e-6);
  const ComplexVector found = eigenvalues(a);
  EXPECT_LE(match_eigenvalues(eigenvalues(system.a), found).distance.mean(), 1e-7);
  EXPECT_LE(found.real().maxCoeff(), 0);
  Vector start = Vector::Zero(100), times = Vector::LinSpaced(1000, 0, 99.9);
  start.head(2) << 1, 0.5;
  EXPECT_LE(nrmse(propagate(a, start, times), propagate(system.a, start, times)), 1e-5);
}

// Whatever the data, the answer is a member: off the diagonal skew to the last bit, on it at most
// zero.
TEST(ClosedForm, KeepsTheGuaranteeOnNonsense) {
  Random random(9);
  for (const Index samples : {Index{5}, Index{40}}) {
    const Dataset data(
        {"a", "b", "c", "d", "e", "f"},
        {Trajectory("1", Vector::LinSpaced(samples, 0, 1), random.normals(6, samples))});
    const Matrix a = closed_form(data, *find_structure("sd", 6));
    const Matrix symmetric = a + a.transpose();
    EXPECT_TRUE(a.allFinite());
    EXPECT_LE(symmetric.diagonal().maxCoeff(), 0);
    EXPECT_EQ((symmetric - Matrix(symmetric.diagonal().asDiagonal())).cwiseAbs().maxCoeff(), 0);
  }
}

TEST(ClosedForm, SaysWhatItCannotDo) {
  const System system = unit_ladder(1);
  const Dataset data = sample_runs(system);
  EXPECT_THROW(closed_form(data, *find_structure("psd", 2)), Error);
  const Dataset uneven({"v", "i"}, {Trajectory("1", Vector{{0, 1, 3}}, Matrix::Ones(2, 3))});
  EXPECT_THROW(closed_form(uneven, *find_structure("sd", 2)), NotIdentified);
}

}  // namespace
}  // namespace lgn
