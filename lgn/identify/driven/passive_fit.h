#pragma once

#include "lgn/identify/selection.h"

namespace lgn {

/// Throws Error, with what would help, where data or options leave no room for a passive system: without inputs, with
/// more outputs than inputs or fewer, with a delay, which no passive system has, or with a structure of its own.
void check_passive(const Dataset& data, const FitOptions& options);

/// The most likely passive system (port_hamiltonian.h) of as many states as a free fit has, under inputs that act as in that
/// fit; with D or without it as the options say, by the Bayesian information criterion where they leave it open.
///
/// The search begins at two passive neighbours of the free fit, and the better end is taken: what D must grow by until
/// no frequency has ½ (H + Hᴴ) with a negative eigenvalue is added to it; and modes whose residues are not positive are
/// left out. Candidates of the selection are the free fit, for comparison, and the passive one.
Selection fit_passive(const Dataset& data, const Fit& free, const FitOptions& options);

}  // namespace lgn
