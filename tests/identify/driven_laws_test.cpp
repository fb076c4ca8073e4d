#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "lgn/core/checkpoint.h"
#include "lgn/core/error.h"
#include "lgn/dynamics/systems.h"
#include "lgn/flow/sample_runs.h"
#include "lgn/identify.h"
#include "lgn/model/model_file.h"

namespace lgn {
namespace {

/// Two runs of 200 samples of a law under a force, 1% of noise.
Dataset driven_samples(const std::string& system, Hold hold, std::uint64_t seed = 1) {
  SamplingOptions how;
  how.runs = 2;
  how.end = 20;
  how.noise = 0.01;
  how.seed = seed;
  how.input = "multisine";
  how.hold = hold;
  return sample_runs(nonlinear_system(known_law(system, 1, 0.1, 0.5, 1)), how);
}

FitOptions asked_for(const std::string& structure) {
  FitOptions options;
  options.structure = structure;
  return options;
}

/// The terms of a law as "state: function", and the largest deviation of a coefficient from `expected` in standard errors.
struct Terms {
  std::vector<std::string> found;
  double largest = 0;
};
Terms terms_of(const Model& model, const std::vector<double>& expected) {
  Terms result;
  std::size_t k = 0;
  for (const auto& [state, factors, coefficient, error] : model.nonlinear->terms()) {
    result.found.push_back(model.states()[static_cast<std::size_t>(state)] + ": " +
                           text_of(factors, model.states(), model.inputs));
    if (error > 0 && k < expected.size())
      result.largest = std::max(result.largest, std::abs(coefficient - expected[k]) / error);
    ++k;
  }
  return result;
}
const std::vector<std::string> forced_duffing{"q1: v1", "v1: q1", "v1: v1", "v1: u", "v1: q1^3"};
const std::vector<double> forced_duffing_values{1, -1, -0.1, 1, -0.5};

TEST(DrivenLaws, ForceIsATermAndItsHoldIsFound) {
  for (const Hold hold : {Hold::zoh, Hold::foh}) {
    const Dataset data = driven_samples("duffing", hold);
    const Model model = identify(data, asked_for("nonlinear"));
    EXPECT_EQ(model.structure, "nonlinear-mechanical");
    EXPECT_EQ(model.record, "driven");
    EXPECT_EQ(model.drive.timing.hold, hold);
    const Terms terms = terms_of(model, forced_duffing_values);
    EXPECT_EQ(terms.found, forced_duffing);
    // Four deviations of five standard errors are less likely than 1e-5.
    EXPECT_LE(terms.largest, 5);
    EXPECT_EQ(model.drive.b(0, 0), 0);
    EXPECT_GT(model.b_errors(1, 0), 0);
    EXPECT_EQ(model.b_errors(0, 0), 0);
    // Residuals are noise of 1%: its share of a signal whose mean is about zero.
    EXPECT_NEAR(model.fit.nrmse_train, 0.01, 0.002);
  }
}

TEST(DrivenLaws, OfPositionsAloneToo) {
  const Dataset all = driven_samples("duffing", Hold::zoh);
  std::vector<Trajectory> runs;
  for (const auto& run : all.runs())
    runs.emplace_back(run.label(), run.times(), Matrix(run.states().topRows(1)), run.inputs());
  const Model model = identify(Dataset({"q1"}, std::move(runs), {"u"}), asked_for("nonlinear"));
  const Terms terms = terms_of(model, forced_duffing_values);
  EXPECT_EQ(terms.found, forced_duffing);
  EXPECT_LE(terms.largest, 5);
}

TEST(DrivenLaws, FileKeepsThemAndInputsMoveThem) {
  const Dataset data = driven_samples("pendulum", Hold::zoh);
  const Model model = identify(data, asked_for("nonlinear"));
  const Model back = model_from_json(model_to_json(model), "model");
  const auto& run = data.runs()[0];
  const Matrix states = model.propagate(model.starts.col(0), run.times(), run.inputs());
  EXPECT_EQ(back.propagate(back.starts.col(0), run.times(), run.inputs()), states);
  EXPECT_EQ(back.nonlinear->range, model.nonlinear->range);
  // Without the force it swings otherwise.
  EXPECT_GT((model.propagate(model.starts.col(0), run.times()) - states).norm(),
            0.1 * states.norm());
  // Initial states of the runs that it was fitted to: found again within their noise of 1%.
  EXPECT_LE((fitted_initial_states(model, data) - model.starts).norm(), 1e-3);
}

TEST(DrivenLaws, ADelayThatIsGivenActs) {
  const Dataset prompt = driven_samples("duffing", Hold::zoh);
  // Inputs told two samples before they act.
  std::vector<Trajectory> runs;
  for (const auto& run : prompt.runs()) {
    Matrix early = run.inputs();
    const Index last = early.cols() - 1;
    for (Index k = 0; k <= last; ++k) early.col(k) = run.inputs().col(std::min(k + 2, last));
    const Index kept = last - 1;
    runs.emplace_back(run.label(), run.times().head(kept), run.states().leftCols(kept),
                      early.leftCols(kept));
  }
  FitOptions options = asked_for("nonlinear-mechanical");
  options.delay_value = 0.2;
  options.hold = InputHold::zoh;
  const Model model = identify(Dataset(prompt.channels(), std::move(runs), {"u"}), options);
  EXPECT_EQ(terms_of(model, {}).found, forced_duffing);
  EXPECT_NEAR(model.fit.nrmse_train, 0.01, 0.002);
}

TEST(DrivenLaws, RefusesWhatTheyHaveNot) {
  const Dataset data = driven_samples("duffing", Hold::zoh);
  FitOptions options = asked_for("nonlinear");
  options.method = Method::successive;
  EXPECT_THROW(identify(data, options), Error);
  options = asked_for("nonlinear");
  options.feedthrough = Feedthrough::yes;
  EXPECT_THROW(identify(data, options), Error);
  options = asked_for("nonlinear");
  options.delay = Delay::automatic;
  EXPECT_THROW(identify(data, options), Error);
}

TEST(LawBootstrap, AgreesWithTheInformationMatrix) {
  const Dataset data = driven_samples("duffing", Hold::zoh);
  FitOptions options = asked_for("nonlinear-mechanical");
  options.hold = InputHold::zoh;
  const Model by_information = identify(data, options);
  options.bootstrap = 100;
  const Model by_repeats = identify(data, options);
  EXPECT_EQ(by_repeats.fit.bootstrap, 100);
  EXPECT_EQ(by_repeats.theta, by_information.theta);
  for (Index k = 0; k < by_information.theta.size(); ++k) {
    const double ratio = std::sqrt(by_repeats.covariance(k, k) / by_information.covariance(k, k));
    // A standard deviation of 100 samples has 7% of uncertainty: four times that.
    EXPECT_NEAR(ratio, 1, 0.28) << by_information.theta_names[static_cast<std::size_t>(k)];
  }
  options.threads = 3;
  EXPECT_EQ(identify(data, options).covariance, by_repeats.covariance);
}

TEST(LawCheckpoint, AKilledSearchGoesOn) {
  const Dataset data = driven_samples("pendulum", Hold::zoh);
  FitOptions options = asked_for("nonlinear");
  const Model expected = identify(data, options);
  const auto path = std::filesystem::path(::testing::TempDir()) / "law.checkpoint";
  std::filesystem::remove(path);
  struct Killed {};
  // Killed at every 20th step, until it comes to its end.
  for (int attempt = 0; attempt < 100; ++attempt) {
    Checkpoint checkpoint(path, "law");
    options.checkpoint = &checkpoint;
    int steps = 0;
    options.observe = [&](const FitProgress&) {
      if (++steps < 20) return true;
      // What an interval of a second leaves unwritten would be lost.
      checkpoint.keep("mark", Vector::Zero(1), true);
      throw Killed();
    };
    try {
      const Model model = identify(data, options);
      EXPECT_GT(attempt, 1);
      EXPECT_EQ(model.theta, expected.theta);
      EXPECT_EQ(model.covariance, expected.covariance);
      EXPECT_EQ(model.starts, expected.starts);
      return;
    } catch (const Killed&) {
    }
  }
  FAIL() << "the search makes no progress";
}

}  // namespace
}  // namespace lgn
