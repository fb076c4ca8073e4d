#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "lgn/core/linear_algebra.h"
#include "lgn/core/random.h"

namespace lgn {

/// What a structure promises for every parameter value.
struct Guarantee {
  bool stable = false;        ///< Re λ ≤ 0
  bool dissipative = false;   ///< the energy ½ xᵀQx never grows
  bool conservative = false;  ///< the energy is constant
};

/// A named part of a generator as people read it: a constant, a vector (d) or a matrix (S).
struct NamedValue {
  std::string name;
  Matrix value;  ///< 1 × 1 for a constant, n × 1 for a vector
  enum class Shape { scalar, vector, matrix } shape = Shape::matrix;
};

/// The structure of a generator: a smooth map θ → A(θ) whose image has a physical guarantee.
///
/// Laws, checked for every structure by one test suite:
///     ⟨pullback(θ, G), δ⟩ = ⟨G, pushforward(θ, δ)⟩,
///     generator(project(generator(project(A)))) = generator(project(A)),
/// and QA + AᵀQ ⪯ 0 (= 0 where conservative) with Q = energy(θ), for every θ (theory, Eq. 3).
class Structure {
 public:
  virtual ~Structure() = default;

  /// The name by which the program knows it ("sd", "parametric:rlc").
  virtual std::string name() const = 0;
  virtual Index dimension() const = 0;
  virtual Guarantee guarantee() const = 0;

  /// Length of θ.
  virtual Index parameters() const = 0;
  /// How many numbers A(θ) varies by: the parameters, less a gauge where there are more than n².
  Index freedom() const;
  /// One name per entry of θ.
  virtual std::vector<std::string> parameter_names() const = 0;

  /// A(θ).
  virtual Matrix generator(const Vector& theta) const = 0;
  /// (∂A/∂θ)ᵀ G: turns ∂ℓ/∂A into ∂ℓ/∂θ (theory, Eq. 13).
  virtual Vector pullback(const Vector& theta, const Matrix& g) const = 0;
  /// (∂A/∂θ) δ: the change of A along δ.
  virtual Matrix pushforward(const Vector& theta, const Vector& delta) const = 0;

  /// θ of the member nearest to A in the Frobenius norm, or of one near A where the structure says so;
  /// of A itself where A is a member.
  virtual Vector project(const Matrix& a) const = 0;
  /// Lowest value of each θ_i at which the map is still one-to-one; −∞ where there is none.
  /// Optimisers stay above it; A(θ) keeps its guarantee below it too.
  virtual Vector lower_bounds() const;
  /// A start for training, in units where the system's rates are of order one.
  virtual Vector random_start(Random& random) const = 0;
  /// The same parameters, as quantities of the field.
  virtual std::vector<NamedValue> named_values(const Vector& theta) const = 0;

  /// Q of the energy ½ xᵀQx that the guarantee is about; nothing when no energy is known.
  virtual std::optional<Matrix> energy(const Vector& theta) const;
  /// Whether all states share one unit, so that ‖x‖² is an energy. Otherwise each channel has a
  /// size of its own.
  virtual bool common_unit() const { return true; }
  /// How large each θ_i is for rates of order one and channels of these sizes.
  virtual Vector typical_parameters(const Vector& channel_sizes) const;
  /// Whether θ may be learned in other units of time: the structure of cA is that of A for every c
  /// > 0.
  virtual bool scales_with_time() const { return true; }
};

/// Largest eigenvalue of the symmetric part of Q^½ A Q^−½: how fast the energy ½ xᵀQx can grow at
/// most, relative to twice itself. At most zero for a dissipative structure, up to rounding.
double energy_growth_rate(const Matrix& a, const Matrix& q);

}  // namespace lgn
