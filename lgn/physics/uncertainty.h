#pragma once

#include <vector>

#include "lgn/data/dataset.h"
#include "lgn/physics/modes.h"

namespace lgn {

/// Covariance of (Re λ, Im λ) of every pole, in the order of find_modes; infinite where the data say
/// nothing.
using PoleCovariances = std::vector<Eigen::Matrix2d>;

/// What is known about the parameters: the information matrix F of θ, with the initial states of the runs
/// eliminated (theory, Eq. 43), and the directions ∂A/∂θ_q that it belongs to, below one another (p
/// n × n).
struct Information {
  Matrix matrix;
  Matrix directions;
  /// R with R Rᵀ the covariance of θ; empty: F⁻¹ is.
  Matrix root = {};
};

/// Fisher information of the directions under independent Gaussian noise of these sizes, one per
/// channel; `initial_states`: known ones, or nothing where they were estimated. O(values p²).
Information find_information(const Matrix& a, const Matrix& directions, const Dataset& data,
                             const Vector& noise, const std::optional<Matrix>& initial_states = {});

/// The covariance of θ carried to the poles (theory, Eq. 45) by dλ_k = w_kᴴ dA v_k, wᴴv = 1 (theory, Eq. 44).
/// Directions whose information is lost in the rounding of F count with that rounding, so that a
/// pole which depends on them has a large covariance instead of a wrong small one. O(p³).
PoleCovariances pole_covariances(const Matrix& a, const Information& information);

/// The same for a generator without structure, cheap at any size.
///
/// In modes the model is x(t) = Σ_k v_k a_kr e^(λ_k t) in run r. The shapes v_k enter linearly, with
/// one design for all channels, and are eliminated by one orthogonal factorisation; information
/// about the n exponents and the n m amplitudes of m runs is left. Missing samples count as if they
/// were there. O(K (n m)² + (n m)³) for K samples.
PoleCovariances pole_covariances_of_modes(const Matrix& a, const Matrix& initial_states,
                                          const Dataset& data, const Vector& noise);

/// Fills in standard errors, and marks modes whose pole is uncertain by more than half of its own
/// size (of one turn in the longest run, for slow ones) as not determined (theory, Eq. 48).
/// `factor` scales all standard errors.
void set_errors(std::vector<Mode>& modes, const PoleCovariances& covariances, double duration,
                double factor);

/// Half-width of a central interval, in standard errors, that holds the truth with this probability,
/// by Student's distribution.
double interval_factor(double confidence, double freedom);

}  // namespace lgn
