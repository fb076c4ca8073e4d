#include <gtest/gtest.h>

#include <cmath>

#include "lgn/core/random.h"
#include "lgn/dynamics/affine.h"
#include "lgn/dynamics/modal.h"
#include "lgn/dynamics/port_hamiltonian.h"
#include "lgn/flow/forced_response.h"
#include "lgn/identify/likelihood/problem.h"
#include "lgn/identify/training/gradient_check.h"

namespace lgn::testing {
namespace {

const Matrix b_true{{1.0, 0.2}, {-0.5, 0.7}, {0.3, -1.1}}, d_true{{0.4, 0}, {0, -0.3}, {0.2, 0.1}};
const Vector at_rest{{2, -1, 0.5}}, noise{{0.5, 1, 4}};

/// Two runs of three channels under two inputs, one at uneven times with gaps; `left`: what no model explains.
struct Driven {
  Matrix a, directions;
  InputTiming timing;
  Dataset data;

  Driven(double left, InputTiming how) : timing(how), data(make(left)) {}
  ProblemOptions options() const {
    return {.estimate_offset = true, .inputs = timing, .feedthrough = true};
  }

 private:
  Dataset make(double left) {
    Random random(41);
    a = random.normals(3, 3) - 2 * Matrix::Identity(3, 3);
    directions = random.normals(4 * 3, 3);
    std::vector<Trajectory> runs;
    for (int r = 0; r < 2; ++r) {
      Vector times = 0.1 * Vector::LinSpaced(60, 0, 59);
      if (r == 1)
        for (Index k = 1; k < 60; ++k) times[k] += 0.04 * std::sin(static_cast<double>(k * k));
      const Matrix inputs = random.normals(2, 60);
      const InputCourse course = input_course(times, inputs, timing);
      Matrix outputs = forced_states(a, random.normals(3), b_true, course).colwise() + at_rest;
      outputs += d_true * course.at_samples + left * random.normals(3, 60);
      if (r == 1) outputs(0, 3) = outputs(2, 7) = std::nan("");
      runs.emplace_back(std::to_string(r), times, outputs, inputs);
    }
    return Dataset({"a", "b", "c"}, runs, {"u", "v"});
  }
};

const std::vector<InputTiming> timings{{Hold::zoh, 0}, {Hold::foh, 0}, {Hold::foh, 0.07}};

TEST(DrivenProblem, FindsWhatEntersLinearly) {
  for (const InputTiming& timing : timings) {
    const Driven driven(0, timing);
    const AffineStructure structure(driven.a, driven.directions);
    const Problem problem(driven.data, structure, noise, driven.options());
    EXPECT_EQ(problem.unknown_shared(), 3 + 6 + 6);
    const auto profile = problem.profile(Vector::Zero(4));
    // Normal equations keep half of the digits, and a second pass wins most of the others back.
    constexpr double tolerance = 1e-9;
    EXPECT_LE(profile->cost, tolerance * tolerance * problem.power());
    EXPECT_LE((profile->drive.b - b_true).norm(), 1e3 * tolerance);
    EXPECT_LE((profile->drive.d - d_true).norm(), 1e3 * tolerance);
    EXPECT_LE((profile->offset - at_rest).norm(), 1e3 * tolerance);
  }
}

TEST(DrivenProblem, HasTheGradientOfItsCost) {
  for (const InputTiming& timing : timings) {
    const Driven driven(0.3, timing);
    const AffineStructure structure(driven.a, driven.directions);
    const Problem problem(driven.data, structure, noise, driven.options());
    const Vector theta{{0.02, -0.03, 0.01, 0.05}};
    const auto cost = [&](const Vector& x) { return problem.profile(x)->cost; };
    const auto profile = problem.profile(theta);
    EXPECT_LE(check_gradient(cost, theta, 2 * problem.gradient(profile)).error, 1e-7);
    EXPECT_LE((problem.gradient(profile) - problem.linearise(*profile).gradient).norm(),
              1e-10 * problem.gradient(profile).norm());
  }
}

TEST(DrivenProblem, OfModesHasTheGradientOfItsCost) {
  const ModalStructure structure(5, 3, {0, 1, 2});
  Random random(42);
  Vector theta(structure.parameters());
  theta << 2, 0.5, 3, 0.1, 1.5, random.normals(structure.parameters() - 5);
  for (const InputTiming& timing : timings) {
    const Driven driven(0.3, timing);
    const Problem problem(driven.data, structure, noise, driven.options());
    const auto cost = [&](const Vector& x) { return problem.profile(x)->cost; };
    EXPECT_LE(check_gradient(cost, theta, 2 * problem.gradient(problem.profile(theta))).error,
              1e-7);
  }
}

TEST(DrivenProblem, OfPortsHasTheGradientOfItsCost) {
  Random random(43);
  for (const InputTiming& timing : timings) {
    // As many channels as inputs.
    const Driven driven(0.3, timing);
    std::vector<Trajectory> runs;
    for (const Trajectory& run : driven.data.runs())
      runs.emplace_back(run.label(), run.times(), run.states().topRows(2), run.inputs());
    const Dataset data({"a", "b"}, runs, {"u", "v"});
    for (const bool feedthrough : {false, true}) {
      const PortHamiltonianStructure structure(5, 2, feedthrough);
      const Problem problem(data, structure, noise.head(2), driven.options());
      EXPECT_EQ(problem.unknown_shared(), 2);
      const Vector theta = structure.random_start(random);
      const auto cost = [&](const Vector& x) { return problem.profile(x)->cost; };
      const auto profile = problem.profile(theta);
      EXPECT_LE(check_gradient(cost, theta, 2 * problem.gradient(profile)).error, 1e-7);
      const auto residuals = problem.residuals(*profile);
      double again = 0;
      for (std::size_t r = 0; r < 2; ++r)
        again += residuals[r].cwiseProduct(problem.weights(static_cast<Index>(r))).squaredNorm();
      EXPECT_NEAR(again, profile->cost, 1e-9 * again);
    }
  }
}

TEST(DrivenProblem, ProjectsWhatEntersLinearlyOutOfTheInformation) {
  const Driven driven(0.3, timings[1]);
  const AffineStructure structure(driven.a, driven.directions);
  const Problem problem(driven.data, structure, noise, driven.options());
  const auto profile = problem.profile(Vector::Zero(4));
  const auto normal = problem.linearise(*profile);
  Matrix information = Matrix::Zero(4, 4);
  for (Index r = 0; r < 2; ++r) {
    const Matrix jacobian = problem.projected_jacobian(*profile, normal, r);
    information += jacobian * jacobian.transpose();
  }
  EXPECT_LE((information - normal.information).norm(), 1e-9 * information.norm());
  double cost = 0;
  const auto residuals = problem.residuals(*profile);
  for (std::size_t r = 0; r < 2; ++r)
    cost += residuals[r].cwiseProduct(problem.weights(static_cast<Index>(r))).squaredNorm();
  EXPECT_NEAR(cost, profile->cost, 1e-9 * cost);
}

}  // namespace
}  // namespace lgn::testing
