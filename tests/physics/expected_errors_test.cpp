#include "lgn/physics/expected_errors.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "lgn/core/error.h"
#include "lgn/core/random.h"
#include "lgn/identify.h"
#include "lgn/model/plan_words.h"
#include "lgn/physics/measurement_plan.h"

namespace lgn {
namespace {

PlanOptions two_modes() {
  PlanOptions options;
  options.modes = {"3.2Hz,0.01", "7Hz,0.02"};
  options.duration = "5s";
  options.rate = "50Hz";
  options.noise = "0.01";
  return options;
}

double se(const MeasurementPlan& plan, std::size_t mode = 0) {
  return listed_modes(plan.expected, plan.system)[mode].se->damping_ratio;
}

// Information is a sum of squares over σ²: scaling it scales errors to the rounding of an inverse, whose condition is below 1e4 here.
constexpr double rounding = 1e-11;

TEST(ExpectedErrors, AreProportionalToTheNoise) {
  PlanOptions options = two_modes();
  const MeasurementPlan plan = plan_for_modes(options);
  options.noise = "0.03";
  const MeasurementPlan louder = plan_for_modes(options);
  for (const std::size_t mode : {0u, 1u})
    EXPECT_NEAR(se(louder, mode) / se(plan, mode), 3, 3 * rounding);
}

TEST(ExpectedErrors, FallWithTheSquareRootOfTheRuns) {
  PlanOptions options = two_modes();
  const MeasurementPlan plan = plan_for_modes(options);
  options.runs = "9";
  const MeasurementPlan more = plan_for_modes(options);
  EXPECT_NEAR(se(plan) / se(more), 3, 3 * rounding);
  EXPECT_EQ(more.expected.values, 9 * plan.expected.values);
  // Nine runs written out: initial states of their own, the same information.
  PlannedSystem nine = plan.system;
  nine.starts = plan.system.starts.replicate(1, 9);
  PlannedRecord record = plan.record;
  record.runs = 9;
  const Expectation whole = expect_errors(nine, record);
  EXPECT_NEAR(whole.modes[1].se->damping_ratio / more.expected.modes[1].se->damping_ratio, 1,
              rounding);
}

// Dense samples of one lightly damped mode, observed until it has died: the information of a continuous record,
// σ_λ ≈ σ/A √(16 α³ h) for Re λ and Im λ each (Fisher information of A e^(−αt) cos(ωt + φ), amplitude and phase eliminated):
// ∫ t² e^(−2αt) dt − (∫ t e^(−2αt) dt)²/∫ e^(−2αt) dt = 1/(8α³), halved by the mean of the squared cosine.
TEST(ExpectedErrors, AreThoseOfAContinuousDecay) {
  const double f = 5, zeta = 0.01, h = 1e-3, sigma = 0.01, omega = 2 * std::numbers::pi * f;
  PlanOptions options;
  options.modes = {"5Hz,0.01"};
  options.duration = "40s";  // 12 time constants
  options.rate = "1kHz";
  options.noise = "0.01";
  const MeasurementPlan plan = plan_for_modes(options);
  const double alpha = zeta * omega, known = sigma * std::sqrt(16 * alpha * alpha * alpha * h);
  const Mode mode = listed_modes(plan.expected, plan.system).front();
  // Terms at 2ω that this leaves out are of the order α/ω; so is the amplitude of a release, which is no pure cosine.
  EXPECT_NEAR(mode.se->re / known, 1, 3 * zeta);
  EXPECT_NEAR(mode.se->im / known, 1, 3 * zeta);
}

TEST(ExpectedErrors, NeverGrowWithTheRecordOrASensor) {
  PlanOptions options = two_modes();
  options.modes = {"3.2Hz,0.01,1,0.4", "7Hz,0.02,0.3,1"};
  options.sensors = {"y1"};
  const MeasurementPlan plan = plan_for_modes(options);
  for (std::size_t k = 1; k < plan.durations.size(); ++k) {
    const auto &before = plan.durations[k - 1].expected, &after = plan.durations[k].expected;
    if (!before || !after) continue;
    EXPECT_LE(after->modes[1].se->re, before->modes[1].se->re * (1 + rounding));
  }
  ASSERT_EQ(plan.sensors.size(), 1u);
  EXPECT_GT(plan.sensors[0].gain, 0);
  EXPECT_LT(plan.sensors[0].expected.modes[3].se->re, plan.expected.modes[3].se->re);
}

TEST(ExpectedErrors, AreThoseThatAFitReports) {
  PlanOptions options = two_modes();
  options.noise = "0.001";
  const MeasurementPlan plan = plan_for_modes(options);
  const Dataset exact = planned_signals(plan.system, plan.record);
  Random random(3);
  const Trajectory& run = exact.runs().front();
  const Dataset noisy(
      exact.channels(),
      {Trajectory("1", run.times(), run.states() + 0.001 * random.normals(1, run.samples()))});
  FitOptions how;
  how.states = States::given;
  how.state_count = 4;
  how.record = Record::free;
  how.offset = Offset::none;
  const Model model = identify(noisy, how);
  const std::vector<Mode> expected = plan.expected.modes;
  ASSERT_EQ(model.modes.size(), expected.size());
  for (std::size_t k = 0; k < expected.size(); ++k) {
    // The fit estimates σ from 251 samples, known to 1/√500 = 4.5%: three of these.
    EXPECT_NEAR(model.modes[k].se->damping_ratio / expected[k].se->damping_ratio, 1, 0.14);
    EXPECT_NEAR(model.modes[k].se->frequency_hz / expected[k].se->frequency_hz, 1, 0.14);
  }
}

TEST(MeasurementPlan, NeedsMeetTheWants) {
  PlanOptions options = two_modes();
  options.wants = {"zeta<0.5%", "f1<0.001Hz"};
  const MeasurementPlan plan = plan_for_modes(options);
  const double now = shortfall(plan.expected, plan.system, plan.wants);
  ASSERT_GT(now, 1);
  for (const PlanNeed& need : plan.needs) {
    if (!need.value) continue;
    PlannedRecord changed = plan.record;
    if (need.what == "duration") changed.duration = *need.value;
    if (need.what == "rate") changed.rate = *need.value;
    if (need.what == "runs") changed.runs = static_cast<Index>(*need.value);
    if (need.what == "noise") changed.noise *= *need.value * (1 - rounding);
    EXPECT_LE(shortfall(expect_errors(plan.system, changed), plan.system, plan.wants), 1)
        << need.what;
  }
  ASSERT_TRUE(plan.needs[1].value);
  // A rate that is 3% slower does not: needs are found to 1%, and rounded up by 1% at most.
  PlannedRecord slower = plan.record;
  slower.rate = 0.97 * *plan.needs[1].value;
  EXPECT_GT(shortfall(expect_errors(plan.system, slower), plan.system, plan.wants), 1);
}

TEST(MeasurementPlan, DrivenTestsCompareInputs) {
  PlanOptions options = two_modes();
  MeasurementPlan plan = plan_for_modes(options);
  PlannedSystem system = plan.system;
  system.drive.b = Matrix::Zero(4, 1);
  system.drive.b(1, 0) = system.drive.b(3, 0) = 1;
  PlannedRecord record = plan.record;
  record.duration = 10;
  const MeasurementPlan driven = plan_measurement(system, record);
  ASSERT_EQ(driven.inputs.size(), 4u);
  for (std::size_t k = 1; k < 4; ++k)
    EXPECT_GE(driven.inputs[k - 1].expected.information, driven.inputs[k].expected.information);
  // Twice the force is half the error.
  record.amplitude = 2;
  const Expectation louder = expect_errors(system, record);
  EXPECT_NEAR(driven.expected.modes[1].se->re / louder.modes[1].se->re, 2, 1e-8);
}

TEST(PlanWords, AreRefusedWhereTheyMeanNothing) {
  const auto refused = [](auto change) {
    PlanOptions options = two_modes();
    change(options);
    EXPECT_THROW(plan_for_modes(options), Error);
  };
  refused([](PlanOptions& o) { o.rate = "13Hz"; });
  refused([](PlanOptions& o) { o.rate = "fast"; });
  refused([](PlanOptions& o) { o.duration = "-1s"; });
  refused([](PlanOptions& o) { o.duration = "10ms"; });
  refused([](PlanOptions& o) { o.runs = "0"; });
  refused([](PlanOptions& o) { o.noise = "0%"; });
  refused([](PlanOptions& o) { o.modes = {"3Hz,1.2"}; });
  refused([](PlanOptions& o) { o.modes = {}; });
  refused([](PlanOptions& o) { o.sensors = {"y2"}; });
  refused([](PlanOptions& o) { o.wants = {"zeta3<1%"}; });
  refused([](PlanOptions& o) { o.input = "chirp"; });
  EXPECT_THROW(parse_want("zeta>5%"), Error);
  EXPECT_THROW(parse_want("zeta<0%"), Error);
  EXPECT_DOUBLE_EQ(parse_want("f2 < 0.01Hz").limit, 0.01);
  EXPECT_EQ(parse_want("f2 < 0.01Hz").mode, 2);
  EXPECT_DOUBLE_EQ(parse_want("tau<10ms").limit, 0.01);
}

}  // namespace
}  // namespace lgn
