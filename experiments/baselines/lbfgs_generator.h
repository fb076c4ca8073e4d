#pragma once

#include <cstdint>

#include "experiments/baselines/lbfgs.h"
#include "experiments/baselines/trained_generator.h"

namespace lgn::studies {

/// The best of several searches by L-BFGS, each from spread·randn in all parameters.
struct LbfgsTraining {
  int restarts = 5;
  std::uint64_t seed = 1;
  double spread = 0.1;
  LbfgsOptions lbfgs = {};  ///< `observe` sees one search after the other
};

/// Dissipative SymODEN is PortHamiltonianStructure on window_loss(), LGN-SD of appendix A.2
/// SoftplusSdStructure on trajectory_loss(). Throws NotIdentified where no loss is finite.
TrainedGenerator train_lbfgs(const GeneratorLoss& loss, const ConstantStructure& structure,
                             const LbfgsTraining& options = {});

}  // namespace lgn::studies
