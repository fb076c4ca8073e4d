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
  Matrix rows = Matrix::Zero(static_cast<Index>(ties.size()), unknowns);
  Vector right(rows.rows());
  for (Index k = 0; k < rows.rows(); ++k) {
    const LogTie& tie = ties[static_cast<std::size_t>(k)];
    const auto place = [&](Index i, double sign) {
      if (i == LogTie::nothing || column[static_cast<std::size_t>(i)] < 0) return;
      rows(k, column[static_cast<std::size_t>(i)]) = sign * tie.weight;
    };
    place(tie.i, 1);
    place(tie.j, -1);
    right[k] = tie.weight * tie.difference;
  }
  // Every part is grounded, so a small pivot is a weak tie, not a missing one.
  const Vector solution = solve_least_squares_pivoted(rows, right, 0.0);
  for (std::size_t i = 0; i < first.size(); ++i)
    if (column[i] >= 0) tau[static_cast<Index>(i)] = solution[column[i]];
  return tau.cwiseMax(-largest_log_scale).cwiseMin(largest_log_scale);
}

}  // namespace lgn
