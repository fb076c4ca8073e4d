#pragma once

#include <vector>

#include "lgn/design/expression.h"
#include "lgn/design/min_max.h"

namespace lgn {

/// A system at one choice of its values: what expressions are there, with exact derivatives by the values.
///
/// Poles move by dλ = wᴴ ∂A/∂p v with wᴴv = 1, transfer functions by C (s − A)⁻¹ (∂A (s − A)⁻¹ B + ∂B), and a peak as |H| at its
/// frequency does, since that is stationary there (theory, Eq. 76). One eigendecomposition serves all modes, one Schur form each
/// transfer function.
class Quantities {
 public:
  /// Derivatives are by the values `free`, in this order; p₀ is what changes are counted from.
  Quantities(const NamedSystem& system, Vector p, std::vector<Index> free, Vector p0);

  /// The numbers that an expression is; several for a property of several modes or peaks. `apart`: what a max, min or sum is taken
  /// of, instead of that.
  std::vector<Smooth> evaluate(const Expression& expression, bool apart = false) const;

  const ComplexVector& poles() const { return system_.values; }

 private:
  std::vector<Smooth> of_modes(const Expression& expression) const;
  std::vector<Smooth> of_transfer(const Expression& expression) const;
  Smooth constant(double value) const;
  Smooth named(Index k) const;
  Vector along(const ComplexVector& left, const ComplexVector& right, Complex weight) const;

  const NamedSystem& named_;
  Vector p_, p0_;
  std::vector<Index> free_;
  Matrix a_;
  std::vector<std::vector<NamedSystem::Entry>> slopes_, storage_slopes_;
  Eigensystem system_;
  double unit_;  ///< seconds in a unit of time, 1 where that is not known
};

/// Violations of a target: at most zero where it holds (`below`), or zero (`zero`), relative to what is wanted.
void add_target(const Target& target, const Quantities& at, int source, MinMaxPoint& point);

/// What an objective is made of: the largest of them counts; of the negative where the largest is wanted.
std::vector<Smooth> objective(const Expression& expression, const Quantities& at, bool maximise);

}  // namespace lgn
