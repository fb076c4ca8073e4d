#include "lgn/identify/training/training.h"

#include <gtest/gtest.h>

#include <cmath>

#include "lgn/core/error.h"
#include "lgn/data/windows.h"
#include "lgn/dynamics/find_structure.h"
#include "lgn/flow/sample_runs.h"
#include "lgn/identify.h"
#include "tests/core/machine_epsilon.h"

namespace lgn {
namespace {

using testing::epsilon;

Dataset ladder_data(double noise = 0, double end = 10) {
  return sample_runs(ladder(Vector::Constant(2, 0.2), Vector::Ones(2), Vector::Ones(2)),
                     {.runs = 2, .end = end, .noise = noise});
}

const Matrix ladder_generator =
    ladder(Vector::Constant(2, 0.2), Vector::Ones(2), Vector::Ones(2)).a;

double relative_error(const Matrix& a) {
  return (a - ladder_generator).norm() / ladder_generator.norm();
}

TEST(Training, FindsTheGeneratorOfCleanData) {
  const auto structure = find_structure("sd", 4);
  const Fit trained = train(ladder_data(), structure);
  // Adam ends when its steps are 1e-12 of the parameters.
  EXPECT_LE(relative_error(trained.generator()), 1e-8);
  EXPECT_TRUE(trained.converged);
  EXPECT_EQ(trained.initial_states.cols(), 2);
  EXPECT_LE((structure->generator(trained.theta) - trained.generator()).norm(), 1e-14);
}

TEST(Training, IsTheSameForTheSameSeed) {
  FitOptions options;
  options.adam.epochs = 200;
  const auto structure = find_structure("full", 4);
  const Dataset data = ladder_data(0.05);
  const Fit one = train(data, structure, options), two = train(data, structure, options);
  EXPECT_EQ(one.generator(), two.generator());
  EXPECT_EQ(one.initial_states, two.initial_states);
  EXPECT_EQ(one.iterations, two.iterations);
  options.seed = 2;
  EXPECT_NE(train(data, structure, options).generator(), one.generator());
}

TEST(Training, DoesNotDependOnTheUnitOfTimeOrValues) {
  FitOptions options;
  options.adam.epochs = 300;
  const auto structure = find_structure("sd", 4);
  const Dataset data = ladder_data(0.05);
  const Matrix a = train(data, structure, options).generator();
  // Scaling by powers of two is exact, so that both trainings take the same steps but for rounding
  // in the rate, which a few hundred epochs carry on.
  EXPECT_LE((train(rescale_time(data, 1024), structure, options).generator() * 1024 - a).norm(),
            1e-9 * a.norm());
  std::vector<Trajectory> louder;
  for (const auto& run : data.runs())
    louder.emplace_back(run.label(), run.times(), 4096 * run.states());
  EXPECT_LE((train(Dataset(data.channels(), louder), structure, options).generator() - a).norm(),
            1e-9 * a.norm());
}

TEST(Training, KeepsMeasuredStartsWhenAsked) {
  FitOptions options;
  options.estimate_initial_states = false;
  options.adam.epochs = 50;
  const Dataset data = ladder_data(0.05);
  const Fit trained = train(data, find_structure("sd", 4), options);
  for (Index r = 0; r < 2; ++r)
    EXPECT_EQ(trained.initial_states.col(r),
              data.runs()[static_cast<std::size_t>(r)].states().col(0));
}

TEST(Training, StopsWhenToldTo) {
  FitOptions options;
  int calls = 0;
  options.observe = [&](const FitProgress& progress) {
    EXPECT_TRUE(progress.task.starts_with("training, horizon")) << progress.task;
    EXPECT_LE(progress.step, progress.steps);
    EXPECT_GE(progress.nrmse, 0);
    return ++calls < 10;
  };
  const Fit trained = train(ladder_data(), find_structure("sd", 4), options);
  EXPECT_EQ(calls, 10);
  EXPECT_EQ(trained.iterations, 10);
  EXPECT_FALSE(trained.converged);
  EXPECT_EQ(trained.initial_states.cols(), 2);
  EXPECT_TRUE(trained.generator().allFinite());
}

TEST(Training, RefusesWhatItCannotUse) {
  EXPECT_THROW(train(ladder_data(), find_structure("sd", 3)), Error);
  const Dataset still({"x"}, {Trajectory("1", Vector{{0.0, 1.0}}, Matrix::Zero(1, 2))});
  EXPECT_THROW(train(still, find_structure("sd", 1)), NotIdentified);
}

TEST(Identify, ReportsWhatItFound) {
  const Model model =
      identify(ladder_data(0.02, 30), {.structure = "sd", .holdout = 0.2, .time_unit = "ms"});
  EXPECT_EQ(model.structure, "sd");
  EXPECT_EQ(model.method, "mle");
  EXPECT_EQ(model.time_unit, "ms");
  EXPECT_EQ(model.channels, (std::vector<std::string>{"v1", "i1", "v2", "i2"}));
  EXPECT_EQ(model.dimension(), 4);
  EXPECT_EQ(model.starts.cols(), 2);
  EXPECT_EQ(model.data.runs, 2);
  EXPECT_EQ(model.data.samples, 600);
  EXPECT_NEAR(model.data.step, 0.1, 30 * epsilon);  // a difference of times up to 30
  EXPECT_EQ(model.modes.size(), 4u);
  EXPECT_TRUE(model.guarantee.dissipative);
  ASSERT_TRUE(model.energy.has_value());
  EXPECT_TRUE(model.fit.nrmse_holdout.has_value());
  EXPECT_TRUE(model.fit.converged);
  EXPECT_TRUE(model.warnings.empty());
  // 2% noise relative to the standard deviation; the data are a little larger than that.
  EXPECT_GT(model.fit.nrmse_train, 0.01);
  EXPECT_LT(model.fit.nrmse_train, 0.025);
}

std::vector<std::string> codes(const Model& model) {
  std::vector<std::string> all;
  for (const auto& warning : model.warnings) all.push_back(warning.code);
  return all;
}

TEST(Identify, WarnsAboutAWrongStructure) {
  EXPECT_EQ(codes(identify(ladder_data(), {.structure = "skew"})),
            std::vector<std::string>{"poor-fit"});
}

TEST(Identify, WarnsAboutTooFewValues) {
  const Dataset data({"a", "b", "c"}, {Trajectory("1", Vector{{0.0, 1.0}},
                                                  Matrix{{1.0, 2.0}, {2.0, 1.0}, {0.0, 1.0}})});
  EXPECT_EQ(codes(identify(data, {.structure = "psd"})).front(), "underdetermined");
}

TEST(Identify, WarnsWhenItRanOutOfTime) {
  const Model model = identify(ladder_data(0.1), {.max_seconds = 1e-6});
  EXPECT_FALSE(model.fit.converged);
  EXPECT_EQ(codes(model).front(), "not-converged");
}

TEST(Identify, StartsALawFromGivenConstants) {
  const Dataset data = sample_runs(rlc(3, 0.5), {.start = Vector{{1.0, 0.0}}});
  const Model model =
      identify(data, {.structure = "parametric:rlc", .start = {{"omega2", 8.0}, {"gamma", 0.4}}});
  EXPECT_NEAR(model.parameters[0].value(0, 0), 9, 1e-7);
  EXPECT_NEAR(model.parameters[1].value(0, 0), 0.5, 1e-7);
  const auto attempt = [&](const std::string& structure, const std::string& name, double value) {
    return identify(data, {.structure = structure, .start = {{name, value}}});
  };
  EXPECT_THROW(attempt("parametric:rlc", "omega3", 1), Error);
  EXPECT_THROW(attempt("parametric:rlc", "omega2", -1), Error);
  EXPECT_THROW(attempt("parametric:rlc", "gamma", -1), Error);
  EXPECT_THROW(attempt("parametric:rlc", "gamma", std::nan("")), Error);
  EXPECT_THROW(attempt("sd", "gamma", 1), Error);
}

TEST(Identify, RefusesInputsAndSizesBeyondNumbers) {
  const Vector times{{0.0, 1.0, 2.0}};
  const Matrix states{{1.0, 0.5, 0.25}};
  const auto with_input = [&](double u) {
    return Dataset({"x"}, {Trajectory("1", times, states, Matrix::Constant(1, 3, u))}, {"u"});
  };
  EXPECT_NO_THROW(identify(with_input(0)));
  EXPECT_THROW(identify(with_input(1)), Error);
  const auto scaled = [&](double value, double time) {
    return Dataset({"x"}, {Trajectory("1", time * times, value * states)});
  };
  for (const double size : {1e-200, 1e200}) {
    EXPECT_THROW(identify(scaled(size, 1)), Error);
    EXPECT_THROW(identify(scaled(1, size)), Error);
  }
  for (const double size : {1e-90, 1e90}) {
    EXPECT_NEAR(identify(scaled(size, 1)).a(0, 0), -std::log(2.0), 1e-6);
    EXPECT_NEAR(identify(scaled(1, size)).a(0, 0) * size, -std::log(2.0), 1e-6);
  }
}

TEST(Simulate, FollowsTheModel) {
  Model model;
  model.a = Matrix{{-1.0}};
  EXPECT_NEAR(simulate(model, Vector{{2.0}}, Vector{{3.0, 4.0}})(0, 1), 2 * std::exp(-1.0), 1e-15);
  EXPECT_THROW(simulate(model, Vector{{2.0, 1.0}}, Vector{{3.0, 4.0}}), Error);
}

}  // namespace
}  // namespace lgn
