#pragma once

#include "lgn/core/positive_real.h"
#include "lgn/dynamics/structure.h"

namespace lgn {

/// What proves a system passive: Q ≻ 0 of the storage ½ xᵀQx, and L with
///     [[R, P], [Pᵀ, S]] = L Lᵀ,  R = −½ (QA + AᵀQ),  P = ½ (Cᵀ − QB),  S = ½ (D + Dᵀ),
/// so that the storage grows by no more than uᵀy (theory, Eq. 69).
struct PassivityCertificate {
  Matrix storage;  ///< Q
  Matrix factor;   ///< L, states and ports × any number
};

/// Throws Error with what is wrong unless the certificate proves the system passive, up to the rounding of its numbers.
void check_passivity(const SquareSystem& system, const PassivityCertificate& certificate);

/// A passive system with m ports, each an input and the output beside it, in the coordinates of a storage ½ ‖x‖²:
///     ẋ = (J − R) x + (G − P) u,  y = (G + P)ᵀ x + (S + N) u,  J and N skew,  [[R, P], [Pᵀ, S]] = L Lᵀ  (theory, Eq. 69).
/// Along every motion d/dt ½ ‖x‖² = uᵀy − ‖Lᵀ(x, u)‖² ≤ uᵀy, for every θ: no parameter value is not passive.
///
/// L has m columns. That loses nothing: every minimal passive system has a storage with such an L (positive real lemma,
/// positive_real.h), and coordinates in which that storage is ½ ‖x‖². Of these J is block diagonal with [[0, w], [−w, 0]]. What
/// is left undetermined is a rotation of each block.
///
/// θ: w of every pair of states, G, the upper part of L (states × ports), both column by column; with feedthrough the
/// lower part of L, which is lower triangular, and N below its diagonal. Without feedthrough P, S and N are zero.
class PortHamiltonianStructure final : public ConstantStructure {
 public:
  PortHamiltonianStructure(Index states, Index ports, bool feedthrough);

  bool feedthrough() const { return feedthrough_; }
  /// A, B, C and D; D is empty without feedthrough.
  SquareSystem system(const Vector& theta) const;
  /// How they change along δ.
  SquareSystem system_change(const Vector& theta, const Vector& delta) const;
  PassivityCertificate certificate(const Vector& theta) const;
  /// θ of a strictly passive system, up to rounding; nothing where it is not, or the structure has no feedthrough.
  std::optional<Vector> parameters_of(const SquareSystem& system) const;
  /// θ for what makes a passive system in these coordinates: w of the pairs, G and both parts of L.
  Vector pack(const Vector& w, const Matrix& g, const Matrix& upper, const Matrix& lower,
              const Matrix& skew) const;

  std::string name() const override { return "port-hamiltonian"; }
  Index dimension() const override { return n_; }
  Index channels() const override { return m_; }
  Observation observation(const Vector& theta) const override;
  bool measures_states() const override { return false; }
  Guarantee guarantee() const override { return {true, true, false, true}; }
  Index parameters() const override;
  /// Those of a transfer function of as many states: 2nm + m² with feedthrough.
  Index free_parameters() const override;
  std::vector<std::string> parameter_names() const override;
  Matrix generator(const Vector& theta) const override;
  Vector pullback(const Vector& theta, const Matrix& g) const override;
  Matrix pushforward(const Vector& theta, const Vector& delta) const override;
  /// With no effect of inputs.
  Vector project(const Matrix& a) const override;
  Vector random_start(Random& random) const override;
  /// J, R, G, P, S and N.
  std::vector<NamedValue> named_values(const Vector& theta) const override;
  std::optional<Matrix> energy(const Vector&) const override { return Matrix::Identity(n_, n_); }
  bool common_unit() const override { return false; }
  const PortHamiltonianStructure* ports() const override { return this; }

 private:
  struct Parts {
    Matrix j, g, upper, lower, skew;  ///< J, G, both parts of L, N
  };
  Parts parts(const Vector& theta) const;

  Index n_, m_;
  bool feedthrough_;
};

}  // namespace lgn
