#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "lgn/design/expression.h"
#include "lgn/design/min_max.h"
#include "lgn/physics/transfer_function.h"

namespace lgn {

/// A system at one choice of its values: what expressions are there, with exact derivatives by the logarithms of values.
///
/// Poles move by dλ = wᴴ ∂A/∂p v with wᴴv = 1, transfer functions by C (s − A)⁻¹ (∂A (s − A)⁻¹ B + ∂B), and a peak as |H| at its
/// frequency does, since that is stationary there (theory, Eq. 76). Responses in time move by the adjoint of the flow (theory, Eq. 19). One eigendecomposition serves all modes, one Schur form each
/// transfer function. Of poles that coincide and have independent eigenvectors, each direction of the values has its own: they are
/// there for every free value, so that a target holds whichever way they part.
class Quantities {
 public:
  /// p is what the system is made of, `chosen` the same as a designer wrote it down: values themselves, their sums and changes are
  /// of that. Derivatives are d/d log|value|, by the values `free` in this order; p₀ is what changes are counted from.
  Quantities(const NamedSystem& system, Vector p, std::vector<Index> free, Vector p0,
             Vector chosen);
  Quantities(const NamedSystem& system, const Vector& p, std::vector<Index> free, Vector p0)
      : Quantities(system, p, std::move(free), std::move(p0), p) {}

  /// From here on, numbers that are made of values and of simple poles have their curvature too (theory, Eq. 76): as much work again
  /// as twenty eigendecompositions, whatever the number of free values.
  void find_curvatures();

  /// The numbers that an expression is; several for a property of several modes or peaks. `apart`: what a max, min or sum is taken
  /// of, instead of that.
  std::vector<Smooth> evaluate(const Expression& expression, bool apart = false) const;

  /// Derivatives of what does not move.
  Vector none() const { return Vector::Zero(std::ssize(free_)); }
  /// Re λ and Im λ of every pole in the closed upper half plane, two numbers each.
  std::vector<Smooth> poles() const;
  /// |y(t)/y(∞) − 1| of the response to a step, at a time and at all its extremes after that.
  std::vector<Smooth> deviations(const Expression& settling, double since) const;

 private:
  struct Response;

  std::vector<Smooth> of_modes(const Expression& expression) const;
  /// A pole and how it moves: Re(weight · dλ/d log p) for any weight; several for one of a cluster.
  struct Motion {
    Complex pole;
    ComplexVector slope;
    bool copy = false;             ///< of a pole that is in the list already
    ComplexMatrix curvature = {};  ///< d²λ/(d log p_i d log p_j); empty where it is not known
  };
  std::vector<Motion> motions() const;
  std::vector<Smooth> of_transfer(const Expression& expression) const;
  std::vector<Smooth> peaks(const Expression& expression, const TransferFunction& transfer,
                            const std::function<Smooth(double)>& at) const;
  Smooth bandwidth(const TransferFunction& transfer, const std::function<Smooth(double)>& at) const;
  std::vector<Smooth> of_step(const Expression& expression) const;
  std::vector<Smooth> of_energy(const Expression& expression) const;
  Smooth constant(double value) const;
  Smooth named(Index k) const;
  /// leftᵀ ∂A/∂log p_k right for all free values.
  ComplexVector along(const ComplexVector& left, const ComplexVector& right) const;
  ComplexMatrix curvature_of_pole(Index k) const;
  /// What moves with ∂ℓ/∂A, and with ∂ℓ/∂B of the column b, for all free values.
  Vector pulled_back(const Matrix& by_a) const;
  Vector pulled_back_source(const Vector& by_b, const Vector& b) const;

  const NamedSystem& named_;
  Vector p_, p0_, chosen_;
  std::vector<Index> free_;
  Matrix a_;
  std::vector<std::vector<NamedSystem::Entry>> slopes_, storage_slopes_;
  /// ∂²A/(∂log p_i ∂log p_j), i ≤ j.
  struct Bend {
    Index i, j;
    std::vector<NamedSystem::Entry> entries;
  };
  std::vector<Bend> bends_ = {};
  bool curved_ = false, poles_apart_ = false;
  Eigensystem system_;
  double unit_;  ///< seconds in a unit of time, 1 where that is not known
};

/// Violations of a target: at most zero where it holds (`below`), or zero (`zero`), relative to what is wanted.
void add_target(const Target& target, const Quantities& at, int source, MinMaxPoint& point);

/// Of the numbers that a target is about the one that is worst off, as it is and not relative to what is wanted; of poles their
/// largest distance from where they shall be, relative to the size of that.
Smooth decisive(const Target& target, const Quantities& at);

/// What an objective is made of: the largest of them counts; of the negative where the largest is wanted.
std::vector<Smooth> objective(const Expression& expression, const Quantities& at, bool maximise);

}  // namespace lgn
