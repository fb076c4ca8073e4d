#include <gtest/gtest.h>

#include <cmath>

#include "lgn/dynamics/parametric.h"
#include "lgn/flow/propagate.h"
#include "lgn/identify/training/adam.h"
#include "lgn/identify/training/trajectory_loss.h"

// Experiment 1 of the paper: the constants of a circuit from a short trajectory, Δt = 0.1 and x₀ =
// (1, 0) known, and the prediction far beyond it. NRMSE of 1e-12 over t < 100: the
// paper's claim.
namespace lgn {
namespace {

Vector times(Index samples) {
  return 0.1 * Vector::LinSpaced(samples, 0, static_cast<double>(samples - 1));
}

double nrmse_after_training(const Law& law, const Vector& truth, const Vector& guess,
                            Index samples) {
  const ParametricStructure structure(law);
  const Matrix a = law.generator(truth);
  const Vector x0{{1, 0}};
  const TrajectoryLoss loss(
      Dataset({"q", "p"}, {Trajectory("1", times(samples), propagate(a, x0, times(samples)))}),
      structure);
  AdamOptions options;
  options.epochs = 10000;
  const double scale = 1.0 / static_cast<double>(samples);
  const AdamResult result = minimize_adam(
      [&](const Vector& theta, Vector& gradient) {
        const LossGradient found = loss.gradient(theta, x0);
        gradient = scale * found.theta;
        return scale * found.loss;
      },
      structure.parameters_of(guess), structure.lower_bounds(), options);
  const Matrix expected = propagate(a, x0, times(1000));
  return (propagate(structure.generator(result.x), x0, times(1000)) - expected).norm() /
         expected.norm();
}

TEST(PaperExperiment1, LosslessCircuit) {
  EXPECT_LE(nrmse_after_training(oscillator_law(), Vector{{1.0}}, Vector{{std::sqrt(1.5)}}, 100),
            1e-12);
}

TEST(PaperExperiment1, DampedCircuit) {
  EXPECT_LE(nrmse_after_training(rlc_law(), Vector{{1, 0.1}}, Vector{{1.2, 0.15}}, 200), 1e-12);
}

}  // namespace
}  // namespace lgn
