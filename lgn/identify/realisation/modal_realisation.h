#pragma once

#include <optional>
#include <vector>

#include "lgn/core/linear_algebra.h"
#include "lgn/identify/realisation/lag_lattice.h"

namespace lgn {

/// Poles of a linear system, per unit of time, and what channels see of their modes.
///
/// Real λ < 0 have real shapes; others stand in conjugate pairs, Im λ > 0 first, with conjugate shapes.
/// Sorted by |Im λ|, then by Re λ.
struct Realisation {
  ComplexVector poles;
  ComplexMatrix shapes;  ///< channels × poles: C vₖ, each of them up to a factor
};

/// One pole and its shape; a conjugate pair is written once, Im λ > 0.
struct ShapedPole {
  Complex pole;
  ComplexVector shape;
};

/// Modal assurance criterion of two shapes, |aᴴb|²/(‖a‖²‖b‖²): 1 where one is a multiple of the other, 0 where they are
/// orthogonal, or one is zero (Allemang and Brown, IMAC 1982).
double modal_assurance(const ComplexVector& a, const ComplexVector& b);

/// Reflects poles with Re λ ≥ 0, damps them by `least_damping` at least, and writes conjugates beside one another.
Realisation stable_realisation(std::vector<ShapedPole> modes, double least_damping);

/// Modes z^L with z = exp(λ), λ per sample, in the space that the columns of `basis` span; row i·channels + c of it is
/// channel c at lag i.
///
/// For every shift s of the lattice, Φₛ is the least squares solution of basis(L) Φ = basis(L + s). In theory all of them
/// commute; the eigenvectors v, w of a sum of them give μₛ = wᴴ Φₛ v = exp(λ s) for each, of which larger ones are more
/// precise (error in λ ∝ 1/(s |μₛ|)) and smaller ones tell the branch of the logarithm. Real negative z are taken as
/// positive, |μ| as at least 1e-3. Nothing where the lags are too few or the eigenvectors have no inverse.
std::optional<std::vector<ShapedPole>> shift_modes(const Matrix& basis, const LagLattice& lattice);

}  // namespace lgn
