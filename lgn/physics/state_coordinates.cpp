#include "lgn/physics/state_coordinates.h"

#include "lgn/core/decompositions.h"
#include "lgn/physics/assignment.h"

namespace lgn {

std::optional<Matrix> state_coordinates(const Matrix& a, const Matrix& c, const Matrix& other_a,
                                        const Matrix& other_c) {
  const Eigensystem own = eigensystem(a), other = eigensystem(other_a);
  if (!own.left.allFinite() || !other.left.allFinite()) return {};
  const EigenvalueMatch match = match_eigenvalues(other.values, own.values);
  ComplexMatrix result = ComplexMatrix::Zero(a.rows(), a.rows());
  for (Index k = 0; k < a.rows(); ++k) {
    const ComplexVector mode = own.right.col(match.partner[static_cast<std::size_t>(k)]);
    const ComplexVector shown = c.cast<Complex>() * mode,
                        wanted = other_c.cast<Complex>() * other.right.col(k);
    const double size = shown.squaredNorm();
    if (!(size > 0)) return {};
    // Left eigenvectors are such that wᴴ v = 1.
    result += (shown.dot(wanted) / size) * mode * other.left.col(k).adjoint();
  }
  Matrix map = result.real();
  constexpr double rounding = 1e-8;
  const bool right = map.allFinite() &&
                     (a * map - map * other_a).norm() <= rounding * (a * map).norm() &&
                     (c * map - other_c).norm() <= rounding * other_c.norm();
  if (!right) return {};
  return map;
}

bool turn_states(Matrix& changes, const DrivenSystem& system, const Matrix& other_a,
                 const Matrix& other_c) {
  const Index n = system.states(), of_b = system.b.size(), of_c = system.c.size();
  const auto map = state_coordinates(system.a, system.c, other_a, other_c);
  const auto back =
      map ? solve_well_conditioned(*map, Matrix::Identity(n, n), 1e-12) : std::optional<Matrix>();
  if (!back) return false;
  for (Index k = 0; k < changes.cols(); ++k) {
    auto da = changes.col(k).head(n * n).reshaped(n, n);
    auto db = changes.col(k).segment(n * n, of_b).reshaped(n, system.inputs());
    auto dc = changes.col(k).segment(n * n + of_b, of_c).reshaped(system.outputs(), n);
    da = (*map * da * *back).eval();
    db = (*map * db).eval();
    dc = (dc * *back).eval();
  }
  return true;
}

}  // namespace lgn
