#include "lgn/core/nonnegative_least_squares.h"

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "lgn/core/decompositions.h"
#include "lgn/core/stop.h"

namespace lgn {
namespace {

/// Least squares in the unknowns `free`; the others are zero.
Vector solve_free(const Matrix& r, const Vector& q, const std::vector<Index>& free) {
  Vector x = Vector::Zero(r.cols());
  if (free.empty()) return x;
  stop_point(2 * static_cast<double>(r.rows() * static_cast<Index>(free.size() * free.size())) +
             2000);
  Matrix columns(r.rows(), static_cast<Index>(free.size()));
  Index k = 0;
  for (const Index i : free) columns.col(k++) = r.col(i);
  const Vector solution = solve_least_squares_pivoted(columns, q);
  k = 0;
  for (const Index i : free) x[i] = solution[k++];
  return x;
}

/// How far one can go from x ≥ 0 towards `target` before a free unknown turns negative; 1: all the
/// way.
double longest_step(const Vector& x, const Vector& target, const std::vector<Index>& free) {
  double step = 1;
  for (const Index i : free)
    if (target[i] < 0) step = std::min(step, x[i] / (x[i] - target[i]));
  return step;
}

}  // namespace

Vector nonnegative_least_squares(const Matrix& f, const Vector& b) {
  const Index p = f.cols();
  const auto [r, q] = triangular_least_squares(f, b);
  const double tolerance =
      10 * static_cast<double>(p) * std::numeric_limits<double>::epsilon() * r.norm() * q.norm();
  Vector x = Vector::Zero(p);
  std::vector<Index> free;
  // Each round frees one unknown and the residual falls, so no set of free unknowns comes twice.
  for (Index round = 0; round < 10 * p; ++round) {
    Vector pull = r.transpose() * (q - r * x);
    for (const Index i : free) pull[i] = 0;
    Index best = 0;
    if (p == 0 || pull.maxCoeff(&best) <= tolerance) break;
    free.push_back(best);
    Vector target = solve_free(r, q, free);
    for (double step; (step = longest_step(x, target, free)) < 1;) {
      x += step * (target - x);
      // The unknown that reached zero leaves, with any other that stands there.
      std::vector<Index> kept;
      for (const Index i : free) {
        if (target[i] < 0 && x[i] <= 1e-15 * x.maxCoeff()) {
          x[i] = 0;
        } else {
          kept.push_back(i);
        }
      }
      free = std::move(kept);
      target = solve_free(r, q, free);
    }
    x = target;
  }
  return x.cwiseMax(0.0);
}

}  // namespace lgn
