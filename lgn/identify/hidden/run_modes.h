#pragma once

#include <optional>
#include <vector>

#include "lgn/data/dataset.h"
#include "lgn/identify/realisation/modal_realisation.h"

namespace lgn {

/// What one run alone shows of a mode.
struct RunMode {
  Complex pole;
  double assurance = 0;  ///< modal assurance criterion with the mode
};

/// Modes in every run of free decays, [run][mode]: of the realisation of that run alone with so many states, without refinement, the pole nearest
/// to the mode's. Nothing where it is farther than a tenth of |λ|, or a run is too short.
std::vector<std::vector<std::optional<RunMode>>> modes_of_runs(const Dataset& data,
                                                               const std::vector<ShapedPole>& modes,
                                                               Index states);

}  // namespace lgn
