#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "lgn/dynamics/constant.h"
#include "lgn/dynamics/formula.h"
#include "lgn/dynamics/structure.h"

namespace lgn {

/// A generator written as a formula in time and named constants, A(t, p).
///
/// As Law (law.h): a generic lambda that fills an n × n matrix, for any scalar type of p, by
/// analytic operations only.
///
///     using Range = Constant::Range;
///     VaryingLaw swing("swing", 2, {{"g", Range::positive, 9.8}, {"rate"}},
///                      [](double t, const auto& p, auto& a) { a << 0, 1, -p[0], p[1] * t; });
class VaryingLaw {
 public:
  template <class Formula>
  VaryingLaw(std::string name, Index dimension, std::vector<Constant> constants, Formula formula)
      : name_(std::move(name)),
        constants_(std::move(constants)),
        formula_(dimension, std::move(formula)) {}

  /// Declares what holds at every time for every p, and Q(p) of the energy that it is about.
  VaryingLaw& promise(Guarantee guarantee, std::function<Matrix(const Vector&)> energy);
  /// Declares that A(t + T, p) = A(t, p) with T = period(p).
  VaryingLaw& repeats(std::function<double(const Vector&)> period);

  const std::string& name() const { return name_; }
  Index dimension() const { return formula_.dimension(); }
  const std::vector<Constant>& constants() const { return constants_; }
  const Guarantee& guarantee() const { return guarantee_; }

  Matrix generator(double t, const Vector& p) const { return formula_.value(t, p); }
  /// ∂A/∂p_k.
  Matrix derivative(double t, const Vector& p, Index k) const {
    return formula_.derivative(t, p, k);
  }
  std::optional<Matrix> energy(const Vector& p) const;
  std::optional<double> period(const Vector& p) const;

 private:
  std::string name_;
  std::vector<Constant> constants_;
  Formula formula_;
  Guarantee guarantee_;
  std::function<Matrix(const Vector&)> energy_;
  std::function<double(const Vector&)> period_;
};

/// q̇ = p, ṗ = −ω₀² q − γ₀(1 + a sin ω_d t) p; constants omega2, gamma0, a, omega_d with |a| < 1, so
/// that ½(ω₀²q² + p²) never grows.
VaryingLaw ltv_oscillator_law();

/// A chain of unit masses between two walls whose middle spring drifts to another stiffness:
/// q̈_i = k_(i−1)(q_(i−1) − q_i) + k_i(q_(i+1) − q_i) − c q̇_i with k_i = k, but k(1 + a tanh(t/τ)) for the
/// middle one; states q1 … qN, v1 … vN, constants stiffness, damping, drift (|a| < 1), tau. A stiffness
/// that grows adds energy, so that nothing is promised.
VaryingLaw ltv_chain_law(Index masses);

/// The law that varies in time and is known to the program by that name, for n states; nothing for
/// another name. Throws Error for a dimension that the law does not have.
std::optional<VaryingLaw> find_varying_law(const std::string& name, Index dimension);

/// A law with its constants as parameters, A(t, p(θ)).
class VaryingParametric final : public Structure {
 public:
  explicit VaryingParametric(VaryingLaw law) : law_(std::move(law)), constants_(law_.constants()) {}

  std::string name() const override { return "parametric:" + law_.name(); }
  Index dimension() const override { return law_.dimension(); }
  Guarantee guarantee() const override { return law_.guarantee(); }
  Index parameters() const override { return constants_.size(); }
  std::vector<std::string> parameter_names() const override { return constants_.names(); }
  std::unique_ptr<const SampledStructure> sample(const Vector& times) const override;
  Vector lower_bounds() const override { return constants_.lower_bounds(); }
  std::vector<NamedValue> named_values(const Vector& theta) const override {
    return constants_.named(theta);
  }
  std::optional<Matrix> energy(const Vector& theta) const override {
    return law_.energy(constants_.values(theta));
  }
  std::optional<double> period(const Vector& theta) const override {
    return law_.period(constants_.values(theta));
  }
  bool common_unit() const override { return false; }
  const Constants* law_constants() const override { return &constants_; }

  const VaryingLaw& law() const { return law_; }
  const Constants& constants() const { return constants_; }

 private:
  class Sampled;
  class Course;

  VaryingLaw law_;
  Constants constants_;
};

}  // namespace lgn
