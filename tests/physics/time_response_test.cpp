#include "lgn/physics/time_response.h"

#include <gtest/gtest.h>

#include <cmath>

#include "lgn/core/error.h"
#include "lgn/physics/transfer_function.h"
#include "tests/physics/response_fixture.h"

namespace lgn::testing {
namespace {

TEST(TimeResponse, StepsEndAtTheStaticGain) {
  const DrivenSystem s = five_states();
  const Vector times = Vector::LinSpaced(400, 0, 400);
  const auto steps = step_responses(s, {}, times);
  const ComplexMatrix gain = TransferFunction(s).on_axis(0).value;
  for (Index j = 0; j < 2; ++j)
    for (Index i = 0; i < 2; ++i) {
      const TimeResponse& one = steps[static_cast<std::size_t>(2 * j + i)];
      EXPECT_EQ(one.values[0], 0);  // before the delay has passed
      // The slowest mode decays by e^−40.
      EXPECT_NEAR(one.values.tail(1)[0], gain(i, j).real(), 1e-12);
      EXPECT_EQ(one.errors.size(), 0);
    }
}

TEST(TimeResponse, ImpulsesAreTheSlopesOfSteps) {
  DrivenSystem s = five_states();
  const double h = 1e-3;
  const Vector times = Vector::LinSpaced(2001, 0, 2000 * h);
  const auto steps = step_responses(s, {}, times), impulses = impulse_responses(s, {}, times);
  for (std::size_t p = 0; p < 4; ++p)
    for (Index k = 60; k < 2000; ++k)
      // Central differences; third derivatives are below 5² times impulses of size 3.
      EXPECT_NEAR(impulses[p].values[k],
                  (steps[p].values[k + 1] - steps[p].values[k - 1]) / (2 * h), 30 * h * h);
  s.delay = 0;
  EXPECT_NEAR(impulse_responses(s, {}, times)[1].values[0], (s.c * s.b)(1, 0), 1e-15);
  EXPECT_NEAR(step_responses(s, {}, times)[1].values[0], s.d(1, 0), 1e-15);
}

TEST(TimeResponse, MovesAsDifferencesSay) {
  const DrivenSystem s = five_states();
  const SystemErrors errors = random_errors(s, 2, 7);
  const double part = 1e-3;
  for (const Vector& times : {Vector(Vector::LinSpaced(40, 0, 8)), Vector{{0.05, 0.3, 2.0, 2.7}}})
    for (const auto respond : {step_responses, impulse_responses}) {
      const auto here = respond(s, errors, times);
      Matrix squares = Matrix::Zero(times.size(), 4);
      for (Index r = 0; r < 2; ++r) {
        const auto up = respond(moved(s, errors, r, part), {}, times),
                   down = respond(moved(s, errors, r, -part), {}, times);
        for (std::size_t p = 0; p < 4; ++p)
          squares.col(static_cast<Index>(p)) +=
              ((up[p].values - down[p].values) / (2 * part)).cwiseAbs2();
      }
      for (std::size_t p = 0; p < 4; ++p)
        // Moves of 1e-5 over times up to 8.
        EXPECT_LE((here[p].errors - squares.col(static_cast<Index>(p)).cwiseSqrt()).norm(),
                  1e-6 * here[p].errors.norm());
    }
}

TEST(TimeResponse, TimesMustIncrease) {
  const DrivenSystem s = five_states();
  EXPECT_THROW(step_responses(s, {}, Vector{{0.0, 2.0, 1.0}}), Error);
  EXPECT_THROW(step_responses(s, {}, Vector{{-1.0, 2.0}}), Error);
  EXPECT_THROW(impulse_responses(s, {}, Vector()), Error);
  // All of it before the delay has passed.
  EXPECT_EQ(step_responses(s, random_errors(s, 1, 1), Vector{{0.0, 0.01}})[0].values.norm(), 0);
}

}  // namespace
}  // namespace lgn::testing
