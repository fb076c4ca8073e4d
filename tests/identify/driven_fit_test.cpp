#include "lgn/identify/driven/driven_fit.h"

#include <gtest/gtest.h>

#include <cmath>

#include "lgn/core/error.h"
#include "lgn/core/random.h"
#include "lgn/dynamics/systems.h"
#include "lgn/flow/excitation.h"
#include "lgn/flow/forced_response.h"
#include "lgn/identify.h"
#include "lgn/identify/driven/experiment_checks.h"
#include "lgn/model/model_file.h"
#include "lgn/physics/assignment.h"

namespace lgn::testing {
namespace {

/// Two masses under a force on the first; `channels`: the states that are shown.
Dataset driven_masses(const InputTiming& timing, const std::vector<Index>& channels, double noise,
                      bool uneven = false, Index runs = 1) {
  const System system = mass_spring(2, 1, 1, 0.2);
  Random random(3);
  std::vector<std::string> names;
  for (const Index c : channels) names.push_back(system.channels[static_cast<std::size_t>(c)]);
  std::vector<Trajectory> all;
  for (Index r = 0; r < runs; ++r) {
    Vector times = Vector::LinSpaced(300, 0, 59.8);
    if (uneven)
      for (Index k = 1; k < 300; ++k) times[k] += 0.08 * std::sin(static_cast<double>(k * k));
    const Matrix u = excitation("steps", times, random).transpose();
    const Matrix x =
        forced_states(system.a, random.normals(4), system.b, input_course(times, u, timing));
    Matrix y(static_cast<Index>(channels.size()), 300);
    for (Index c = 0; c < y.rows(); ++c) y.row(c) = x.row(channels[static_cast<std::size_t>(c)]);
    y += noise * random.normals(y.rows(), 300);
    all.emplace_back(std::to_string(r), times, y.array() + 0.5, u);
  }
  return Dataset(names, all, {"u"});
}

double worst_pole_error(const Model& model) {
  const ComplexVector truth = eigenvalues(mass_spring(2, 1, 1, 0.2).a);
  return match_eigenvalues(truth, eigenvalues(model.a)).distance.maxCoeff();
}

FitOptions four_states(InputHold hold) {
  FitOptions options;
  options.states = States::given;
  options.state_count = 4;
  options.hold = hold;
  options.feedthrough = Feedthrough::no;
  return options;
}

TEST(DrivenFit, IsExactWithoutNoise) {
  for (const Hold hold : {Hold::zoh, Hold::foh}) {
    const auto how = four_states(hold == Hold::zoh ? InputHold::zoh : InputHold::foh);
    const Dataset data = driven_masses({hold, 0}, {0}, 0, true, 2);
    const Model model = identify(data, how);
    // The search ends where no parameter moves by 1e-4 of its error, the noise taken for 1e-6 of the signal at least.
    EXPECT_LE(worst_pole_error(model), 1e-6);
    EXPECT_EQ(model.record, "driven");
    EXPECT_EQ(model.inputs, data.inputs());
    EXPECT_EQ(model.drive.b.rows(), 4);
    EXPECT_EQ(model.drive.d.size(), 0);
    EXPECT_LE(model.fit.nrmse_train, 1e-6);
    const Matrix again =
        model.propagate(model.starts.col(1), data.runs()[1].times(), data.runs()[1].inputs());
    EXPECT_LE((again - data.runs()[1].states()).norm(), 1e-5 * again.norm());
  }
}

TEST(DrivenFit, ChoosesHoldFeedthroughAndOrder) {
  for (const Hold hold : {Hold::zoh, Hold::foh}) {
    const Model model = identify(driven_masses({hold, 0}, {0, 1}, 0.003));
    EXPECT_EQ(model.dimension(), 4);
    EXPECT_EQ(model.drive.timing.hold, hold);
    EXPECT_EQ(model.drive.d.size(), 0);
    ASSERT_TRUE(model.modes[0].se);
    EXPECT_LE(worst_pole_error(model), 0.01);  // three times its largest standard error
  }
}

TEST(DrivenFit, FindsTheDelay) {
  FitOptions options = four_states(InputHold::zoh);
  options.delay = Delay::automatic;
  const Model model = identify(driven_masses({Hold::zoh, 0.27}, {0, 1}, 3e-4), options);
  // Its standard error is about 0.0015; the search ends within 0.004.
  EXPECT_NEAR(model.drive.timing.delay, 0.27, 0.01);
  EXPECT_LE(worst_pole_error(model), 0.001);
}

TEST(DrivenFit, TakesStructuresWhoseStatesAreMeasured) {
  const System system = mass_spring(2, 1, 1, 0.2);
  const Dataset data = driven_masses({Hold::zoh, 0}, {0, 1, 2, 3}, 0.003);
  for (const char* name : {"metric", "full"}) {
    FitOptions options;
    options.structure = name;
    options.hold = InputHold::zoh;
    const Model model = identify(data, options);
    EXPECT_EQ(model.structure, name);
    EXPECT_FALSE(model.hidden());
    EXPECT_LE((model.a - system.a).norm(), 0.05 * system.a.norm());
    EXPECT_LE((model.drive.b - system.b).norm(), 0.05);
    ASSERT_EQ(model.b_errors.rows(), 4);
    for (Index i = 0; i < 4; ++i)
      EXPECT_LE(std::abs(model.drive.b(i, 0) - system.b(i, 0)), 4 * model.b_errors(i, 0));
  }
}

TEST(DrivenFit, SurvivesItsFile) {
  FitOptions options = four_states(InputHold::foh);
  options.feedthrough = Feedthrough::yes;
  options.delay_value = 0.1;
  const Dataset data = driven_masses({Hold::foh, 0.1}, {0, 1}, 0.003);
  const Model model = identify(data, options);
  const Model read = model_from_json(model_to_json(model), "model");
  EXPECT_EQ(read.drive.b, model.drive.b);
  EXPECT_EQ(read.drive.d, model.drive.d);
  EXPECT_EQ(read.b_errors, model.b_errors);
  EXPECT_EQ(read.d_errors, model.d_errors);
  EXPECT_EQ(read.drive.timing.hold, Hold::foh);
  EXPECT_EQ(read.drive.timing.delay, 0.1);
  EXPECT_EQ(read.inputs, model.inputs);
  // Initial states are found beside inputs; the noise that weighs channels has other degrees of freedom than in the fit.
  const Matrix starts = fitted_initial_states(read, data);
  EXPECT_LE((starts - model.starts).norm(), 1e-4 * model.starts.norm());
}

TEST(DrivenFit, SaysWhenInputsComeLate) {
  const Dataset data = driven_masses({Hold::zoh, 0}, {0, 2}, 0.003);
  const Trajectory& run = data.runs().front();
  Matrix late = run.inputs();
  late.rightCols(297) = run.inputs().leftCols(297);
  const Dataset shifted(data.channels(), {Trajectory("1", run.times(), run.states(), late)}, {"u"});
  const auto warned = [](const Model& model) {
    return std::any_of(model.warnings.begin(), model.warnings.end(),
                       [](const Warning& w) { return w.code == "late-input"; });
  };
  EXPECT_TRUE(warned(identify(shifted, four_states(InputHold::zoh))));
  EXPECT_FALSE(warned(identify(data, four_states(InputHold::zoh))));
}

// A held input that is one sample late is explained exactly by a feedthrough, so that residuals say nothing.
TEST(DrivenFit, SaysWhenInputsAreOneSampleLate) {
  const Dataset data = driven_masses({Hold::zoh, 0}, {0, 2}, 0.003);
  const Trajectory& run = data.runs().front();
  Matrix late = run.inputs();
  late.rightCols(299) = run.inputs().leftCols(299);
  const Dataset shifted(data.channels(), {Trajectory("1", run.times(), run.states(), late)}, {"u"});
  FitOptions open = four_states(InputHold::automatic);
  open.feedthrough = Feedthrough::automatic;
  const auto warned = [](const Model& model) {
    return std::any_of(model.warnings.begin(), model.warnings.end(), [](const Warning& w) {
      return w.code == "late-input" && w.message.find("one sample") != std::string::npos;
    });
  };
  EXPECT_TRUE(warned(identify(shifted, open)));
  EXPECT_FALSE(warned(identify(data, open)));
  // A feedthrough of its own, as an accelerometer beside the force has, is no lateness.
  Matrix felt = run.states();
  felt.row(0) += run.inputs();
  const Dataset fed(data.channels(), {Trajectory("1", run.times(), felt, run.inputs())}, {"u"});
  const Model model = identify(fed, open);
  EXPECT_GT(model.drive.d.size(), 0);
  EXPECT_FALSE(warned(model));
}

TEST(ExperimentChecks, RefuseInputsThatShowNothing) {
  const Vector times = Vector::LinSpaced(20, 0, 19);
  Random random(9);
  const Matrix y = random.normals(1, 20);
  const auto with = [&](const Matrix& u) {
    return Dataset({"y"}, {Trajectory("1", times, y, u)}, {"u"});
  };
  Matrix step = Matrix::Zero(1, 20);
  step(0, 19) = 1;
  EXPECT_THROW(check_experiment(with(Matrix::Ones(1, 20))), NotIdentified);
  EXPECT_THROW(check_experiment(with(step)), NotIdentified);
  EXPECT_THROW(check_experiment(with(2 * y.array() + 1)), NotIdentified);
  EXPECT_NO_THROW(check_experiment(with(random.normals(1, 20))));
}

TEST(ExperimentChecks, CountWhatASumOfSinesExcites) {
  const Vector times = Vector::LinSpaced(200, 0, 19.9);
  const Matrix two =
      (2 * times.array()).sin().transpose() + (3.3 * times.array()).cos().transpose();
  const Dataset data({"y"}, {Trajectory("1", times, two, two)}, {"u"});
  EXPECT_EQ(excitation_order(data, 10), 4);
  EXPECT_EQ(excitation_order(data, 3), 3);
}

}  // namespace
}  // namespace lgn::testing
