#include "lgn/identify/driven/passive_fit.h"

#include <gtest/gtest.h>

#include <cmath>

#include "lgn/core/error.h"
#include "lgn/core/random.h"
#include "lgn/dynamics/port_hamiltonian.h"
#include "lgn/dynamics/systems.h"
#include "lgn/flow/excitation.h"
#include "lgn/flow/forced_response.h"
#include "lgn/identify.h"
#include "lgn/model/model_response.h"
#include "lgn/physics/assignment.h"

namespace lgn::testing {
namespace {

/// Masses in a row, and the velocity where the force acts, on the first: one port.
SquareSystem mobility(Index masses = 2, double damping = 0.2) {
  const System system = mass_spring(masses, 1, 1, damping);
  return {system.a, system.b, system.b.transpose(), Matrix::Zero(1, 1)};
}

/// 300 samples from rest, with noise of so many parts of the signal.
Dataset record(const SquareSystem& system, double noise, std::uint64_t seed) {
  Random random(seed);
  const Vector times = Vector::LinSpaced(300, 0, 59.8);
  const Matrix u = random.normals(system.b.cols(), 300);
  const InputCourse course = input_course(times, u, {Hold::zoh, 0});
  Matrix y = system.c * forced_states(system.a, Vector::Zero(system.a.rows()), system.b, course) +
             system.d * u;
  y += noise * std::sqrt(y.squaredNorm() / static_cast<double>(y.size())) *
       random.normals(y.rows(), 300);
  std::vector<std::string> outputs, inputs;
  for (Index k = 0; k < y.rows(); ++k) {
    outputs.push_back("y" + std::to_string(k + 1));
    inputs.push_back("u" + std::to_string(k + 1));
  }
  return Dataset(outputs, {Trajectory("1", times, y, u)}, inputs);
}

FitOptions passive_states(Index states, bool passive = true) {
  FitOptions options;
  options.states = States::given;
  options.state_count = states;
  options.hold = InputHold::zoh;
  options.passive = passive;
  return options;
}

SquareSystem system_of(const Model& model) {
  const Index m = model.drive.b.cols();
  return {model.a, model.drive.b, model.c,
          model.drive.d.size() > 0 ? model.drive.d : Matrix::Zero(m, m)};
}

ComplexMatrix response(const SquareSystem& s, double frequency) {
  ComplexMatrix shifted = -s.a.cast<Complex>();
  shifted.diagonal().array() += Complex(0, frequency);
  return s.c.cast<Complex>() * shifted.inverse() * s.b.cast<Complex>() + s.d.cast<Complex>();
}

const Vector frequencies = Vector::LinSpaced(400, 0.01, 15);

/// Root mean square of the difference between transfer functions, relative to the second.
double distance(const SquareSystem& found, const SquareSystem& truth) {
  double error = 0, size = 0;
  for (const double w : frequencies) {
    error += (response(found, w) - response(truth, w)).squaredNorm();
    size += response(truth, w).squaredNorm();
  }
  return std::sqrt(error / size);
}

/// The least real part, relative to the largest response.
double least_real(const SquareSystem& system) {
  double least = least_real_part(system, 0), largest = 0;
  for (const double w : frequencies) {
    least = std::min(least, least_real_part(system, w));
    largest = std::max(largest, response(system, w).norm());
  }
  return least / largest;
}

// Rounding of a resolvent whose poles are 1/100 of their size away from the axis.
constexpr double rounding = 1e-12;

TEST(PassiveFit, IsPassiveWhereTheFreeFitNeedNotBe) {
  for (const std::uint64_t seed : {1u, 2u}) {
    const Model model = identify(record(mobility(), 0.3, seed), passive_states(4));
    EXPECT_EQ(model.structure, "port-hamiltonian");
    EXPECT_TRUE(model.guarantee.passive);
    ASSERT_TRUE(model.passivity);
    EXPECT_NO_THROW(check_passivity(system_of(model), *model.passivity));
    EXPECT_GE(least_real(system_of(model)), -rounding);
    EXPECT_LE(distance(system_of(model), mobility()), 0.5);
    for (const Mode& mode : model.modes) EXPECT_TRUE(mode.se);
  }
}

/// How many of the 95% bands of |H| at some frequencies hold the truth.
int covering(const Model& model, const SquareSystem& truth, const Vector& at) {
  const auto found = frequency_responses(transfer_function(model), at);
  const Vector errors = found.front().magnitude_errors();
  int inside = 0;
  for (Index k = 0; k < at.size(); ++k)
    inside += std::abs(std::abs(found.front().values[k]) - response(truth, at[k]).norm()) <=
              model.fit.interval * errors[k];
  return inside;
}

TEST(PassiveFit, HasBandsOfItsResponse) {
  const Vector at = Vector::LinSpaced(5, 0.3, 2.3);
  int inside = 0, poles = 0;
  constexpr int repeats = 8;
  for (std::uint64_t seed = 1; seed <= repeats; ++seed) {
    const Model model = identify(record(mobility(), 0.1, seed), passive_states(4));
    ASSERT_TRUE(model.system_errors.known());
    inside += covering(model, mobility(), at);
    const ComplexVector truth = eigenvalues(mobility().a);
    for (const Mode& mode : model.modes) {
      const double apart = (truth.array() - mode.pole).abs().minCoeff();
      poles += apart <= 2.45 * std::hypot(mode.se->re, mode.se->im);
    }
  }
  // Of 40 bands of 95% with about three independent ones in a record, 24 in all, fewer than 18 cover by chance in one of 10⁴; of the
  // 32 poles, 16 independent ones, within 2.45 standard errors (95% of a plane), fewer than 24 in one of 10³.
  EXPECT_GE(inside, 30);
  EXPECT_GE(poles, 24);
}

TEST(PassiveFit, IsExactWithoutNoise) {
  const Model model = identify(record(mobility(), 0, 3), passive_states(4));
  // The truth has a zero at ω = 0, on the edge of passivity, which squares approach with the root of the precision.
  EXPECT_LE(distance(system_of(model), mobility()), 1e-4);
}

TEST(PassiveFit, HasSeveralPorts) {
  Random random(5);
  const PortHamiltonianStructure structure(4, 2, true);
  Vector theta = 0.3 * structure.random_start(random);
  theta.head(2) << 1, 2.5;
  const SquareSystem truth = structure.system(theta);
  const Dataset data = record(truth, 0.05, 6);
  const Model model = identify(data, passive_states(4));
  EXPECT_GE(least_real(system_of(model)), -rounding);
  EXPECT_LE(distance(system_of(model), truth), 0.1);
  const Model free = identify(data, passive_states(4, false));
  EXPECT_LE(model.fit.nrmse_train, 1.02 * free.fit.nrmse_train);
}

TEST(PassiveFit, SaysWhereAPortIsReversed) {
  SquareSystem reversed = mobility();
  reversed.c = -reversed.c;
  FitOptions options = passive_states(4);
  options.max_iterations = 20;
  options.feedthrough = Feedthrough::yes;
  options.errors = Errors::never;
  const Model model = identify(record(reversed, 0.05, 4), options);
  EXPECT_GE(least_real(system_of(model)), -rounding);
  EXPECT_TRUE(std::any_of(model.warnings.begin(), model.warnings.end(),
                          [](const Warning& w) { return w.code == "not-passive"; }));
}

TEST(PassiveFit, RefusesWhatHasNoPorts) {
  const Dataset data = record(mobility(), 0.1, 7);
  const Trajectory& run = data.runs().front();
  const Dataset two({"a", "b"},
                    {Trajectory("1", run.times(), run.states().replicate(2, 1), run.inputs())},
                    {"u"});
  EXPECT_THROW(identify(two, passive_states(4)), Error);
  EXPECT_THROW(
      identify(Dataset({"a"}, {Trajectory("1", run.times(), run.states())}), passive_states(4)),
      Error);
  FitOptions late = passive_states(4);
  late.delay_value = 0.1;
  EXPECT_THROW(identify(data, late), Error);
  FitOptions named = passive_states(4);
  named.structure = "sd";
  EXPECT_THROW(identify(data, named), Error);
}

TEST(PassiveFit, IsCloserToTheTruthSlow) {
  double with = 0, without = 0;
  int passive = 0, free_passive = 0;
  constexpr int seeds = 20;
  const SquareSystem truth = mobility(3, 0.05);
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    const Dataset data = record(truth, 0.3, seed);
    const SquareSystem held = system_of(identify(data, passive_states(6)));
    const SquareSystem free = system_of(identify(data, passive_states(6, false)));
    with += distance(held, truth) / seeds;
    without += distance(free, truth) / seeds;
    passive += least_real(held) >= -rounding ? 1 : 0;
    free_passive += least_real(free) >= -rounding ? 1 : 0;
  }
  RecordProperty("passive", passive);
  RecordProperty("free_passive", free_passive);
  RecordProperty("distance", std::to_string(with));
  RecordProperty("free_distance", std::to_string(without));
  EXPECT_EQ(passive, seeds);
  EXPECT_LT(free_passive, seeds);
  EXPECT_LT(with, without);
}

}  // namespace
}  // namespace lgn::testing
