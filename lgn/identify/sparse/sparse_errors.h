#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "lgn/identify/sparse/conjugate_gradients.h"

namespace lgn {

/// The information matrix F = JᵀWJ of a large network at one point: its products, a diagonal to divide by, unknowns at a bound,
/// and where unknowns of each kind begin, those that are here in a partition.
struct SparseInformation {
  const SparseProblem::Curvature& curvature;
  const Vector& diagonal;
  const std::vector<char>& held;
  const std::vector<Index>& kinds;
  /// √diag F⁻¹ of the first p unknowns, θ, everything else unknown too: by a few random signs and conjugate gradients. NaN at a bound.
  Vector parameter_errors(Index p, std::uint64_t seed,
                          const std::function<void()>& before_each) const;
};

/// Poles of a fitted network, the upper one of each pair, with eigenvectors and the covariance of Re λ and Im λ.
struct SparsePoles {
  Eigensystem system;
  std::vector<Eigen::Matrix2d> covariances;
};

/// Its slowest poles (sparse_eigenpairs.h) and dλ = wᴴ (∂A/∂θ δ) v = gᵀδ: covariances are Re(g), Im(g) on F⁻¹, a solution by conjugate
/// gradients for each; poles for which these do not converge are left out. In the partition into one part alone.
SparsePoles slowest_poles(const GeneratorPattern& generator, const Vector& theta,
                          const SparseInformation& information, Index count,
                          const std::function<void()>& before_each);

}  // namespace lgn
