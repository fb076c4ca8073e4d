#pragma once

#include "lgn/dynamics/skew_part.h"
#include "lgn/dynamics/structure.h"

namespace lgn {

/// Q ≻ 0 with QA + AᵀQ ⪯ 0: an energy ½ xᵀQx that never grows along ẋ = Ax, found from A alone.
///
/// One exists if and only if Re λ ≤ 0 and no eigenvalue with Re λ = 0 is defective. It is not
/// unique; this one is, in channels balanced by a diagonal scaling (so that units do not matter),
///   * the modal energy Q = V⁻ᴴV⁻¹ (theory, Eq. 12), V the eigenvectors at unit length, when
///     cond(V) ≤ 1000: each mode's energy falls at its own rate 2 Re λ, and poles on the imaginary
///     axis are welcome;
///   * else, eigenvectors being nearly dependent, the solution of AᵀQ + QA = −I (strictly stable A
///     only, and worse conditioned the stiffer A is), or the modal energy if that is still better
///     conditioned.
/// The geometric mean of its eigenvalues is 1. QA + AᵀQ ⪯ 0 holds up to the rounding of A and Q.
/// About 40 n³ flops, 100 n³ in the second case.
///
/// Nothing when no such Q exists, or none that double precision can tell from a singular one. A
/// pole right of the axis by no more than the rounding of A counts as on it.
/// Throws Error when A is not square or not finite.
std::optional<Matrix> find_metric(const Matrix& a);

/// A = (J − R) Q with Jᵀ = −J, R = LLᵀ ⪰ 0 and Q = GGᵀ ≻ 0 (port-Hamiltonian form): Re λ ≤ 0 and
/// the energy ½ xᵀQx never grows, whatever θ (theory, Eq. 9). Every Hurwitz matrix has this form
/// (theory, Eq. 11).
///
/// L and G are lower triangular; G's diagonal is exp(gᵢ) (|gᵢ| counts up to 64), so Q is never
/// singular. 3n(n+1)/2 − n parameters for at most n² numbers: many (J, R, Q) are one A, of which
/// c·J, c·R, Q/c is the simplest case. An optimiser has to damp those directions; in A nothing
/// depends on them.
///
/// Channels have units of their own: Q carries them. A θ whose Q is singular to rounding keeps Re λ
/// ≤ 0 up to the rounding of the product (J − R) Q only.
class MetricStructure final : public ConstantStructure {
 public:
  explicit MetricStructure(Index n) : n_(n), skew_(n) {}
  std::string name() const override { return "metric"; }
  Index dimension() const override { return n_; }
  Guarantee guarantee() const override { return {true, true, false}; }
  Index parameters() const override { return skew_.size() + 2 * triangle(); }
  std::vector<std::string> parameter_names() const override;
  Matrix generator(const Vector& theta) const override;
  Vector pullback(const Vector& theta, const Matrix& g) const override;
  Matrix pushforward(const Vector& theta, const Vector& delta) const override;
  /// A itself, with Q = find_metric(A), wherever that exists: to rounding times the size of the
  /// factors, ‖AQ⁻¹‖ ‖Q‖ / ‖A‖ ≤ cond(Q). Otherwise a member near A, not the nearest: in balanced
  /// channels every pole right of the axis is mirrored to its left (Re λ → −Re λ, on the diagonal
  /// of the real Schur form, so that A moves by 2 ‖(Re λ)₊‖), and one on it moves left by √ε ‖A‖
  /// or, where no metric is resolved yet, by the least of √ε ‖A‖ 100ᵏ.
  Vector project(const Matrix& a) const override;
  Vector random_start(Random& random) const override;
  std::vector<NamedValue> named_values(const Vector& theta) const override;
  std::optional<Matrix> energy(const Vector& theta) const override;
  bool common_unit() const override { return false; }
  /// With channels of sizes sᵢ around their geometric mean: Jᵢⱼ ~ sᵢsⱼ, Lᵢⱼ ~ sᵢ, Gᵢⱼ ~ 1/sᵢ, and
  /// gᵢ, a logarithm, |log sᵢ| or 1.
  Vector typical_parameters(const Vector& channel_sizes) const override;

 private:
  Index triangle() const { return n_ * (n_ + 1) / 2; }
  Matrix l(const Vector& theta) const;
  Matrix g(const Vector& theta) const;
  Matrix q(const Vector& theta) const;
  Matrix j_minus_r(const Vector& theta) const;

  Index n_;
  SkewPart skew_;
};

}  // namespace lgn
