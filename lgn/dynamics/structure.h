#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "lgn/core/linear_algebra.h"
#include "lgn/core/random.h"
#include "lgn/dynamics/observation.h"

namespace lgn {

class Constants;
class ConstantStructure;
class Generator;
class ModalStructure;
class ModulatedStructure;
class NetworkStructure;
class PortHamiltonianStructure;

/// What a structure promises for every parameter value.
struct Guarantee {
  bool stable = false;        ///< Re λ ≤ 0
  bool dissipative = false;   ///< the energy ½ xᵀQx never grows
  bool conservative = false;  ///< the energy is constant
  bool passive = false;  ///< the energy grows by no more than what comes in at the ports, uᵀy
};

/// A named part of a generator as people read it: a constant, a vector (d) or a matrix (S).
struct NamedValue {
  std::string name;
  Matrix value;  ///< 1 × 1 for a constant, n × 1 for a vector
  enum class Shape { scalar, vector, matrix } shape = Shape::matrix;
};

/// A(t_k; θ) at K fixed times and one θ, with its derivative.
class GeneratorCourse {
 public:
  virtual ~GeneratorCourse() = default;
  /// A(t_1), A(t_2) … side by side, n × nK.
  virtual const Matrix& generators() const = 0;
  /// Σ_k (∂A(t_k)/∂θ)ᵀ G_k for G_1, G_2 … side by side, n × nK.
  virtual Vector pullback(const Matrix& g) const = 0;
  /// (∂A(t_k)/∂θ)ᵀ G_i for each of G_1 … G_m side by side (n × nm): p × m.
  virtual Matrix pullback_at(Index k, const Matrix& g) const = 0;
  /// The changes (∂A(t_k)/∂θ) δ side by side, n × nK.
  virtual Matrix pushforward(const Vector& delta) const = 0;
};

/// A structure at fixed times: what does not depend on θ is computed once.
class SampledStructure {
 public:
  virtual ~SampledStructure() = default;
  virtual std::unique_ptr<const GeneratorCourse> course(const Vector& theta) const = 0;
};

/// The structure of a generator: a smooth map θ, t → A(t; θ) whose image has a physical guarantee at every time.
///
/// A structure that does not depend on time is a ConstantStructure; the others are sampled where a flow needs them.
/// Laws, checked for every structure by one test suite: pullback is the transpose of ∂A/∂θ, and
/// QA(t) + A(t)ᵀQ ⪯ 0 (= 0 where conservative) for every t and θ where the structure promises it, Q = energy(θ)
/// (theory, Eq. 3).
class Structure {
 public:
  virtual ~Structure() = default;

  /// The name by which the program knows it ("sd", "parametric:rlc", "ltv-sd").
  virtual std::string name() const = 0;
  /// Of the state.
  virtual Index dimension() const = 0;
  /// Of what is measured: one channel for each state, unless `observation` says otherwise.
  virtual Index channels() const { return dimension(); }
  /// What channels see of the states.
  virtual Observation observation(const Vector& /*theta*/) const {
    return Observation::of_states(dimension());
  }
  /// Whether each channel is a state, and an initial state is what channels show at the beginning.
  virtual bool measures_states() const { return true; }
  /// What is promised for every θ at every time.
  virtual Guarantee guarantee() const = 0;

  /// Length of θ.
  virtual Index parameters() const = 0;
  /// How many free parameters A(t; θ) has: those of θ, less a gauge.
  virtual Index free_parameters() const { return parameters(); }
  /// One name per entry of θ.
  virtual std::vector<std::string> parameter_names() const = 0;

  /// The structure at these times, which need not be in order. It refers to this structure.
  virtual std::unique_ptr<const SampledStructure> sample(const Vector& times) const = 0;
  /// A(t; θ).
  Matrix generator(const Vector& theta, double time) const;

  /// Lowest value of each θ_i at which the map is still one-to-one; −∞ where there is none.
  /// Optimisers stay above it; A(θ) keeps its guarantee below it too.
  virtual Vector lower_bounds() const;
  /// The furthest that each θ_i may move in one step of a search over runs of this duration, beyond which a linear model
  /// says nothing about it; ∞ where there is no such limit.
  virtual Vector largest_steps(double duration) const;
  /// The same parameters, as quantities of the field.
  virtual std::vector<NamedValue> named_values(const Vector& theta) const = 0;
  /// The parameters themselves in the units in which named_values has them, by their slopes dp/dθ: 1 but for laws.
  Vector parameter_slopes(const Vector& theta) const;

