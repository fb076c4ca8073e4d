#include "lgn/core/sparse_pattern.h"

#include <algorithm>
#include <limits>

#include "lgn/core/constants_internal.h"
#include "lgn/core/error.h"

namespace lgn {
namespace {

using Place = SparsePattern::Place;

/// Row above, column below: sorted as numbers they stand row by row.
std::uint64_t packed(Index row, Index col) {
  return (static_cast<std::uint64_t>(row) << 32) | static_cast<std::uint64_t>(col);
}

Index degree(const SparsePattern& pattern, Index i) {
  return pattern.start[at(i) + 1] - pattern.start[at(i)];
}

/// States of the connected part of `first` by their distance from it, those with few neighbours first; appended to
/// `order` and marked in `seen`.
void walk(const SparsePattern& pattern, Index first, std::vector<char>& seen,
          std::vector<Index>& order) {
  std::size_t next = order.size();
  order.push_back(first);
  seen[at(first)] = 1;
  while (next < order.size()) {
    const Index i = order[next++];
    const std::size_t begin = order.size();
    for (Place e = pattern.start[at(i)]; e < pattern.start[at(i) + 1]; ++e)
      if (const Index j = pattern.column[at(e)]; seen[at(j)] == 0) {
        seen[at(j)] = 1;
        order.push_back(j);
      }
    std::stable_sort(order.begin() + static_cast<std::ptrdiff_t>(begin), order.end(),
                     [&](Index a, Index b) { return degree(pattern, a) < degree(pattern, b); });
  }
}

}  // namespace

SparsePattern SparsePattern::around(Index n, const std::vector<std::pair<Index, Index>>& places) {
  if (2 * static_cast<Index>(places.size()) + n > std::numeric_limits<Place>::max())
    throw Error("the generator has too many entries", "at most 2³¹ can be numbered");
  std::vector<std::uint64_t> all;
  all.reserve(2 * places.size() + at(n));
  for (const auto& [row, col] : places) {
    if (row < 0 || col < 0 || row >= n || col >= n)
      throw Error("an entry of a sparse matrix is outside of it");
    all.push_back(packed(row, col));
    all.push_back(packed(col, row));
  }
  for (Index i = 0; i < n; ++i) all.push_back(packed(i, i));
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  SparsePattern pattern;
  pattern.n = n;
  pattern.start.assign(at(n) + 1, 0);
  pattern.column.resize(all.size());
  pattern.diagonal.resize(at(n));
  for (std::size_t e = 0; e < all.size(); ++e) {
    const std::size_t row = all[e] >> 32, col = all[e] & 0xffffffffu;
    pattern.column[e] = static_cast<Place>(col);
    pattern.start[row + 1] = static_cast<Place>(e + 1);
    if (row == col) pattern.diagonal[row] = static_cast<Place>(e);
  }
  // Entries of column i, in the order of their rows, are the twins of row i's.
  pattern.twin.resize(all.size());
  std::vector<Place> next(pattern.start.begin(), pattern.start.end() - 1);
  for (Index i = 0; i < n; ++i)
    for (Place e = pattern.start[at(i)]; e < pattern.start[at(i) + 1]; ++e)
      pattern.twin[at(e)] = next[at(pattern.column[at(e)])]++;
  return pattern;
}

Index SparsePattern::find(Index row, Index col) const {
  const auto begin = column.begin() + start[at(row)], end = column.begin() + start[at(row) + 1];
  return std::lower_bound(begin, end, static_cast<Place>(col)) - column.begin();
}

std::vector<Index> SparsePattern::near_order() const {
  std::vector<Index> order, trial;
  order.reserve(at(n));
  std::vector<char> seen(at(n), 0), tried(at(n), 0);
  for (Index i = 0; i < n; ++i) {
    if (seen[at(i)] != 0) continue;
    // The last one of a walk is at an end of its part.
    trial.clear();
    walk(*this, i, tried, trial);
    walk(*this, trial.back(), seen, order);
  }
  return order;
}

SparsePattern::Reordered SparsePattern::reordered(const std::vector<Index>& order) const {
  std::vector<Index> place(at(n));
  for (Index k = 0; k < n; ++k) place[at(order[at(k)])] = k;
  std::vector<std::pair<Index, Index>> places;
  places.reserve(column.size());
  for (Index i = 0; i < n; ++i)
    for (Place e = start[at(i)]; e < start[at(i) + 1]; ++e)
      places.emplace_back(place[at(i)], place[at(column[at(e)])]);
  Reordered result{around(n, places), {}};
  result.entry.resize(column.size());
  for (std::size_t e = 0; e < places.size(); ++e)
    result.entry[at(result.pattern.find(places[e].first, places[e].second))] =
        static_cast<Place>(e);
  return result;
}

}  // namespace lgn
