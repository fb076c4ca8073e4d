#include "experiments/baselines/lbfgs_generator.h"

#include <gtest/gtest.h>

#include <cmath>

#include "experiments/baselines/port_hamiltonian.h"
#include "experiments/baselines/softplus_sd.h"
#include "experiments/identification/data.h"
#include "experiments/identification/poles.h"
#include "lgn/core/error.h"
#include "lgn/flow/propagate.h"
#include "lgn/identify/training/gradient_check.h"

namespace lgn::studies {
namespace {

constexpr double step = 0.1;

/// A damped pair of states, λ = −0.25 ± 1.499i.
Matrix pair() { return Matrix{{-0.2, -1.5}, {1.5, -0.3}}; }

Dataset runs_of(const Matrix& a) {
  const Vector times = even_times(step, 100);
  return Dataset({"x", "y"}, {Trajectory("1", times, propagate(a, Vector{{1, 0}}, times)),
                              Trajectory("2", times, propagate(a, Vector{{0.3, -1}}, times))});
}

TEST(LbfgsGenerator, HasExactGradientsInTheParameters) {
  Random random(1);
  const System system = uniform_ladder(3);
  const Dataset data = with_noise(exact_runs(system, {even_times(step, 50)}, random), 0.1, random);
  const PortHamiltonianStructure structure(6);
  for (const GeneratorLoss& loss : {window_loss(data), trajectory_loss(data)}) {
    const Objective objective = objective_of(loss, structure);
    const Vector theta = structure.random_start(random);
    Vector gradient, unused;
    objective(theta, gradient);
    const auto value = [&](const Vector& x) { return objective(x, unused); };
    // As in generator_loss_test.cpp: (1e-3)⁴ t⁵ for t ≤ 5, and rounding ε/1e-3.
    EXPECT_LE(check_gradient(value, theta, gradient).error, 1e-8);
  }
}

TEST(LbfgsGenerator, IsBiasedByTheIntegratorItLearnsWith) {
  // RK4 of A' is exp(hA) where P(z') = eᶻ, so λ' − λ = λ (λh)⁴/120 to first order; the next order
  // is 5/6 |λh| = 13% of it.
  const double modulus = std::abs(eigenvalues(pair())[0]);
  const double predicted = std::pow(modulus * step, 4) / 120;
  const TrainedGenerator found =
      train_lbfgs(window_loss(runs_of(pair())), PortHamiltonianStructure(2));
  const double error = compare_poles(found.generator, pair()).relative.mean();
  EXPECT_NEAR(error, predicted, 0.2 * predicted);
}

TEST(LbfgsGenerator, IsExactWithTheExponential) {
  const PortHamiltonianStructure structure(2);
  const auto error = [&](const GeneratorLoss& loss) {
    const TrainedGenerator found = train_lbfgs(loss, structure, {.restarts = 2});
    return compare_poles(found.generator, pair()).relative.maxCoeff();
  };
  // Six decades below the 4e-6 of RK4: what is left is the end of the search, not the model.
  EXPECT_LE(error(window_loss(runs_of(pair()), {.map = StepMap::exponential})), 4e-12);
  EXPECT_LE(error(trajectory_loss(runs_of(pair()))), 4e-12);
}

TEST(LbfgsGenerator, LearnsAStiffLadderFromWholeRuns) {
  const System system = ladder(Vector{{0.01, 0.1, 1.0}}, Vector::Ones(3), Vector::Ones(3));
  Random random(1);
  const Dataset data = exact_runs(system, std::vector<Vector>(5, even_times(step, 200)), random);
  const TrainedGenerator found = train_lbfgs(trajectory_loss(data), SoftplusSdStructure(6));
  // The project's bar for appendix A.2.
  EXPECT_LE(compare_poles(found.generator, system.a).relative.maxCoeff(), 1e-9);
}

TEST(LbfgsGenerator, KeepsTheBestOfItsRestarts) {
  const GeneratorLoss loss = trajectory_loss(runs_of(pair()));
  const SoftplusSdStructure structure(2);
  const LbfgsOptions coarse{.loss_tolerance = 1e-6};
  const TrainedGenerator one = train_lbfgs(loss, structure, {.restarts = 1, .lbfgs = coarse});
  const TrainedGenerator five = train_lbfgs(loss, structure, {.lbfgs = coarse});
  EXPECT_LE(five.loss, one.loss);
  EXPECT_GT(five.evaluations, one.evaluations);
  Matrix unused;
  EXPECT_EQ(loss(five.generator, unused), five.loss);
  const TrainedGenerator same = train_lbfgs(loss, structure, {.lbfgs = coarse});
  EXPECT_TRUE(same.theta == five.theta);
}

TEST(LbfgsGenerator, IsEndedByItsObserver) {
  LbfgsTraining options;
  options.lbfgs.observe = [](int evaluation, double) { return evaluation < 4; };
  const TrainedGenerator found =
      train_lbfgs(trajectory_loss(runs_of(pair())), SoftplusSdStructure(2), options);
  EXPECT_TRUE(found.stopped);
  EXPECT_EQ(found.evaluations, 4);
}

TEST(LbfgsGenerator, SaysWhereNothingIsFinite) {
  const GeneratorLoss nowhere = [](const Matrix& a, Matrix& gradient) {
    gradient = a;
    return std::nan("");
  };
  EXPECT_THROW(train_lbfgs(nowhere, SoftplusSdStructure(2)), NotIdentified);
}

}  // namespace
}  // namespace lgn::studies