  /// Q of the energy ½ xᵀQx that the guarantee is about; nothing when no energy is known.
  virtual std::optional<Matrix> energy(const Vector& theta) const;
  /// Whether all states share one unit, so that ‖x‖² is an energy. Otherwise each channel has a
  /// size of its own.
  virtual bool common_unit() const { return true; }

  /// T with A(t + T) = A(t), where the variation repeats.
  virtual std::optional<double> period(const Vector&) const { return {}; }
  /// Whether A(t) means something beyond the times that it was learned from.
  virtual bool extrapolates() const { return true; }
  /// Times strictly between the first and the last of ascending `times` at which A(t; θ) is not
  /// smooth, in no order. Where A has a corner because something changes its sign, that is noticed if
  /// the signs differ at two neighbours.
  virtual std::vector<double> corners(const Vector& /*theta*/, const Vector& /*times*/) const {
    return {};
  }
  /// Angular frequencies of the waves in A(t), where it is made of waves.
  virtual Vector waves(const Vector&) const { return {}; }

  /// What the structure is to those who treat it apart; null where it is not.
  virtual const ConstantStructure* autonomous() const { return nullptr; }
  virtual const NetworkStructure* network() const { return nullptr; }
  virtual const ModulatedStructure* modulated() const { return nullptr; }
  virtual const ModalStructure* modal() const { return nullptr; }
  /// Where θ says how inputs enter, and how channels see states.
  virtual const PortHamiltonianStructure* ports() const { return nullptr; }
  /// The named constants of a law.
  virtual const Constants* law_constants() const { return nullptr; }
  /// The name of the law, "rlc" of "parametric:rlc"; empty where the structure is none.
  std::string law_name() const;
};

/// The structure of a generator that does not depend on time: a smooth map θ → A(θ).
///
/// Laws beside those of Structure, checked for every one by one test suite:
///     ⟨pullback(θ, G), δ⟩ = ⟨G, pushforward(θ, δ)⟩,
///     generator(project(generator(project(A)))) = generator(project(A)).
class ConstantStructure : public Structure {
 public:
  Index free_parameters() const override;
  const ConstantStructure* autonomous() const final { return this; }

  /// A(θ).
  virtual Matrix generator(const Vector& theta) const = 0;
  /// (∂A/∂θ)ᵀ G: turns ∂ℓ/∂A into ∂ℓ/∂θ (theory, Eq. 13).
  virtual Vector pullback(const Vector& theta, const Matrix& g) const = 0;
  /// (∂A/∂θ) δ: the change of A along δ.
  virtual Matrix pushforward(const Vector& theta, const Vector& delta) const = 0;
  /// E_q = ∂A/∂θ_q below one another, p n × n.
  virtual Matrix directions(const Vector& theta) const;
  /// A(θ) as an operator (generator.h); on its pattern alone where the structure has one.
  virtual std::unique_ptr<const Generator> at(const Vector& theta) const;

  /// θ of the member nearest to A in the Frobenius norm, or of one near A where the structure says so;
  /// of A itself where A is a member.
  virtual Vector project(const Matrix& a) const = 0;
  /// A start for training, in units where the system's rates are of order one.
  virtual Vector random_start(Random& random) const = 0;
  /// How large each θ_i is for rates of order one and channels of these sizes.
  virtual Vector typical_parameters(const Vector& channel_sizes) const;
  /// Whether θ may be learned in other units of time: the structure of cA is that of A for every c
  /// > 0.
  virtual bool scales_with_time() const { return true; }

  std::unique_ptr<const SampledStructure> sample(const Vector& times) const override;
};

/// Largest eigenvalue of the symmetric part of Q^½ A Q^−½: how fast the energy ½ xᵀQx can grow at
/// most, relative to twice itself. At most zero for a dissipative structure, up to rounding.
double energy_growth_rate(const Matrix& a, const Matrix& q);

}  // namespace lgn
