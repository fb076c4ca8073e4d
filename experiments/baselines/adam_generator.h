#pragma once

#include "experiments/baselines/trained_generator.h"
#include "lgn/dynamics/law.h"

namespace lgn::studies {

/// How the paper trains a constant generator: Adam on the whole batch, one horizon, no restarts.
struct AdamTraining {
  int epochs = 1000;
  double learning_rate = 1e-2;
  double epsilon = 1e-8;
  double clip = 0;   ///< the gradient is shortened to this length; 0: never
  int patience = 0;  ///< epochs without progress before the rate is halved; 0: never halved
  /// Called after every epoch with its number and the best loss; returning false ends training.
  std::function<bool(int epoch, double loss)> observe = {};
};

/// From θ = start. LGN-SD is SoftplusSdStructure on trajectory_loss() from its random_start(),
/// LGN-FA FullStructure from tridiagonal_guess().
TrainedGenerator train_adam(const GeneratorLoss& loss, const ConstantStructure& structure,
                            const Vector& start, const AdamTraining& options = {});

/// Where LGN-FA starts in experiment 3: −0.1 on the diagonal, `above` above it and −`above` below.
/// The ladder has −1 and 1 there. The opposite signs, above = 0.5, end where the published LGN-FA
/// does: mean Re λ about −0.6, ‖A − A*‖/‖A*‖ about 1.7.
Matrix tridiagonal_guess(Index n, double above = -0.5);

/// The circuits of experiment 1 with constants that are themselves the parameters, as the paper
/// learns them: q̇ = p, ṗ = −ω²q (omega2, from 1.5), and ṗ = −ω²q − γp (omega2, gamma, from 1.2 and
/// 0.15). ParametricStructure(law) trains from its starting_constants(). No guarantee.
Law plain_lc_law();
Law plain_rlc_law();

}  // namespace lgn::studies
