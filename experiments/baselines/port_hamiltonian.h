#pragma once

#include "lgn/dynamics/skew_part.h"
#include "lgn/dynamics/structure.h"

namespace lgn::studies {

/// Dissipative SymODEN (Zhong, Dey & Chakraborty, 2020) for linear systems: A = (J − R) M with J
/// skew, R and M diagonal and positive by softplus. ½ xᵀMx never grows.
///
/// With M = T⁻² this is T (S − D) T⁻¹, J = TST, R = TDT: the same generators as ScaledSdStructure
/// but for dampings that are exactly zero. n(n+3)/2 parameters (27 for n = 6), one of them without
/// effect, because cJ, cR, M/c are one A.
class PortHamiltonianStructure final : public ConstantStructure {
 public:
  explicit PortHamiltonianStructure(Index n) : n_(n), skew_(n) {}
  std::string name() const override { return "port-hamiltonian"; }
  Index dimension() const override { return n_; }
  Guarantee guarantee() const override { return {true, true, false}; }
  Index parameters() const override { return skew_.size() + 2 * n_; }
  std::vector<std::string> parameter_names() const override;
  Matrix generator(const Vector& theta) const override;
  Vector pullback(const Vector& theta, const Matrix& g) const override;
  Matrix pushforward(const Vector& theta, const Vector& delta) const override;
  /// A itself for a member, up to 1e-12 in R and in M, otherwise the member near A that
  /// ScaledSdStructure finds, with R ≥ 1e-12. The geometric mean of M is 1.
  Vector project(const Matrix& a) const override;
  /// 0.1·randn for all parameters.
  Vector random_start(Random& random) const override;
  std::vector<NamedValue> named_values(const Vector& theta) const override;
  std::optional<Matrix> energy(const Vector& theta) const override;
  bool common_unit() const override { return false; }

 private:
  Vector dissipation(const Vector& theta) const;  ///< diagonal of R
  Vector hessian(const Vector& theta) const;      ///< diagonal of M
  Matrix j_minus_r(const Vector& theta) const;

  Index n_;
  SkewPart skew_;
};

}  // namespace lgn::studies
