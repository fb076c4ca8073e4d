#include "lgn/identify/regression/closed_form.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "lgn/core/error.h"
#include "lgn/data/scales.h"
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
    EXPECT_LE(distance(closed_form_of(system, data, "psd"), system.a), 10 * truncation);
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

/// Five runs of 300 samples, disturbed: noise relative to the amplitude, times moved by up to 40%
/// of a step, cells missing at random.
Dataset disturbed(const System& system, double noise, bool uneven, double missing) {
  Random random(17);
  const double step = 0.1;
  const Dataset clean = sample_runs(system, {.runs = 5, .step = step, .seed = 7});
  std::vector<Trajectory> runs;
  for (const auto& run : clean.runs()) {
    Vector times = run.times();
    if (uneven)
      for (Index k = 1; k < times.size(); ++k) times[k] += 0.8 * step * (random.uniform() - 0.5);
    Matrix states = propagate(system.a, run.states().col(0), times);
    states += noise * amplitude(clean) * random.normals(states.rows(), states.cols());
    for (Index k = 0; k < states.size(); ++k)
      if (random.uniform() < missing) states.data()[k] = std::nan("");
    runs.emplace_back(run.label(), times, states);
  }
  return Dataset(clean.channels(), runs);
}

double mean_relative_pole_error(const Matrix& found, const Matrix& truth) {
  const ComplexVector poles = eigenvalues(truth);
  return match_eigenvalues(poles, eigenvalues(found))
      .distance.cwiseQuotient(poles.cwiseAbs())
      .mean();
}

// K samples with noise σ show a phase to σ/√K; three times that, as a closed form is no maximum of
// the likelihood.
TEST(ClosedForm, TakesNoise) {
  const System system = unit_ladder(3);
  for (const char* structure : {"sd", "psd", "full"})
    for (const double noise : {0.01, 0.05, 0.1}) {
      const Dataset data = disturbed(system, noise, false, 0);
      const double bound = 3 * noise / std::sqrt(static_cast<double>(data.samples()));
      EXPECT_LE(mean_relative_pole_error(closed_form_of(system, data, structure), system.a), bound)
          << structure << " " << noise;
    }
}

// The same where fewer cells are present. Without noise what is left is the interpolation's error,
// (ωh)^8/8! at ω ≤ 1.8 and gaps to h = 0.5: 1e-5 at worst, and 1% of it on average over gaps.
TEST(ClosedForm, TakesUnevenTimesAndGaps) {
  const System system = unit_ladder(3);
  for (const double noise : {0.0, 0.01, 0.05, 0.1}) {
    const Dataset data = disturbed(system, noise, true, 0.3);
    const double seen = static_cast<double>(data.present()) / 6;
    const double bound = std::max(1e-7, 3 * noise / std::sqrt(seen));
    EXPECT_LE(mean_relative_pole_error(closed_form_of(system, data, "sd"), system.a), bound)
        << noise;
  }
}

// Each row of the table holds one channel: windows must span several rows, and no derivative
// exists.
TEST(ClosedForm, TakesChannelsThatAreNeverMeasuredTogether) {
  const System system = unit_ladder(2);
  const Vector times = Vector::LinSpaced(800, 0, 39.95);
  const Matrix states = propagate(system.a, Vector{{1.0, 0.5, -0.3, 0.2}}, times);
  Matrix seen = Matrix::Constant(4, 800, std::nan(""));
  for (Index k = 0; k < 800; ++k) seen(k % 4, k) = states(k % 4, k);
  const Dataset data(system.channels, {Trajectory("1", times, seen)});
  // Interpolation over h = 0.2 at ω ≤ 1.6 leaves (ωh)^8/8! = 3e-9.
  EXPECT_LE(distance(closed_form_of(system, data, "sd"), system.a), 10 * 3e-9);
}

// The conditions of Karush, Kuhn and Tucker for min ‖(S − P)X − Y‖² over P ⪰ 0: with the skew part
// of (AX − Y)Xᵀ zero, its symmetric part −G has G ⪰ 0 and ⟨G, P⟩ = 0. The iteration ends at steps
// of 1e-12 in Q = Σ^½PΣ^½.
TEST(RegressPsd, IsOptimal) {
  Random random(4);
  for (const Index n : {2, 5, 12}) {
    const Regression r{random.normals(n, 40), random.normals(n, 40)};
    const Matrix a = regress_psd(r);
    const Matrix pull = (a * r.states - r.derivatives) * r.states.transpose();
    const Matrix p = -0.5 * (a + a.transpose()), g = -0.5 * (pull + pull.transpose());
    const double scale = r.derivatives.norm() * r.states.norm(), tolerance = 1e-11 * scale;
    const auto least = [](const Matrix& m) {
      return Eigen::SelfAdjointEigenSolver<Matrix>(m).eigenvalues().minCoeff();
    };
    EXPECT_GE(least(p), -1e-11 * p.norm());
    EXPECT_GE(least(g), -tolerance);
    EXPECT_LE(std::abs(g.cwiseProduct(p).sum()), tolerance * p.norm());
    EXPECT_LE((pull - pull.transpose()).norm(), tolerance);
  }
}

// Where least squares dissipates in every direction the constraint does not bind, and where there
// is nothing to see nothing moves.
TEST(RegressPsd, IsLeastSquaresWhereThatDissipates) {
  Random random(5);
  const Index n = 6;
  const Matrix s = random.normals(n, n);
  const Matrix a = 0.5 * (s - s.transpose()) - Matrix::Identity(n, n);
  const Matrix x = random.normals(n, 50);
  const Regression r{x, a * x + 0.01 * random.normals(n, 50)};
  // Condition of x about 3, and of the two ways to the same solution.
  EXPECT_LE(distance(regress_psd(r), regress_full(r)), 100 * epsilon);
  EXPECT_EQ(regress_psd({Matrix(n, 0), Matrix(n, 0)}).norm(), 0);
  EXPECT_EQ(regress_psd({Matrix::Zero(n, 9), Matrix::Zero(n, 9)}).norm(), 0);
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
  EXPECT_THROW(closed_form(data, *find_structure("parametric:rlc", 2)), Error);
  const Dataset uneven({"v", "i"}, {Trajectory("1", Vector{{0, 1, 3}}, Matrix::Ones(2, 3))});
  EXPECT_THROW(closed_form(uneven, *find_structure("sd", 2)), NotIdentified);
}

}  // namespace
}  // namespace lgn
