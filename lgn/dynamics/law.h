#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "lgn/dynamics/constant.h"
#include "lgn/dynamics/formula.h"
#include "lgn/dynamics/structure.h"

namespace lgn {

/// A generator written as a formula in named constants, A(p).
///
/// A law is a few lines. The formula is a generic lambda that fills an n × n matrix from the
/// constants, for any scalar type: it is evaluated with doubles for A and with complex numbers for
/// ∂A/∂p (complex step, exact to rounding), so use only analytic operations (+ − × ÷ sqrt exp sin
/// …), no abs or max.
///
///     using Range = Constant::Range;
///     Law pendulum("pendulum", 2, {{"g_over_l", Range::positive}, {"drag", Range::non_negative}},
///                  [](const auto& p, auto& a) { a << 0, 1, -p[0], -p[1]; });
///     pendulum.promise({.stable = true, .dissipative = true},
///                      [](const Vector& p) { return Matrix(Vector{{p[0], 1.0}}.asDiagonal()); });
class Law {
 public:
  template <class Formula>
  Law(std::string name, Index dimension, std::vector<Constant> constants, Formula formula)
      : name_(std::move(name)),
        constants_(std::move(constants)),
        formula_(dimension, [=](double, const auto& p, auto& a) { formula(p, a); }) {}

  /// Declares the guarantee, and Q(p) of the energy ½ xᵀQx that it is about.
  Law& promise(Guarantee guarantee, std::function<Matrix(const Vector&)> energy);

  const std::string& name() const { return name_; }
  Index dimension() const { return formula_.dimension(); }
  const std::vector<Constant>& constants() const { return constants_; }
  const Guarantee& guarantee() const { return guarantee_; }

  Matrix generator(const Vector& p) const { return formula_.value(0, p); }
  /// ∂A/∂p_k.
  Matrix derivative(const Vector& p, Index k) const { return formula_.derivative(0, p, k); }
  std::optional<Matrix> energy(const Vector& p) const;

 private:
  std::string name_;
  std::vector<Constant> constants_;
  Formula formula_;
  Guarantee guarantee_;
  std::function<Matrix(const Vector&)> energy_;
};

/// q̇ = p, ṗ = −ω² q; constant omega. Conserves ½(ω²q² + p²).
Law oscillator_law();
/// q̇ = p, ṗ = −ω² q − γ p; constants omega2, gamma. ½(ω²q² + p²) never grows.
Law rlc_law();
/// The RLC ladder with N sections, states v1, i1, v2, i2, …: C_k v̇_k = i_(k−1) − i_k with i_0 = 0,
/// L_k i̇_k = v_k − v_(k+1) − R_k i_k with v_(N+1) = 0; constants R1 … RN, L1 … LN, C1 … CN.
/// The stored energy ½ Σ (C_k v_k² + L_k i_k²) never grows.
Law ladder_law(Index sections);

/// The law known to the program by that name, for n states. Throws Error for an unknown name or a
/// dimension that the law does not have.
Law find_law(const std::string& name, Index dimension);

}  // namespace lgn
