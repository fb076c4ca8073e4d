#include "lgn/identify/driven/residual_checks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "lgn/core/error.h"
#include "lgn/core/random.h"
#include "lgn/dynamics/systems.h"
#include "lgn/flow/excitation.h"
#include "lgn/flow/forced_response.h"
#include "lgn/identify.h"
#include "lgn/identify/driven/experiment_checks.h"

namespace lgn::testing {
namespace {

constexpr Index samples = 300;
constexpr double kStep = 0.2;

struct Experiment {
  double noise = 0.02;
  double feedback = 0;   ///< of the measured position on the force of the next sample
  double hardening = 0;  ///< of the first spring
  double quadratic = 0;  ///< part of the input's square that is added to the force
  double size = 2;       ///< of the excitation
  std::string input = "random";
};

/// Two masses under a force on the first, which is held, by Runge and Kutta's method; the first position is shown.
Dataset record(const Experiment& how, std::uint64_t seed) {
  const System system = mass_spring(2, 1, 1, 0.2);
  Random random(seed);
  const Vector times = Vector::LinSpaced(samples, 0, kStep * (samples - 1));
  Matrix u = how.size * excitation(how.input, times, random).transpose(), y(1, samples);
  Vector x = 0.3 * random.normals(4);
  for (Index k = 0; k < samples; ++k) {
    y(0, k) = x[0] + how.noise * random.normal();
    if (k + 1 < samples) u(0, k + 1) -= how.feedback * y(0, k);
    const double force = u(0, k) + how.quadratic * u(0, k) * u(0, k);
    const auto slope = [&](const Vector& at) -> Vector {
      Vector result = system.a * at + system.b * force;
      result -= how.hardening * system.b * std::pow(at[0], 3);
      return result;
    };
    constexpr int pieces = 4;
    for (int i = 0; i < pieces; ++i) {
      constexpr double h = kStep / pieces;
      const Vector a = slope(x), b = slope(x + h / 2 * a), c = slope(x + h / 2 * b),
                   d = slope(x + h * c);
      x += h / 6 * (a + 2 * b + 2 * c + d);
    }
  }
  return Dataset({"q1"}, {Trajectory("1", times, y, u)}, {"u"});
}

FitOptions four_states() {
  FitOptions options;
  options.states = States::given;
  options.state_count = 4;
  options.hold = InputHold::zoh;
  options.feedthrough = Feedthrough::no;
  return options;
}

std::string message(const Model& model, const std::string& code) {
  for (const Warning& warning : model.warnings)
    if (warning.code == code) return warning.message;
  return {};
}

TEST(ResidualChecks, SayNothingOfACleanExperiment) {
  // Family-wise one in a hundred for feedback and one in a thousand for nonlinearity: 20 records, most without any.
  int feedback = 0, nonlinear = 0, weak = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const Model model =
        identify(record({.input = seed % 2 ? "random" : "steps"}, seed), four_states());
    feedback += !message(model, "feedback").empty();
    nonlinear += !message(model, "nonlinear").empty();
    weak += !message(model, "weak-excitation").empty();
    EXPECT_EQ(message(model, "clipped"), "");
    EXPECT_EQ(message(model, "stuck"), "");
    EXPECT_EQ(message(model, "late-input"), "");
  }
  EXPECT_LE(feedback, 1);
  EXPECT_EQ(nonlinear, 0);
  EXPECT_EQ(weak, 0);
}

TEST(ResidualChecks, SuspectFeedback) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const Model model =
        identify(record({.noise = 0.3, .feedback = 2, .size = 1}, seed), four_states());
    EXPECT_NE(message(model, "feedback").find("u 1 sample later"), std::string::npos) << seed;
  }
}

TEST(ResidualChecks, SeeAStiffeningSpring) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const Model model = identify(record({.hardening = 0.05}, seed), four_states());
    EXPECT_NE(message(model, "nonlinear").find("depends on the amplitude"), std::string::npos)
        << seed << message(model, "nonlinear");
  }
}

TEST(ResidualChecks, SeeAnActuatorThatIsNotLinear) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const Model model = identify(record({.quadratic = 0.1}, seed), four_states());
    EXPECT_NE(message(model, "nonlinear").find("even"), std::string::npos) << seed;
  }
}

TEST(ExperimentChecks, NameTheModesThatInputsDoNotShow) {
  // Equal forces on both masses do not move them against each other, as the initial state does.
  const System system = mass_spring(2, 1, 1, 0.2);
  Random random(5);
  const Vector times = Vector::LinSpaced(samples, 0, kStep * (samples - 1));
  const Matrix u = excitation("random", times, random).transpose();
  const Matrix both = system.b + Vector::Unit(4, 3);
  const Matrix x = forced_states(system.a, Vector{{1, -0.5, 0, 0}}, both,
                                 input_course(times, u, {Hold::zoh, 0}));
  const Matrix y = x.topRows(1) + 0.02 * random.normals(1, samples);
  const Dataset data({"q1"}, {Trajectory("1", times, y, u)}, {"u"});
  const std::string text = message(identify(data, four_states()), "weak-excitation");
  const auto found = text.find(" Hz");
  ASSERT_NE(found, std::string::npos) << text;
  const auto begin = text.rfind(' ', found - 1);
  // √3 rad/s, to 5%, as it is known from the initial motion alone.
  const double frequency = std::sqrt(3.0) / (2 * std::numbers::pi);
  EXPECT_NEAR(std::stod(text.substr(begin)), frequency, 0.05 * frequency) << text;
}

TEST(ExperimentChecks, NameClippedAndStuckSignals) {
  const Dataset data = record({}, 1);
  const Trajectory& run = data.runs().front();
  const double limit = 0.4 * run.states().cwiseAbs().maxCoeff();
  const Dataset clipped(
      {"q1"}, {Trajectory("1", run.times(), run.states().cwiseMin(limit), run.inputs())}, {"u"});
  EXPECT_NE(message(identify(clipped, four_states()), "clipped").find("channel q1"),
            std::string::npos);
  Matrix u = run.inputs();
  u.middleCols(100, 60).setConstant(u(0, 100));
  const Dataset stuck({"q1"}, {Trajectory("1", run.times(), run.states(), u)}, {"u"});
  EXPECT_NE(message(identify(stuck, four_states()), "stuck").find("input u"), std::string::npos);
}

TEST(ExperimentChecks, RefuseAnInputThatRepeatsAChannel) {
  const Dataset data = record({}, 1);
  const Trajectory& run = data.runs().front();
  for (const Index late : {1, 2}) {
    Matrix u = Matrix::Zero(1, samples);
    u.rightCols(samples - late) = -3 * run.states().leftCols(samples - late);
    const Dataset copied({"q1"}, {Trajectory("1", run.times(), run.states(), u)}, {"u"});
    EXPECT_THROW(check_experiment(copied), NotIdentified);
    ASSERT_EQ(experiment_remarks(copied).size(), 1u);
  }
  EXPECT_TRUE(experiment_remarks(data).empty());
}

}  // namespace
}  // namespace lgn::testing
