#pragma once

#include <vector>

#include "lgn/identify/realisation/lag_lattice.h"

namespace lgn {

/// L with L Lᵀ = H Hᵀ for the block Hankel matrix H of all runs side by side: a column of H holds the samples of all channels
/// at times j + L₀, j + L₁, …, one for every j where a run has them all. Row i·channels + c is channel c at lag i.
///
/// L has one column per row of H, fewer where H has fewer columns; none where no run is longer than the aperture.
/// With `centred`, the mean of the columns is taken from each: constants of the channels leave the column space so.
/// Householder's QR of H where it has few columns; otherwise Cholesky's factor of H Hᵀ, summed over at most 10⁹/rows²
/// columns, spread evenly. H Hᵀ keeps but half of the digits, so that where it is singular to 1e-11 (hardly any
/// noise), fewer columns are taken and factorised by QR.
Matrix hankel_factor(const std::vector<Matrix>& runs, const LagLattice& lattice, bool centred);

}  // namespace lgn
