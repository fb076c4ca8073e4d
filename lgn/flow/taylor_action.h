#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "lgn/core/linear_algebra.h"
#include "lgn/core/stop.h"

namespace lgn {

/// exp(tA) acting on states by its Taylor series, without forming a matrix: for few states, and for
/// steps that are each used once.
///
/// t is cut into `substeps` of length h with h‖A‖ ≤ 1 and `terms` terms each; the first term left
/// out, and its derivative, are below rounding. Works on matrices of fixed and of dynamic size.
struct TaylorAction {
  double h = 0;
  int substeps = 1, terms = 1;

  TaylorAction(double t, double norm) {
    substeps = std::max(1, static_cast<int>(std::ceil(t * norm)));
    h = t / substeps;
    double term = 1;
    while (term * (terms + 1) > 1e-17) {
      term *= h * norm / terms;
      ++terms;
    }
  }

  /// X ← exp(tA) X. Cost: terms · substeps products of A with X.
  template <class Generator, class States>
  void advance(const Generator& a, States& x) const {
    States term = x, next = x;
    for (int s = 0; s < substeps; ++s) {
      if (s > 0) stop_point(static_cast<double>(terms * a.size() * x.cols()));
      term = x;
      for (int j = 1; j <= terms; ++j) {
        next.noalias() = a * term;
        term = (h / j) * next;
        x += term;
      }
    }
  }

  /// For ∂ℓ/∂Y = `adjoint`, Y = exp(tA) X: turns it into ∂ℓ/∂X and adds ∂ℓ/∂A to `generator`.
  ///
  /// Y = Σ_j T_j with T_j = (h/j) A T_(j−1); backwards B_j = λ + (h/(j+1)) Aᵀ B_(j+1), and ∂ℓ/∂A takes
  /// (h/j) B_j T_(j−1)ᵀ from every term. `kept` is memory, reused from call to call.
  template <class Generator, class States>
  void retreat(const Generator& a, const States& x, States& adjoint, Generator& generator,
               std::vector<States>& kept) const {
    keep_terms(a, x, kept);
    States back = adjoint, next = adjoint;
    for (int s = substeps - 1; s >= 0; --s) {
      const auto first = static_cast<std::size_t>(s * terms);
      back = adjoint;
      for (int j = terms; j > 0; --j) {
        const double factor = h / j;
        generator.noalias() +=
            factor * back * kept[first + static_cast<std::size_t>(j - 1)].transpose();
        next.noalias() = a.transpose() * back;
        back = adjoint + factor * next;
      }
      adjoint = back;
    }
  }

  /// T_0 … T_(terms−1) of every substep, one after the other.
  template <class Generator, class States>
  void keep_terms(const Generator& a, const States& x, std::vector<States>& kept) const {
    kept.resize(static_cast<std::size_t>(substeps * terms), x);
    States state = x, next = x;
    for (int s = 0; s < substeps; ++s) {
      if (s > 0) stop_point(static_cast<double>(3 * terms * a.size() * x.cols()));
      const auto first = static_cast<std::size_t>(s * terms);
      kept[first] = state;
      for (int j = 1; j <= terms; ++j) {
        next.noalias() = a * kept[first + static_cast<std::size_t>(j - 1)];
        next *= h / j;
        state += next;
        if (j < terms) kept[first + static_cast<std::size_t>(j)] = next;
      }
    }
  }
};

}  // namespace lgn
