#include "lgn/model/prediction.h"

#include <gtest/gtest.h>

#include <cmath>

#include "lgn/core/error.h"
#include "lgn/core/random.h"
#include "lgn/dynamics/systems.h"
#include "lgn/flow/excitation.h"
#include "lgn/flow/exponential.h"
#include "lgn/flow/forced_response.h"
#include "lgn/flow/stationary.h"
#include "lgn/identify.h"

namespace lgn::testing {
namespace {

constexpr double step = 0.2;

Vector grid(Index samples) {
  return Vector::LinSpaced(samples, 0, step * static_cast<double>(samples - 1));
}

/// A damped oscillator with an input and a gain, of which one channel is seen.
Model oscillator_with_gain() {
  Model model;
  model.channels = {"y"};
  model.a = (Matrix(2, 2) << 0, 1, -1, -0.3).finished();
  model.c = (Matrix(1, 2) << 1, 0).finished();
  model.inputs = {"u"};
  model.drive.b = (Matrix(2, 1) << 0, 1).finished();
  model.offset = Vector::Constant(1, 0.7);
  model.innovation = {(Matrix(2, 1) << 0.4, 0.1).finished(), Matrix::Constant(1, 1, 0.01), step};
  return model;
}

/// What that model says happens, by its innovations.
Dataset realised(const Model& model, Index samples, std::uint64_t seed) {
  Random random(seed);
  const Vector times = grid(samples);
  const Matrix u = excitation("steps", times, random).transpose();
  const Matrix forced = model.propagate(Vector::Zero(2), times, u);
  const Matrix phi = exponential(step * model.a);
  Matrix y(1, samples);
  Vector z = random.normals(2);
  for (Index k = 0; k < samples; ++k) {
    const double e = 0.1 * random.normal();
    y(0, k) = forced(0, k) + (model.c * z)(0) + e;
    z = (phi * z + model.innovation.k * e).eval();
  }
  return Dataset({"y"}, {Trajectory("1", times, y, u)}, {"u"});
}

/// Mean square of errors over their predicted variance: 1 where these are right.
double calibration(const Prediction& prediction, const Dataset& data) {
  double sum = 0, count = 0;
  for (std::size_t r = 0; r < data.runs().size(); ++r) {
    const Matrix e =
        (data.runs()[r].states() - prediction.outputs[r]).cwiseQuotient(prediction.errors[r]);
    for (const double value : e.reshaped())
      if (!std::isnan(value)) {
        sum += value * value;
        count += 1;
      }
  }
  return sum / count;
}

TEST(Prediction, StandardErrorsAreThoseOfTheInnovations) {
  const Model model = oscillator_with_gain();
  const Dataset data = realised(model, 4000, 1);
  double before = 0;
  for (const Index horizon : {1, 3, 20}) {
    const Prediction found = predict(model, data, horizon);
    // Errors of neighbours share up to 20 innovations: the mean of 4000 squares has a relative error of √(2·20/4000).
    EXPECT_NEAR(calibration(found, data), 1, 4 * std::sqrt(2.0 * 20 / 4000));
    const double se = found.errors.front()(0, 3999);
    EXPECT_GE(se, before);
    before = se;
  }
  // Far ahead it is the whole of what innovations do: Σ (C Φʲ K)² + 1.
  double expected = 1;
  Matrix z = model.innovation.k;
  for (int j = 0; j < 19; ++j, z = (exponential(step * model.a) * z).eval())
    expected += std::pow((model.c * z)(0), 2);
  EXPECT_NEAR(before, 0.1 * std::sqrt(expected), 1e-6);
}

TEST(Prediction, OfOneStepIsThatOfTheGain) {
  const Model model = oscillator_with_gain();
  const Dataset data = realised(model, 300, 2);
  const Prediction found = predict(model, data, 1);
  // When the initial state is forgotten the error is the innovation: σ = 0.1.
  EXPECT_NEAR(found.errors.front()(0, 299), 0.1, 1e-6);
  const Evaluation scores = evaluate(found, data, reference_of(model, data));
  EXPECT_LT(scores.nrmse, 0.5);
}

TEST(Prediction, GoesOnThroughGaps) {
  const Model model = oscillator_with_gain();
  const Dataset data = realised(model, 400, 3);
  const Trajectory& run = data.runs().front();
  Matrix gapped = run.states();
  gapped.middleCols(200, 10).setConstant(std::nan(""));
  const Dataset missing({"y"}, {Trajectory("1", run.times(), gapped, run.inputs())}, {"u"});
  const Prediction found = predict(model, missing, 1);
  EXPECT_GT(found.errors.front()(0, 210), 1.2 * found.errors.front()(0, 200));
  // A grid with a hole is the same as one with missing values.
  Vector times(390);
  times << run.times().head(200), run.times().tail(190);
  Matrix y(1, 390), u(1, 390);
  y << run.states().leftCols(200), run.states().rightCols(190);
  u << run.inputs().leftCols(200), run.inputs().rightCols(190);
  // Held inputs, which keep their value through the hole.
  Matrix held = run.inputs();
  held.middleCols(200, 10).setConstant(held(0, 199));
  const Dataset hole({"y"}, {Trajectory("1", times, y, u)}, {"u"});
  const Dataset filled({"y"}, {Trajectory("1", run.times(), gapped, held)}, {"u"});
  const Prediction a = predict(model, hole, 3), b = predict(model, filled, 3);
  EXPECT_NEAR(a.outputs.front()(0, 389), b.outputs.front()(0, 399), 1e-9);
  EXPECT_NEAR(a.errors.front()(0, 200), b.errors.front()(0, 210), 1e-9);
}

TEST(Prediction, OfFreeMotionBecomesASimulation) {
  const System system = mass_spring(2, 1, 1, 0.1);
  Random random(4);
  Vector times = grid(300);
  for (Index k = 1; k < 300; ++k) times[k] += 0.05 * std::sin(static_cast<double>(k * k));
  const Matrix clean = propagate(system.a, random.normals(4), times);
  const Matrix y = clean + 0.01 * random.normals(4, 300);
  const Dataset data(system.channels, {Trajectory("1", times, y)});
  Model model;
  model.channels = system.channels;
  model.a = system.a;
  model.fit.channel_noise = Vector::Constant(4, 0.01);
  for (const Index horizon : {1, 5}) {
    const Prediction found = predict(model, data, horizon);
    EXPECT_NEAR(calibration(found, data), 1, 0.2);  // 5 √(2/1200), and what the first samples add
    // The state is known better and better, and the noise of the sample is left.
    EXPECT_NEAR(found.errors.front()(0, 299), 0.01, 2e-4);
    EXPECT_LE((found.outputs.front().col(299) - clean.col(299)).cwiseAbs().maxCoeff(), 0.01);
  }
  EXPECT_THROW(predict(model, data, 0), Error);
}

TEST(Prediction, OfRandomVibrationIsCalibrated) {
  const System system = mass_spring(2, 1, 1, 0.2);
  Random random(5);
  Matrix b = Matrix::Zero(4, 2);
  b.bottomRows(2).setIdentity();
  const Matrix x = stationary_states(system.a, b, 6000, step, random);
  const Matrix y = x.topRows(1) + 0.05 * random.normals(1, 6000);
  const Dataset data({"q1"}, {Trajectory("1", grid(6000), y)});
  FitOptions options;
  options.record = Record::ambient;
  options.states = States::given;
  options.state_count = 4;
  const Model model = identify(data, options);
  ASSERT_TRUE(model.ambient);
  for (const Index horizon : {1, 10}) {
    const Prediction found = predict(model, data, horizon);
    EXPECT_NEAR(calibration(found, data), 1, 0.25);
    EXPECT_LT(evaluate(found, data, reference_of(model, data)).nrmse, horizon == 1 ? 0.35 : 1.05);
  }
}

TEST(Prediction, RefusesAnotherGrid) {
  const Model model = oscillator_with_gain();
  const Dataset data = realised(model, 50, 6);
  const Trajectory& run = data.runs().front();
  const Dataset slower({"y"}, {Trajectory("1", 2 * run.times(), run.states(), run.inputs())},
                       {"u"});
  EXPECT_THROW(predict(model, slower, 1), Error);
}

}  // namespace
}  // namespace lgn::testing
