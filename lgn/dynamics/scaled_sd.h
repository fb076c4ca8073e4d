#pragma once

#include "lgn/dynamics/skew_part.h"
#include "lgn/dynamics/structure.h"

namespace lgn {

/// A = T (S − diag(d)) T⁻¹ with T = diag(1, exp(τ₂), …, exp(τₙ)), Sᵀ = −S, d ≥ 0: S − D for
/// channels in units of their own, volts beside amperes, positions beside velocities:
/// Aᵢⱼ = Sᵢⱼ exp(τᵢ − τⱼ), |τᵢ| counts up to 64 (theory, Eq. 8).
///
/// Re λ ≤ 0 and the energy ½ xᵀT⁻²x never grows, whatever θ; in the channels T⁻¹x it is ½‖x‖². Only
/// ratios of scales show in A, so the first is 1 and Q = T⁻² is returned with geometric mean 1.
/// n(n−1)/2 + 2n − 1 parameters: S, d as in SdStructure (dᵢ = max(θᵢ, 0), bound 0), then τ. Where S
/// falls into parts that do not touch, the scale of one part against another does not show in A.
class ScaledSdStructure final : public ConstantStructure {
 public:
  explicit ScaledSdStructure(Index n) : n_(n), skew_(n) {}
  std::string name() const override { return "scaled-sd"; }
  Index dimension() const override { return n_; }
  Guarantee guarantee() const override { return {true, true, false}; }
  Index parameters() const override { return skew_.size() + n_ + scales(); }
  std::vector<std::string> parameter_names() const override;
  Matrix generator(const Vector& theta) const override;
  Vector pullback(const Vector& theta, const Matrix& g) const override;
  Matrix pushforward(const Vector& theta, const Vector& delta) const override;
  /// A itself for a member, otherwise a member near A, not the nearest: first the scales, from each
  /// pair of opposite signs, AᵢⱼAⱼᵢ < 0, by least squares of τᵢ − τⱼ against ½ log |Aᵢⱼ/Aⱼᵢ| with
  /// weights |AᵢⱼAⱼᵢ| (squared rates, so free of units); then for those scales the nearest S and d
  /// ≥ 0. Where such pairs tie the channels together in several parts only, the first channel of
  /// each part has scale 1. O(n⁴) where all pairs are opposite.
  Vector project(const Matrix& a) const override;
  Vector lower_bounds() const override;
  Vector random_start(Random& random) const override;
  std::vector<NamedValue> named_values(const Vector& theta) const override;
  std::optional<Matrix> energy(const Vector& theta) const override;
  bool common_unit() const override { return false; }
  /// S and d are rates, 1; τᵢ, a logarithm, |log(sᵢ/s₁)| or 1.
  Vector typical_parameters(const Vector& channel_sizes) const override;

 private:
  Index scales() const { return n_ > 0 ? n_ - 1 : 0; }
  /// exp(τ), the first one 1, and dexp(τ)/dτ / exp(τ): 1, and 0 where τ is at its limit or fixed.
  Vector scale(const Vector& theta) const;
  Vector scale_moves(const Vector& theta) const;
  Matrix in_own_units(const Vector& theta) const;  ///< S − diag(d)

  Index n_;
  SkewPart skew_;
};

}  // namespace lgn
