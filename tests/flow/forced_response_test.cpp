#include "lgn/flow/forced_response.h"

#include <gtest/gtest.h>

#include <cmath>

#include "lgn/core/random.h"
#include "lgn/dynamics/modal.h"
#include "lgn/dynamics/observed.h"
#include "lgn/dynamics/structures.h"
#include "lgn/dynamics/systems.h"
#include "lgn/flow/propagate.h"
#include "tests/core/machine_epsilon.h"

namespace lgn::testing {
namespace {

constexpr Index samples = 40;

Vector even_times() { return Vector::LinSpaced(samples, 1, 1 + 0.1 * (samples - 1)); }
Vector uneven_times() {
  Vector times = even_times();
  for (Index k = 1; k < times.size(); ++k) times[k] += 0.04 * std::sin(static_cast<double>(k * k));
  return times;
}

/// Two inputs under every timing, at even and uneven times.
std::vector<InputCourse> courses() {
  Random random(5);
  const Matrix inputs = random.normals(2, samples);
  std::vector<InputCourse> result;
  for (const Vector& times : {even_times(), uneven_times()})
    for (const Hold hold : {Hold::zoh, Hold::foh})
      for (const double delay : {0.0, 0.07, 0.25})
        result.push_back(input_course(times, inputs, {hold, delay}));
  return result;
}

/// Blocks on every side of the double pole, and on it, and a single state, in two channels.
struct Modal {
  ModalStructure structure{9, 2, {0, 1, 0, 1, 0}};
  Vector theta = Vector(structure.parameters());
  Matrix b;
  Modal() {
    Random random(6);
    theta << 2, 0.1, 1.5, 3.0, 1.5, 3.0 + 1e-6, 1, 5, 0.7,
        random.normals(structure.parameters() - 9);
    b = random.normals(9, 2);
  }
};

TEST(ForcedResponse, OfAFirstOrderLagIsKnown) {
  const FullStructure structure(1);
  const Vector theta{{-2.0}}, times = even_times();
  const Matrix one = Matrix::Ones(1, samples), ramp = times.transpose().array() - 1;
  const auto response = [&](const Matrix& input, Hold hold) {
    return plan_forced(structure, input_course(times, input, {hold, 0}))
        ->at(theta)
        ->states(Matrix::Ones(1, 1));
  };
  const Vector t = times.array() - 1;
  const Vector step = (1 - (-2 * t.array()).exp()) / 2;
  const Vector slope = t / 2 - step / 2;
  EXPECT_LE((response(one, Hold::zoh).transpose() - step).norm(), samples * epsilon);
  EXPECT_LE((response(ramp, Hold::foh).transpose() - slope).norm(), samples * epsilon);
}

TEST(ForcedResponse, OfModesAgreesWithThatOfTheWholeGenerator) {
  const Modal modal;
  const Matrix a = modal.structure.generator(modal.theta);
  const Matrix c = modal.structure.observation(modal.theta).matrix();
  const ObservedStructure whole(std::make_shared<FullStructure>(9), Observation(c));
  for (const InputCourse& course : courses()) {
    const auto plan = plan_forced(modal.structure, course), dense = plan_forced(whole, course);
    const auto one = plan->at(modal.theta), other = dense->at(a.reshaped());
    const Matrix states = other->states(modal.b), maps = other->output_maps(0, samples);
    // Rounding of a step of the exponential of 27 × 27, once for each sample.
    const double rounding = 27 * samples * epsilon;
    EXPECT_LE((one->states(modal.b) - states).norm(), rounding * states.norm());
    EXPECT_LE((one->output_maps(0, samples) - maps).norm(), rounding * maps.norm());
    EXPECT_LE((one->outputs(modal.b) - maps * modal.b.reshaped()).norm(), rounding * maps.norm());
    EXPECT_LE((one->output_maps(7, 20) - maps.middleRows(14, 40)).norm(), rounding * maps.norm());
    EXPECT_LE((forced_states(a, Vector::Zero(9), modal.b, course) - states).norm(),
              rounding * states.norm());
  }
}

/// The derivative by central differences, whose error is h² of the third one plus ε/h.
void expect_derivative(const Structure& structure, const Vector& theta, const Matrix& b) {
  constexpr double h = 1e-5, tolerance = 1e-8;
  for (const InputCourse& course : courses()) {
    const auto plan = plan_forced(structure, course);
    const Matrix jacobian = plan->at(theta)->output_jacobian(b, 3, 30);
    Matrix expected(jacobian.rows(), jacobian.cols());
    const Index l = structure.channels();
    for (Index q = 0; q < theta.size(); ++q) {
      const Vector step = h * Vector::Unit(theta.size(), q);
      const Vector change =
          (plan->at(theta + step)->outputs(b) - plan->at(theta - step)->outputs(b)) / (2 * h);
      for (Index c = 0; c < l; ++c)
        for (Index k = 0; k < 30; ++k) expected(q, c * 30 + k) = change[(3 + k) * l + c];
    }
    EXPECT_LE((jacobian - expected).norm(), tolerance * expected.norm());
  }
}

TEST(ForcedResponse, HasExactDerivatives) {
  const Modal modal;
  expect_derivative(modal.structure, modal.theta, modal.b);
  Random random(7);
  const SdStructure sd(3);
  const Matrix b = random.normals(3, 2);
  expect_derivative(sd, sd.project(random.normals(3, 3) - 2 * Matrix::Identity(3, 3)), b);
}

TEST(ForcedResponse, ToALateInputIsThatToAnEarlierOneLater) {
  Random random(8);
  const Vector times = even_times();
  Matrix early = Matrix::Zero(1, samples), late = early;
  early.leftCols(samples - 3) = random.normals(1, samples - 3);
  early(0, 0) = 0;  // what was before is not known
  late.rightCols(samples - 3) = early.leftCols(samples - 3);
  const Matrix a{{-0.5, 2}, {-2, -0.1}}, b{{1.0}, {0.5}};
  for (const Hold hold : {Hold::zoh, Hold::foh}) {
    const Matrix shifted =
        forced_states(a, Vector::Zero(2), b, input_course(times, late, {hold, 0}));
    const Matrix delayed =
        forced_states(a, Vector::Zero(2), b, input_course(times, early, {hold, 0.3}));
    EXPECT_LE((shifted - delayed).norm(), 1e-9 * shifted.norm());  // knots nearer than 1e-9 steps
  }
}

/// x by Runge and Kutta's method in so many steps for each piece of the input.
Matrix by_small_steps(const Structure& structure, const Vector& theta, const Matrix& b,
                      const InputCourse& course, int steps) {
  Vector x = Vector::Zero(structure.dimension());
  Matrix result(x.size(), course.samples());
  result.col(0) = x;
  Index sample = 1;
  for (std::size_t k = 0; k < course.pieces.size(); ++k) {
    const auto piece = static_cast<Index>(k);
    const double begin = course.edges[piece], length = course.edges[piece + 1] - begin;
    const auto slope = [&](double part, const Vector& at) -> Vector {
      const Vector u = (1 - part) * course.begin.col(piece) + part * course.end.col(piece);
      return structure.generator(theta, begin + part * length) * at + b * u;
    };
    const double h = length / steps, d = 1.0 / steps;
    for (int i = 0; i < steps; ++i) {
      const Vector k1 = slope(i * d, x), k2 = slope((i + 0.5) * d, x + h / 2 * k1),
                   k3 = slope((i + 0.5) * d, x + h / 2 * k2), k4 = slope((i + 1) * d, x + h * k3);
      x += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
    }
    if (course.pieces[k].to_sample) result.col(sample++) = x;
  }
  return result;
}

TEST(ForcedResponse, OfAGeneratorThatVariesFollowsIt) {
  const System system = ltv_oscillator(1.5, 0.3, 0.7, 2);
  Random random(8);
  const Matrix b = random.normals(2, 2);
  for (const InputCourse& course : courses())
    for (const char* method : {"6", "4", "4-simpson", "4-commutator-free"}) {
      const auto plan =
          plan_forced(*system.varying, course, {.method = method, .tolerance = 1e-10});
      const auto response = plan->at(system.theta);
      const Matrix states = response->states(b);
      // Steps below 0.005: h⁴ of 1e-9 at most, and the tolerance for each of a hundred pieces.
      const Matrix small = by_small_steps(*system.varying, system.theta, b, course, 40);
      EXPECT_LE((states - small).cwiseAbs().maxCoeff(), 2e-8) << method;
      // Linear in B, in all that is asked for.
      const Matrix maps = response->output_maps(0, samples);
      const double rounding = 1e3 * samples * epsilon;
      EXPECT_LE((maps * b.reshaped() - states.reshaped()).norm(), rounding * states.norm());
      EXPECT_LE((maps.middleRows(20, 10) - response->output_maps(10, 5)).norm(), rounding);
    }
}

TEST(ForcedResponse, OfAGeneratorThatVariesHasItsDerivatives) {
  const System system = ltv_oscillator(1.5, 0.3, 0.7, 2);
  Random random(9);
  const Matrix b = random.normals(2, 2);
  for (const InputCourse& course : courses()) {
    const auto plan = plan_forced(*system.varying, course, {.tolerance = 1e-8});
    const Matrix jacobian = plan->at(system.theta)->output_jacobian(b, 0, samples);
    for (Index q = 0; q < system.theta.size(); ++q) {
      constexpr double step = 1e-5;  // error step²/6 and rounding/step
      Vector low = system.theta, high = system.theta;
      low[q] -= step;
      high[q] += step;
      // The steps stay as they were chosen.
      const Matrix change = (plan->at(high)->states(b) - plan->at(low)->states(b)) / (2 * step);
      for (Index i = 0; i < 2; ++i)
        EXPECT_LE((jacobian.row(q).segment(i * samples, samples) - change.row(i)).norm(),
                  1e-7 * (1 + change.norm()));
    }
  }
}

TEST(InputCourse, HasAPieceForEachKnotAndEachSample) {
  const Vector times{{0, 1, 2}};
  const Matrix inputs{{1, 3, 5}};
  const InputCourse held = input_course(times, inputs, {Hold::zoh, 0.25});
  EXPECT_EQ(held.pieces.size(), 4u);
  EXPECT_EQ(held.begin, (Matrix{{1, 1, 1, 3}}));
  EXPECT_EQ(held.end, held.begin);
  EXPECT_EQ(held.at_samples, (Matrix{{1, 1, 3}}));
  const InputCourse straight = input_course(times, inputs, {Hold::foh, 0});
  EXPECT_EQ(straight.begin, (Matrix{{1, 3}}));
  EXPECT_EQ(straight.end, (Matrix{{3, 5}}));
  EXPECT_EQ(straight.at_samples, inputs);
}

}  // namespace
}  // namespace lgn::testing
