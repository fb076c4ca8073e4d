#include "lgn/physics/assignment.h"

#include <limits>
#include <utility>

#include "lgn/core/error.h"

namespace lgn {

std::vector<Index> assign(const Matrix& cost) {
  const Index rows = cost.rows(), cols = cost.cols();
  if (rows > cols) throw Error("an assignment needs at least as many columns as rows");
  if (!cost.allFinite()) throw Error("an assignment needs finite costs");
  constexpr Index free = -1;
  Vector row_price = Vector::Zero(rows), col_price = Vector::Zero(cols);
  std::vector<Index> row_of(static_cast<std::size_t>(cols), free);
  std::vector<Index> column_of(static_cast<std::size_t>(rows), free);
  const auto owner = [&](Index j) -> Index& { return row_of[static_cast<std::size_t>(j)]; };

  for (Index start = 0; start < rows; ++start) {
    // Dijkstra over reduced costs from row `start` to the nearest free column.
    Vector distance = Vector::Constant(cols, std::numeric_limits<double>::infinity());
    std::vector<Index> from(static_cast<std::size_t>(cols), start);
    std::vector<bool> done(static_cast<std::size_t>(cols), false);
    Index row = start, column = free;
    double reached = 0;
    while (true) {
      Index nearest = free;
      for (Index j = 0; j < cols; ++j) {
        if (done[static_cast<std::size_t>(j)]) continue;
        const double d = reached + cost(row, j) - row_price[row] - col_price[j];
        if (d < distance[j]) {
          distance[j] = d;
          from[static_cast<std::size_t>(j)] = row;
        }
        if (nearest == free || distance[j] < distance[nearest]) nearest = j;
      }
      column = nearest;
      reached = distance[column];
      if (owner(column) == free) break;
      done[static_cast<std::size_t>(column)] = true;
      row = owner(column);
    }
    row_price[start] += reached;
    for (Index j = 0; j < cols; ++j)
      if (done[static_cast<std::size_t>(j)]) {
        col_price[j] -= reached - distance[j];
        row_price[owner(j)] += reached - distance[j];
      }
    // Walk back along the path: every row on it moves on to the column it was reached from.
    for (Index previous = free; previous != start;) {
      previous = from[static_cast<std::size_t>(column)];
      owner(column) = previous;
      std::swap(column, column_of[static_cast<std::size_t>(previous)]);
    }
  }
  return column_of;
}

EigenvalueMatch match_eigenvalues(const ComplexVector& truth, const ComplexVector& found) {
  Matrix cost(truth.size(), found.size());
  for (Index i = 0; i < truth.size(); ++i)
    for (Index j = 0; j < found.size(); ++j) cost(i, j) = std::abs(truth[i] - found[j]);
  EigenvalueMatch match{assign(cost), Vector(truth.size())};
  for (Index i = 0; i < truth.size(); ++i)
    match.distance[i] = cost(i, match.partner[static_cast<std::size_t>(i)]);
  return match;
}

}  // namespace lgn
