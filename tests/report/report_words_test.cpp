#include "lgn/report/page/report_words.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "lgn/core/random.h"
#include "lgn/report/page/drawn_runs_internal.h"
#include "tests/report/sample_model.h"

namespace lgn {
namespace {

Model model_of(const Matrix& a) {
  Model model = testing::sample_model("sd", a.rows(), 1);
  model.a = a;
  model.time_unit = "s";
  model.modes = find_modes(a);
  model.warnings.clear();
  for (auto& mode : model.modes) mode.se.reset();
  model.data.step = 0.05;
  model.data.samples = 400;
  model.data.runs = 1;
  model.fit.nrmse_holdout.reset();
  model.fit.holdout = 0;
  model.starts = Matrix::Ones(a.rows(), 1);
  return model;
}

Dataset noisy_data_of(const Model& model, double noise, double wave = 0) {
  Random random(4);
  const Vector times = Vector::LinSpaced(400, 0, 20);
  Matrix states = model.propagate(model.starts.col(0), times);
  states += noise * random.normals(states.rows(), states.cols());
  for (Index k = 0; k < times.size(); ++k) states(0, k) += wave * std::sin(0.3 * times[k]);
  return Dataset(model.channels, {Trajectory("1", times, states)});
}

bool says(const std::vector<Reason>& reasons, const std::string& text, bool good) {
  return std::any_of(reasons.begin(), reasons.end(), [&](const Reason& reason) {
    return reason.good == good && reason.text.find(text) != std::string::npos;
  });
}

TEST(ReportWords, CountModesByWhatTheyDo) {
  EXPECT_EQ(found_in_words(model_of(Matrix{{-0.5, 2}, {-2, -0.5}})),
            "One damped oscillation; it rings at 0.328 Hz and loses half its energy in 0.693 s.");
  EXPECT_EQ(found_in_words(model_of(Matrix{{0, 2}, {-2, 0}})),
            "One undamped oscillation; it rings at 0.318 Hz.");
  EXPECT_EQ(found_in_words(model_of(Matrix{{-1, 0, 0}, {0, 2, 0}, {0, 0, -3}})),
            "Two exponential decays and one growing exponential.");
  EXPECT_EQ(
      found_in_words(model_of(Matrix{{0, 2, 0}, {-2, 0, 0}, {0, 0, -1}})),
      "One undamped oscillation and one exponential decay; the oscillation rings at 0.318 Hz.");
  Matrix two = Matrix::Zero(4, 4);
  two.topLeftCorner(2, 2) << -1, 5, -5, -1;
  two.bottomRightCorner(2, 2) << 1, 1, -1, 1;
  EXPECT_EQ(found_in_words(model_of(two)),
            "One damped oscillation and one growing oscillation; the slowest rings at 0.225 Hz.");
}

TEST(ReportWords, SayNothingThatTheErrorsDoNotAllow) {
  Model model = model_of(Matrix{{-0.001, 2}, {-2, -0.001}});
  for (auto& mode : model.modes) {
    mode.se = Mode::Errors{};
    mode.se->re = 0.01;
  }
  EXPECT_EQ(found_in_words(model),
            "One oscillation whose damping is not resolved; it rings at 0.318 Hz.");
  // One cycle of 628 s was not seen in 20 s, nor is a rate of 0.001 ± 0.01.
  EXPECT_EQ(found_in_words(model_of(Matrix{{0, 0.01}, {-0.01, 0}})),
            "One mode too slow for the length of the record.");
  Model still = model_of(Matrix{{0.001}});
  still.modes[0].se = model.modes[0].se;
  EXPECT_EQ(found_in_words(still), "One mode too slow for the length of the record.");
}

TEST(ReportWords, SeeAModelThatLeavesTheRangeOfNumbers) {
  const Model model = model_of(Matrix{{50, 0}, {0, 50}});
  Vector times = Vector::LinSpaced(400, 0, 20);
  const Dataset data(model.channels, {Trajectory("1", times, Matrix::Ones(2, 400))});
  EXPECT_TRUE(says(reasons_to_trust(model, draw_runs(model, data), {}),
                   "response of the model overflows", false));
}

TEST(ReportWords, TellNoiseFromWhatIsMissed) {
  const Model model = model_of(Matrix{{-0.05, 2}, {-2, -0.05}});
  const auto reasons = [&](double noise, double wave) {
    return reasons_to_trust(model, draw_runs(model, noisy_data_of(model, noise, wave)), {});
  };
  EXPECT_TRUE(says(reasons(0.01, 0), "of the signal and white", true));
  EXPECT_TRUE(says(reasons(0, 0), "of the signal: rounding", true));
  EXPECT_TRUE(says(reasons(0.01, 0.1), "In x0 they are autocorrelated", false));
}

TEST(ReportWords, WarnOfWhatTheModelCannotKnow) {
  Model model = model_of(Matrix{{-0.05, 2}, {-2, -0.05}});
  const DrawnRuns drawn = draw_runs(model, noisy_data_of(model, 0.01));
  SignalContent content;
  content.singular_values = Vector{{100, 1}};
  content.floor = 20;
  EXPECT_TRUE(says(reasons_to_trust(model, drawn, content),
                   "above the noise: 1 of 2; the remaining", false));
  content.floor = 0.5;
  EXPECT_TRUE(says(reasons_to_trust(model, drawn, content), "above the noise: 2 of 2.", true));
  for (auto& mode : model.modes) {
    mode.se = Mode::Errors{};
    mode.identifiable = true;
  }
  EXPECT_TRUE(says(reasons_to_trust(model, drawn, content), "Every pole is well determined", true));
  model.modes[0].identifiable = false;
  EXPECT_TRUE(says(reasons_to_trust(model, drawn, content), "One of 2 modes is not", false));
  model.guarantee = {};
  EXPECT_TRUE(says(reasons_to_trust(model, drawn, content), "guarantees neither", false));
  model.warnings = {{"underdetermined", ""}};
  EXPECT_TRUE(
      says(reasons_to_trust(model, drawn, content), "more unknowns than measured values", false));
}

TEST(ReportWords, TellAPredictionFromAFit) {
  // Where the motion has died away, noise is all of the signal, and the prediction is as good as before.
  Model model = model_of(Matrix{{-0.5, 2}, {-2, -0.5}});
  model.fit.holdout = 0.3;
  EXPECT_TRUE(says(reasons_to_trust(model, draw_runs(model, noisy_data_of(model, 0.01)), {}),
                   "Validation: residuals of the part that was not fitted are as large as", true));
  EXPECT_TRUE(says(reasons_to_trust(model, draw_runs(model, noisy_data_of(model, 0)), {}),
                   "Validation: ", true));
  // A wave that the model does not have, in the last 30%.
  const Dataset noisy = noisy_data_of(model, 0.01);
  Matrix states = noisy.runs()[0].states();
  states.rightCols(120).array() += 0.05;
  const Dataset data(model.channels, {Trajectory("1", noisy.runs()[0].times(), states)});
  EXPECT_TRUE(says(reasons_to_trust(model, draw_runs(model, data), {}), "Validation fails", false));
}

}  // namespace
}  // namespace lgn
