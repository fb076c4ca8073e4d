#include "lgn/flow/collocation.h"

#include <gtest/gtest.h>

#include <cmath>

#include "lgn/core/random.h"
#include "lgn/dynamics/nonlinear_systems.h"
#include "lgn/flow/forced_response.h"
#include "lgn/flow/propagate.h"
#include "tests/core/machine_epsilon.h"

namespace lgn {
namespace {

using testing::epsilon;

/// q̈ = −q − ½q³ − 0.1 q̇.
struct Duffing {
  std::shared_ptr<const NonlinearStructure> structure = nonlinear_mechanical_structure(1);
  Vector theta = structure->start();
  Duffing() {
    const auto names = structure->parameter_names();
    for (std::size_t k = 0; k < names.size(); ++k)
      theta[static_cast<Index>(k)] = names[k] == "k1"     ? 1
                                     : names[k] == "k1^3" ? 0.5
                                     : names[k] == "c1"   ? 0.1
                                                          : 0;
  }
  std::vector<Index> all() const {
    std::vector<Index> result;
    for (Index k = 0; k < theta.size(); ++k) result.push_back(k);
    return result;
  }
};

/// Euler's equations of a rigid body with friction, as a gyro structure.
struct RigidBody {
  std::shared_ptr<const NonlinearStructure> structure = gyro_structure(3);
  Vector theta;
  explicit RigidBody(double friction) {
    const Vector inertia = Eigen::Vector3d(1, 2, 3);
    Matrix c = Matrix::Zero(3, structure->functions().size());
    const auto set = [&](Index row, const Factors& f, double value) {
      c(row, structure->functions().find(f)) = value;
    };
    set(0, {1, 2}, (inertia[1] - inertia[2]) / inertia[0]);
    set(1, {0, 2}, (inertia[2] - inertia[0]) / inertia[1]);
    set(2, {0, 1}, (inertia[0] - inertia[1]) / inertia[2]);
    for (Index i = 0; i < 3; ++i) set(i, {static_cast<int>(i)}, -friction / inertia[i]);
    theta = structure->project(c);
    EXPECT_LE((structure->coefficients(theta) - c).norm(), 1e-9);
  }
};

TEST(Collocation, HasOrderSix) {
  const Duffing d;
  const NonlinearField field(*d.structure, d.theta);
  const Vector times = Eigen::Vector2d(0, 4), x0 = Eigen::Vector2d(2, 0);
  const auto end = [&](double step) {
    return Vector(CollocationFlow(times, step).path(field, x0).states.col(1));
  };
  const Vector exact = end(0.02);
  const double coarse = (end(0.4) - exact).norm(), fine = (end(0.2) - exact).norm();
  // Halving the step divides the error by 2⁶; between 2⁵ and 2⁷ is the sixth order.
  EXPECT_GT(coarse / fine, 32);
  EXPECT_LT(coarse / fine, 128);
  // The error of a step is (hω)⁷ 3!²/(6! 7!), ω² at most 1 + 1.5·2²: 20 steps of 0.2.
  EXPECT_LT(fine, 20 * std::pow(0.2 * std::sqrt(7.0), 7) * 36 / (720 * 5040.0) * 2);
}

TEST(Collocation, IsTheExponentialOfALinearLaw) {
  Duffing d;
  for (Index k = 0; k < d.theta.size(); ++k)
    if (d.structure->parameter_names()[static_cast<std::size_t>(k)] == "k1^3") d.theta[k] = 0;
  const NonlinearField field(*d.structure, d.theta);
  const Vector times = Vector::LinSpaced(6, 0, 5), x0 = Eigen::Vector2d(1, -1);
  const Matrix expected =
      propagate(d.structure->linearisation(d.theta, Vector::Zero(2)), x0, times);
  // (hω)⁷ 3!²/(6! 7!) of ‖x₀‖ for each of 100 steps of 0.05, and six samples.
  const double error = 100 * std::pow(0.05, 7) * 36 / (720 * 5040.0) * x0.norm();
  EXPECT_LE((CollocationFlow(times, 0.05).path(field, x0).states - expected).norm(),
            std::sqrt(6.0) * error);
}

TEST(Collocation, SensitivitiesAreDerivatives) {
  const Duffing d;
  Vector times(4);
  times << 0, 0.3, 1.1, 1.5;  // uneven
  const CollocationFlow flow(times, 0.25);
  const Vector x0 = Eigen::Vector2d(1.5, -0.5);
  const NonlinearField field(*d.structure, d.theta, d.all());
  const auto path = flow.path(field, x0);
  const Matrix s = flow.sensitivities(field, path);
  const auto states = [&](const Vector& theta, const Vector& start) {
    return Matrix(flow.path(NonlinearField(*d.structure, theta), start).states);
  };
  // Central differences of states of order one: step² and rounding over step.
  constexpr double step = 1e-5, allowed = 1e-8;
  for (Index k = 0; k < s.cols(); ++k) {
    Vector dx = Vector::Zero(2), dt = Vector::Zero(d.theta.size());
    if (k < 2)
      dx[k] = step;
    else
      dt[k - 2] = step;
    const Matrix difference =
        (states(d.theta + dt, x0 + dx) - states(d.theta - dt, x0 - dx)) / (2 * step);
    EXPECT_LE((difference.reshaped() - s.col(k)).norm(), allowed * (1 + s.col(k).norm())) << k;
  }
}

TEST(Collocation, AdjointIsTransposeOfSensitivities) {
  const RigidBody body(0.1);
  Random random(3);
  const Vector times = Vector::LinSpaced(5, 0, 2), x0 = random.normals(3);
  const CollocationFlow flow(times, 0.2);
  std::vector<Index> moving{0, 2, 5, body.structure->parameters() - 1};
  const NonlinearField field(*body.structure, body.theta, moving);
  const auto path = flow.path(field, x0);
  const Matrix s = flow.sensitivities(field, path), pull = random.normals(3, 5);
  const auto gradient = flow.adjoint(field, path, pull);
  const Vector expected = s.transpose() * pull.reshaped();
  // The same products in another order, over ten steps.
  EXPECT_LE((gradient.x0 - expected.head(3)).norm(), 1000 * epsilon * expected.norm());
  EXPECT_LE((gradient.theta - expected.tail(4)).norm(), 1000 * epsilon * expected.norm());
}

/// Duffing's oscillator under a force: held or straight, and late, so that its knots lie between samples.
struct DrivenDuffing {
  KnownLaw law = with_input(known_law("duffing", 1, 0.1, 0.5, 1), Eigen::Vector2d(0, 0.7));
  std::shared_ptr<const NonlinearStructure> structure = build_nonlinear(law.recipe);
  Vector times = Vector::LinSpaced(9, 0, 4);
  Matrix force = Random(5).normals(1, 9);
  InputCourse course(Hold hold) const { return input_course(times, force, {hold, 0.2}); }
};

TEST(Collocation, SensitivitiesUnderInputsAreDerivatives) {
  const DrivenDuffing d;
  const Vector x0 = Eigen::Vector2d(1.5, -0.5);
  for (const Hold hold : {Hold::zoh, Hold::foh}) {
    const CollocationFlow flow(d.course(hold), 0.25);
    std::vector<Index> all;
    for (Index k = 0; k < d.law.theta.size(); ++k) all.push_back(k);
    const NonlinearField field(*d.structure, d.law.theta, all);
    const auto path = flow.path(field, x0);
    const Matrix s = flow.sensitivities(field, path);
    // As above: step² and rounding over step.
    constexpr double step = 1e-5, allowed = 1e-8;
    for (const Index k : all) {
      const Vector move = step * Vector::Unit(d.law.theta.size(), k);
      const auto states = [&](const Vector& theta) {
        return Matrix(flow.path(NonlinearField(*d.structure, theta), x0).states);
      };
      const Matrix difference =
          (states(d.law.theta + move) - states(d.law.theta - move)) / (2 * step);
      EXPECT_LE((difference.reshaped() - s.col(2 + k)).norm(), allowed * (1 + s.col(2 + k).norm()))
          << k;
    }
    const Matrix pull = Random(6).normals(2, 9);
    const auto gradient = flow.adjoint(field, path, pull);
    const Vector expected = s.transpose() * pull.reshaped();
    EXPECT_LE((gradient.x0 - expected.head(2)).norm(), 1000 * epsilon * expected.norm());
    EXPECT_LE((gradient.theta - expected.tail(d.law.theta.size())).norm(),
              1000 * epsilon * expected.norm());
  }
}

TEST(Collocation, LinearLawUnderInputsIsTheForcedResponse) {
  const KnownLaw law = with_input(known_law("duffing", 1, 0.1, 0, 1), Eigen::Vector2d(0, 0.7));
  const auto structure = build_nonlinear(law.recipe);
  const NonlinearField field(*structure, law.theta);
  const DrivenDuffing like;
  const Vector x0 = Eigen::Vector2d(1.5, -0.5);
  for (const Hold hold : {Hold::zoh, Hold::foh}) {
    const Matrix expected = forced_states(structure->linearisation(law.theta, Vector::Zero(2)), x0,
                                          structure->gains(law.theta), like.course(hold));
    // A tolerance of 1e-13 in each of some dozens of steps.
    EXPECT_LE((propagate(field, x0, like.course(hold)) - expected).norm(), 1e-11);
  }
}

TEST(Collocation, EnergyGrowsByNoMoreThanTheWork) {
  const DrivenDuffing d;
  const NonlinearField field(*d.structure, d.law.theta);
  const StateEnergy& energy = *d.structure->state_energy();
  for (const Hold hold : {Hold::zoh, Hold::foh}) {
    const Matrix states = propagate(field, Eigen::Vector2d(1.5, -0.5), d.course(hold));
    // The work ∫ v B u dt by Simpson's rule on 200 parts of each piece, which leaves the fourth power of their length.
    const InputCourse course = d.course(hold);
    Vector x = Eigen::Vector2d(1.5, -0.5);
    double work = 0, before = energy.value(d.law.theta, x);
    Index sample = 0;
    for (Index k = 0; k + 1 < course.edges.size(); ++k) {
      constexpr Index parts = 200;
      const double length = (course.edges[k + 1] - course.edges[k]) / parts;
      const InputLine line{course.begin.col(k), course.end.col(k)};
      for (Index part = 0; part < parts; ++part) {
        const InputLine own =
            line.between(static_cast<double>(part) / parts, static_cast<double>(part + 1) / parts);
        const Vector middle = collocation_step(field, x, 0.5 * length, own.between(0, 0.5)).end,
                     end = collocation_step(field, x, length, own).end;
        const double gain = 0.7;
        work += length / 6 * gain *
                (x[1] * own.begin[0] + 4 * middle[1] * own.at(0.5)[0] + end[1] * own.end[0]);
        x = end;
      }
      if (!course.pieces[static_cast<std::size_t>(k)].to_sample) continue;
      const double after = energy.value(d.law.theta, states.col(++sample));
      EXPECT_LE(after, before + work + 1e-9);
      before = after;
      work = 0;
    }
    EXPECT_EQ(sample, 8);
  }
}

TEST(Collocation, DiscreteGradientUnderInputsGainsTheirWorkAtMost) {
  const DrivenDuffing d;
  const NonlinearField field(*d.structure, d.law.theta);
  const StateEnergy& energy = *d.structure->state_energy();
  Random random(8);
  for (int trial = 0; trial < 50; ++trial) {
    const Vector x = random.normals(2);
    const double force = random.normal(), step = 0.2;
    const InputLine input{Vector::Constant(1, force), Vector::Constant(1, force)};
    const Vector end = discrete_gradient_step(field, x, step, input);
    // Of second order: its velocity is the mean of both ends but for a part of order step², of a speed of order one.
    const double work = step * 0.7 * force * 0.5 * (x[1] + end[1]);
    EXPECT_LE(energy.value(d.law.theta, end),
              energy.value(d.law.theta, x) + work + 0.5 * std::pow(step, 3));
  }
}

TEST(Collocation, QuadraticEnergyGrowsInNoStepOfAnyLength) {
  const RigidBody body(0.02);
  const NonlinearField field(*body.structure, body.theta);
  const StateEnergy& energy = *body.structure->state_energy();
  Random random(5);
  for (const double step : {0.01, 0.1, 0.3, 1.0, 3.0}) {
    Vector x = random.normals(3);
    for (int k = 0; k < 200; ++k) {
      const Vector next = collocation_step(field, x, step).end;
      if (!next.allFinite()) break;  // no solution of the stages that far
      const double before = energy.value(body.theta, x);
      EXPECT_LE(energy.value(body.theta, next) - before, 1e-14 * before) << step;
      x = next;
    }
  }
}

TEST(Collocation, DiscreteGradientKeepsAnyEnergy) {
  const auto s = nonlinear_mechanical_structure(1, {{2, 4}, {1}, {0}, true});
  Random random(11);
  for (const bool damped : {false, true}) {
    Vector theta(s->parameters());
    theta << 0.5, 0.3, damped ? 0.1 : 0, 2;
    const NonlinearField field(*s, theta);
    const StateEnergy& energy = *s->state_energy();
    for (int trial = 0; trial < 50; ++trial) {
      const Vector x = 2 * random.normals(2);
      const double before = energy.value(theta, x);
      const double after = energy.value(theta, discrete_gradient_step(field, x, 0.3));
      EXPECT_LE(after, before);
      // The iteration ends at 1e-15 of the state, which moves the energy by its gradient times that.
      if (!damped) {
        EXPECT_NEAR(after, before, 1e-11 * (1 + before));
      }
    }
  }
}

TEST(Collocation, SimulationKeepsEnergyAtAnyStep) {
  const Duffing d;
  const NonlinearField field(*d.structure, d.theta);
  const StateEnergy& energy = *d.structure->state_energy();
  for (const double longest : {0.2, 2.0, 20.0}) {
    const Matrix x =
        propagate(field, Eigen::Vector2d(3, 1), Vector::LinSpaced(101, 0, 100), {longest, true});
    for (Index k = 1; k < x.cols(); ++k) {
      const double before = energy.value(d.theta, x.col(k - 1));
      EXPECT_LE(energy.value(d.theta, x.col(k)), before * (1 + 1e-13) + 1e-300) << longest;
    }
  }
}

TEST(Collocation, SimulationHasItsTolerance) {
  const Duffing d;
  const NonlinearField field(*d.structure, d.theta);
  const StateEnergy& energy = *d.structure->state_energy();
  const Vector times = Vector::LinSpaced(3, 0, 10);
  for (const double size : {0.01, 1.0, 10.0}) {
    const Vector x0 = size * Eigen::Vector2d(2, -0.5);
    const Matrix found = propagate(field, x0, times);
    const Matrix exact = propagate(field, x0, times, {0.005, false});
    // 1e-13 of the largest speed in a step, about a hundred steps for each of the turns, of which the fastest law makes twenty.
    const double largest = std::sqrt(2 * energy.value(d.theta, x0));
    EXPECT_LE((found - exact).cwiseAbs().maxCoeff(), 20 * 1e-11 * largest) << size;
    for (Index k = 1; k < times.size(); ++k)
      EXPECT_LE(energy.value(d.theta, found.col(k)), energy.value(d.theta, found.col(k - 1)));
  }
}

TEST(Collocation, SimulationEndsWhereALawLeavesTheNumbers) {
  // ẋ = x² from 1 is infinite at t = 1.
  const auto s = polynomial_structure(1, 2);
  const NonlinearField field(*s, Eigen::Vector3d(0, 0, 1));
  const Matrix x = propagate(field, Vector::Ones(1), Vector::LinSpaced(4, 0, 3));
  EXPECT_TRUE(std::isfinite(x(0, 0)));
  EXPECT_FALSE(std::isfinite(x(0, 3)));
}

}  // namespace
}  // namespace lgn
