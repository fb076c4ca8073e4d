#include "experiments/baselines/adam_generator.h"

#include <gtest/gtest.h>

#include "experiments/baselines/softplus_sd.h"
#include "experiments/identification/data.h"
#include "lgn/dynamics/parametric.h"
#include "lgn/dynamics/structures.h"
#include "lgn/flow/propagate.h"
#include "lgn/physics/metrics.h"

namespace lgn::studies {
namespace {

/// NRMSE over t < 100 after the paper's training on `samples` samples from (1, 0).
double circuit_error(const Law& law, const Vector& truth, Index samples) {
  const ParametricStructure structure(law);
  const Matrix a = structure.generator(truth);
  const Vector x0{{1, 0}}, times = even_times(0.1, samples), test = even_times(0.1, 1000);
  const Dataset data({"q", "p"}, {Trajectory("1", times, propagate(a, x0, times))});
  const TrainedGenerator found = train_adam(trajectory_loss(data), structure,
                                            structure.starting_constants(), {.epochs = 3000});
  EXPECT_TRUE(found.generator == structure.generator(found.theta));
  return nrmse(propagate(found.generator, x0, test), propagate(a, x0, test));
}

TEST(AdamGenerator, LearnsTheCircuitsOfExperiment1) {
  // The project's bar. A frequency off by ε is a phase of 100 ε = 2e-14 at the end.
  EXPECT_LE(circuit_error(plain_lc_law(), Vector{{1}}, 100), 1e-13);
  EXPECT_LE(circuit_error(plain_rlc_law(), Vector{{1, 0.1}}, 200), 1e-13);
}

TEST(AdamGenerator, StartsCircuitsWhereThePaperDoes) {
  EXPECT_TRUE(ParametricStructure(plain_lc_law()).starting_constants() == (Vector{{1.5}}));
  const ParametricStructure rlc(plain_rlc_law());
  EXPECT_TRUE(rlc.generator(rlc.starting_constants()) == (Matrix{{0, 1}, {-1.2, -0.15}}));
}

TEST(AdamGenerator, LearnsADampedPairOfStates) {
  const Matrix a{{-0.2, -1}, {1, -0.3}};
  Random random(2);
  const Vector times = even_times(0.1, 100);
  const Dataset data({"x", "y"}, {Trajectory("1", times, propagate(a, test_start(2), times))});
  const GeneratorLoss loss = trajectory_loss(data);
  const SoftplusSdStructure sd(2);
  const AdamTraining options{.epochs = 3000};
  const TrainedGenerator found = train_adam(loss, sd, sd.random_start(random), options);
  // A hundredth of the rate: only at the minimum steps become that short.
  EXPECT_LE((found.generator - a).norm(), 1e-4);
  EXPECT_EQ(found.evaluations, 3000);

  const Matrix start = tridiagonal_guess(2);
  const TrainedGenerator full = train_adam(loss, FullStructure(2), start.reshaped(), options);
  EXPECT_LE((full.generator - a).norm(), 1e-4);
}

TEST(AdamGenerator, IsEndedByItsObserver) {
  const Dataset data({"x"}, {Trajectory("1", Vector{{0, 1}}, Matrix{{1, 0.5}})});
  AdamTraining options;
  options.observe = [](int epoch, double) { return epoch < 5; };
  const TrainedGenerator found =
      train_adam(trajectory_loss(data), FullStructure(1), Vector{{0.0}}, options);
  EXPECT_TRUE(found.stopped);
  EXPECT_EQ(found.evaluations, 5);
}

TEST(AdamGenerator, GuessesTheSignsOfALadder) {
  const Matrix guess = tridiagonal_guess(6), ladder = uniform_ladder(3).a;
  EXPECT_TRUE(guess.diagonal() == Vector::Constant(6, -0.1));
  EXPECT_TRUE(guess.diagonal(1) == 0.5 * ladder.diagonal(1));
  EXPECT_TRUE(guess.diagonal(-1) == 0.5 * ladder.diagonal(-1));
  EXPECT_TRUE(tridiagonal_guess(6, 0.5) == guess.transpose());
}

}  // namespace
}  // namespace lgn::studies
