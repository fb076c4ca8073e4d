#include "lgn/dynamics/log_scale.h"

#include <numeric>

#include "lgn/core/decompositions.h"

namespace lgn {
namespace {

/// For each unknown, the first one that ties lead to; −1 where they lead to a value.
std::vector<Index> first_tied(Index n, const std::vector<LogTie>& ties) {
  // Entry 0 stands for what is known.
  std::vector<Index> first(static_cast<std::size_t>(n + 1));
  std::iota(first.begin(), first.end(), Index{0});
  const auto find = [&](Index i) {
    while (first[static_cast<std::size_t>(i)] != i) i = first[static_cast<std::size_t>(i)];
    return i;
  };
  for (const LogTie& tie : ties) {
    const Index one = find(tie.i + 1), other = find(tie.j + 1);
    first[static_cast<std::size_t>(std::max(one, other))] = std::min(one, other);
  }
  std::vector<Index> result;
  for (Index i = 0; i < n; ++i) result.push_back(find(i + 1) - 1);
  return result;
}

/// Unknowns from which on rows, one for each of up to n² ties, would take seconds.
constexpr Index many_unknowns = 64;

Index column_of(Index i, const std::vector<Index>& column) {
  return i == LogTie::nothing ? -1 : column[static_cast<std::size_t>(i)];
}

/// Least squares by a factorisation of the weighted rows. O(ties n²).
Vector solve_by_rows(const std::vector<LogTie>& ties, const std::vector<Index>& column,
                     Index unknowns) {
  Matrix rows = Matrix::Zero(static_cast<Index>(ties.size()), unknowns);
  Vector right(rows.rows());
  for (Index k = 0; k < rows.rows(); ++k) {
    const LogTie& tie = ties[static_cast<std::size_t>(k)];
    const Index i = column_of(tie.i, column), j = column_of(tie.j, column);
    if (i >= 0) rows(k, i) = tie.weight;
    if (j >= 0) rows(k, j) = -tie.weight;
    right[k] = tie.weight * tie.difference;
  }
  // Every part is grounded, so a small pivot is a weak tie, not a missing one.
  return solve_least_squares_pivoted(rows, right, 0.0);
}

/// The same by the normal equations, whose matrix is a graph's Laplacian: diagonally dominant, so that it loses little.
/// O(ties + n³).
Vector solve_by_laplacian(const std::vector<LogTie>& ties, const std::vector<Index>& column,
                          Index unknowns) {
  Matrix laplacian = Matrix::Zero(unknowns, unknowns);
  Vector right = Vector::Zero(unknowns);
  for (const LogTie& tie : ties) {
    const Index i = column_of(tie.i, column), j = column_of(tie.j, column);
    const double weight = tie.weight * tie.weight;
    if (i >= 0) laplacian(i, i) += weight;
    if (j >= 0) laplacian(j, j) += weight;
    if (i >= 0 && j >= 0) {
      laplacian(i, j) -= weight;
      laplacian(j, i) -= weight;
    }
    if (i >= 0) right[i] += weight * tie.difference;
    if (j >= 0) right[j] -= weight * tie.difference;
  }
  const Vector solution = laplacian.ldlt().solve(right);
  return solution.allFinite() ? solution : solve_by_rows(ties, column, unknowns);
}

}  // namespace

Vector solve_ties(Index n, std::vector<LogTie> ties) {
  // The heaviest first, which keeps a QR of the weighted rows accurate row by row.
  std::stable_sort(ties.begin(), ties.end(), [](const LogTie& one, const LogTie& other) {
    return one.weight > other.weight;
  });
  const auto first = first_tied(n, ties);
  std::vector<Index> column(first.size(), -1);
  Index unknowns = 0;
  for (std::size_t i = 0; i < first.size(); ++i)
    if (first[i] != static_cast<Index>(i)) column[i] = unknowns++;
  Vector tau = Vector::Zero(n);
  if (unknowns == 0) return tau;
  const Vector solution = unknowns > many_unknowns ? solve_by_laplacian(ties, column, unknowns)
                                                   : solve_by_rows(ties, column, unknowns);
  for (std::size_t i = 0; i < first.size(); ++i)
    if (column[i] >= 0) tau[static_cast<Index>(i)] = solution[column[i]];
  return tau.cwiseMax(-largest_log_scale).cwiseMin(largest_log_scale);
}

}  // namespace lgn
