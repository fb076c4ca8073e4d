#pragma once

#include <functional>
#include <vector>

#include "lgn/core/linear_algebra.h"

namespace lgn {

/// A smooth number with its gradient, and what tells it apart from others of its list when the list is made again elsewhere.
struct Smooth {
  double value = 0;
  Vector gradient = {};
  int source = 0;     ///< which expression it belongs to
  Complex label = 0;  ///< the pole, the frequency or the time that it is about
  bool copy = false;  ///< another way in which a number moves that is in the list already
  Matrix curvature =
      {};  ///< second derivatives; empty where they were not asked for, or are not known
};

/// f(x, y) of smooth numbers by the derivatives of f; what it is about is what x is, or y where x is a constant.
Smooth combined(const Smooth& x, const Smooth& y, double value, double by_x, double by_y,
                double by_xx, double by_xy, double by_yy);
/// The same number with its sign turned, or in other units.
Smooth scaled(Smooth one, double factor);

/// What a point of a min-max problem is worth: the least max of `objective` is wanted, `below` ≤ 0 and `zero` = 0. The lists may
/// have other lengths at other points, as the peaks of a transfer function do.
struct MinMaxPoint {
  std::vector<Smooth> objective, below, zero;

  double cost() const;
  /// The largest violation; 0 where there is none, infinite where a number of the lists has no value.
  double violation() const;
};

struct MinMaxResult {
  Vector u;
  MinMaxPoint point;
  int iterations = 0;
  bool converged = false;
};

struct MinMaxOptions {
  int iterations = 300;
  double tolerance = 1e-11;  ///< of steps in u and of violations
  /// The same lists in the same order with the curvatures that are known; may be empty. It saves an evaluation for each unknown.
  std::function<MinMaxPoint(const Vector&)> curved = {};
};

/// The one of a list that a number became: of the same source, the nearest label; null where there is none.
const Smooth* successor(const std::vector<Smooth>& list, const Smooth& before);

/// Sequential quadratic programming for min max f_k(u), c_i(u) ≤ 0, e_j(u) = 0, low ≤ u ≤ high (Fletcher, Practical Methods of
/// Optimization, 1987, section 14.4; theory, Eq. 77): every step solves
///     min τ + ½ dᵀHd + ν σ,  f_k + ∇f_k d ≤ τ,  c_i + ∇c_i d ≤ σ,  |e_j + ∇e_j d| ≤ σ,  |d| ≤ Δ,
/// which always has a solution, so that targets that cannot be met end at the least violation. H is a damped BFGS matrix of the
/// Lagrangian, computed anew now and then from the curvatures of the lists, or by a difference of gradients for each unknown where these are not known, and before the search says that it has converged; steps that the merit max f + ν·violation refuses are corrected to second order, then shortened. `evaluate` may give
/// values that are not finite; such points are refused. The start must be finite.
MinMaxResult minimise_max(const std::function<MinMaxPoint(const Vector&)>& evaluate,
                          const Vector& start, const Vector& low, const Vector& high,
                          const MinMaxOptions& options = {});

}  // namespace lgn
