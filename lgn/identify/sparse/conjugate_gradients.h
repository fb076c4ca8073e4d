#pragma once

#include <cstdint>
#include <vector>

#include "lgn/identify/sparse/sparse_problem.h"

namespace lgn {

/// x of F x = g for F = JᵀWJ by conjugate gradients with this diagonal, until the residual is `tolerance` of the first; unknowns
/// that are `held` stay zero.
struct CgResult {
  Vector x;
  int steps = 0;
  bool converged = false;
};
CgResult conjugate_gradients(const SparseProblem::Curvature& curvature, const Vector& g,
                             const Vector& diagonal, const std::vector<char>& held, int most_steps,
                             double tolerance);

/// The diagonal of F by random signs, for unknowns of each kind apart: kind k are those from first[k] on. None is below a fifth of
/// the median of its kind.
Vector probed_diagonal(const SparseProblem::Curvature& curvature, Index unknowns,
                       const std::vector<Index>& first, int probes, std::uint64_t seed);

}  // namespace lgn
