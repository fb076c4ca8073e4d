#pragma once

#include <vector>

#include "lgn/core/linear_algebra.h"

namespace lgn {

/// ẋ = A x + B u(t − delay), y = C x + D u(t − delay), with all four matrices written out.
struct DrivenSystem {
  Matrix a, b, c, d;
  double delay = 0;

  Index states() const { return a.rows(); }
  Index inputs() const { return b.cols(); }
  Index outputs() const { return c.rows(); }
  /// From one input to one output.
  DrivenSystem pair(Index output, Index input) const;
};

/// How uncertain the entries of A, B, C and D are, jointly: R with R Rᵀ their covariance. Entries that are not listed are
/// known. In whatever coordinates the states are, what channels show of them has the errors that belong to it.
struct SystemErrors {
  struct Entry {
    char matrix;  ///< 'A', 'B', 'C' or 'D'
    Index row, column;
  };
  std::vector<Entry> entries;
  Matrix root;  ///< a row for each entry

  bool known() const { return !entries.empty(); }
  /// How the matrices move along a column of R; the sizes are those of `system`.
  DrivenSystem move(Index column, const DrivenSystem& system) const;
};

/// The errors of a system from R for all entries, those of A, B, C and D below one another, each matrix column by column. Rows of
/// zeros are left out, and R has no more columns than rows; nothing is known where R is not finite. O(rows² columns).
SystemErrors system_errors_from(const DrivenSystem& system, const Matrix& root);

/// Transmission zeros: finite λ at which [[A − λ I, B], [C, D]] loses rank, by orthogonal reduction to a system with invertible
/// D′, whose zeros are the eigenvalues of A′ − B′ D′⁻¹ C′ (Emami-Naeini & Van Dooren, Automatica 18:415, 1982): zeros at infinity go exactly, as
/// long as what vanishes does so to `tolerance` of the system's own size. Modes that inputs do not reach or outputs do not show are
/// zeros too. None where H is zero. Any numbers of inputs and outputs; O(n⁴) at most.
ComplexVector transmission_zeros(const DrivenSystem& system, double tolerance = 1e-11);

}  // namespace lgn
