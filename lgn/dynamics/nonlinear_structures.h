#pragma once

#include <memory>
#include <string>
#include <vector>

#include "lgn/dynamics/nonlinear_structure.h"

namespace lgn {

/// ẋ = (S(x) − D(x)) Q x with S skew, D = diag ≥ 0 and Q = diag(1, q_2, …) > 0: ½ xᵀQx never grows.
///
/// S(x) holds polynomials of a degree below `degree`. With the products of pair (i, j) without states before i each field with
/// xᵀQ f = 0 is had once, and all polynomial ones of that degree are (exactness of Koszul's complex). D has d_i ≥ 0 and, from
/// degree 3 on, d_ij x_j² with d_ij ≥ 0.
std::shared_ptr<const NonlinearStructure> gyro_structure(Index states, Index degree = 2);

/// Which springs and dampers masses may have.
struct MechanicalTerms {
  /// Degrees of the potential e^d/d of a spring, e = q_i − q_j or q_i: its force is k e^(d−1). Even ones have k ≥ 0.
  std::vector<Index> springs{2, 3, 4};
  /// Odd powers of the velocity ė that dampers resist with, c ≥ 0.
  std::vector<Index> dampers{1, 3};
  /// Masses whose position is an angle, with a potential k (1 − cos q): a pendulum.
  std::vector<Index> angles{};
  bool couplings = true;  ///< between masses, beside those to the ground
};

/// Masses with nonlinear springs and dampers: q̇ = v, m_i v̇_i = −∂_i V(q) − (dampers)_i, states q_1 … q_k, v_1 … v_k, m_1 = 1.
/// V + Σ ½ m v² never grows. It is bounded below where a spring of the highest, even, degree holds each mass; an odd
/// degree beside even ones of lower degree only leaves it without bound.
std::shared_ptr<const NonlinearStructure> nonlinear_mechanical_structure(
    Index masses, const MechanicalTerms& terms = {});

/// Storages that saturate, such as coils with iron and varactors: ẋ_i = p_i(x_i) (Σ_j s_ij e_j(x_j) − d_i e_i(x_i)) with
/// p_i = 1 + a_i x_i², e_i = q_i x_i (1 + b_i x_i²), s skew, a, b, d ≥ 0, q > 0, q_1 = 1: Σ ∫ e_i/p_i never grows.
std::shared_ptr<const NonlinearStructure> storage_structure(Index states);

/// ẋ = b + A x + N(x), N quadratic with xᵀQ N(x) = 0, Q = diag(1, q_2, …) > 0; b and A free. Nothing is promised for every θ,
/// but certified_bound() proves for one θ that trajectories stay bounded.
std::shared_ptr<const NonlinearStructure> lossless_structure(Index states);

/// ẋ = all polynomials up to `degree`, constants included: no promise, to compare with.
std::shared_ptr<const NonlinearStructure> polynomial_structure(Index states, Index degree = 3);

/// Outside the ball ‖Q^½(x − centre)‖ ≤ radius the distance from the centre falls, so that trajectories end in it, or stay in
/// one around it that holds their start.
struct TrappingBall {
  Vector centre;
  Matrix metric;      ///< Q
  double rate = 0;    ///< λ_max < 0 of the symmetric part of Q^½(A + ∂N(c))Q^−½
  double radius = 0;  ///< in the norm of Q
};
/// The trapping ball of a lossless law, by the centre that makes λ_max smallest (a convex problem: Schlegel & Noack, J. Fluid
/// Mech. 765:325, 2015); nothing where none has λ_max < 0. Throws Error for a structure that is not lossless.
std::optional<TrappingBall> certified_bound(const NonlinearStructure& structure,
                                            const Vector& theta);

/// What a nonlinear structure is made of, by the name that the program knows it by: enough to make it again.
struct NonlinearRecipe {
  std::string name;  ///< gyro, nonlinear-mechanical, storage, lossless or polynomial
  Index states = 0;
  Index degree = 0;                 ///< of gyro and polynomial; 0: the usual one
  MechanicalTerms mechanical = {};  ///< of nonlinear-mechanical
  Index inputs = 0;                 ///< each acts on every state, of masses on the velocities alone
};
/// Throws Error for an unknown name, or a number of states or inputs that it cannot have.
std::shared_ptr<const NonlinearStructure> build_nonlinear(const NonlinearRecipe& recipe);
/// Names that build_nonlinear knows.
const std::vector<std::string>& nonlinear_structure_names();

}  // namespace lgn
