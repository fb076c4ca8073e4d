#pragma once

#include <vector>

#include "lgn/core/linear_algebra.h"

namespace lgn {

/// Sums of products of states with one another and with one derivative, each in units of its size: all that least squares of this
/// derivative on some of these states needs. What it refers to must outlive it.
struct RowSums {
  Eigen::Ref<const Matrix> gram;
  Eigen::Ref<const Vector> products;

  Index states() const { return gram.rows(); }
  /// Least squares on the chosen states.
  Vector solve(const std::vector<Index>& chosen) const;
  /// Products of what the coefficients leave of the derivative with every state.
  Vector left(const std::vector<Index>& chosen, const Vector& coefficients) const;
  /// Squares of what the chosen states do not explain of every other.
  Vector apart(const std::vector<Index>& chosen) const;
  /// What they leave of its square, of which it was 1; no less than what simulated data may leave.
  double unexplained(const std::vector<Index>& chosen, const Vector& coefficients) const;
  /// The extended Bayesian information criterion of that choice.
  double criterion(const std::vector<Index>& chosen, double windows, double price) const;
};

/// What a row may choose from, and what it must.
struct Choice {
  std::vector<bool> allowed;
  std::vector<Index> forced;
  /// Whether the state comes next that leaves least, all coefficients at their best (orthogonal least squares: Chen, Billings & Luo, Int. J.
  /// Control 50:1873, 1989), which tells states apart that move alike; else the one whose product with what is left is largest.
  bool by_rest = false;
};

/// What the extended Bayesian information criterion (theory, Eq. 54) asks for each of the states that are chosen out of `states`, of
/// so many independent windows.
double price_of_choice(double windows, Index states);

/// The states that explain a derivative, chosen one by one, as long as one of the next few is worth its price. O(states k²) for k of
/// them.
std::vector<Index> choose(const RowSums& sums, const Choice& choice, double windows, double price);

/// The same without those that are not worth their price beside the others, the idlest first; what must be chosen stays. O(k³).
std::vector<Index> without_idle(const RowSums& sums, std::vector<Index> chosen,
                                const std::vector<Index>& forced, double windows, double price);

}  // namespace lgn
