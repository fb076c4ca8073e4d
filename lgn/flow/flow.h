#pragma once

#include <memory>

#include "lgn/dynamics/structure.h"
#include "lgn/flow/magnus_grid.h"

namespace lgn {

/// The flow of ẋ = A(t; θ) x at one θ and K increasing times, with its exact derivatives with respect to θ and x₀.
///
/// States of all samples stand below one another: row k n + i of a column is x_i(t_k), and each column belongs to one
/// initial state. A flow owns its exponentials; nothing is computed twice.
class Flow {
 public:
  virtual ~Flow() = default;
  /// K.
  virtual Index samples() const = 0;
  /// The states that follow each initial state (a column): K n × m.
  virtual Matrix states(const Matrix& x0) const = 0;
  /// The maps from the first time to every time: states of the unit vectors, K n × n.
  virtual Matrix maps() const = 0;
  /// ∂states/∂θ, transposed: p m × K n. Row r p + q and column i K + k hold ∂x_i(t_k)/∂θ_q of initial state r.
  virtual Matrix jacobian(const Matrix& x0) const = 0;
  /// (∂states/∂θ) δ: K n × m.
  virtual Matrix tangent(const Vector& delta, const Matrix& x0) const = 0;

  /// For a scalar ℓ with ∂ℓ/∂states = `pull` (K n × m), at states that `states` has returned: ∂ℓ/∂θ and ∂ℓ/∂x₀.
  struct Gradient {
    Vector theta;
    Matrix x0;
  };
  virtual Gradient adjoint(const Matrix& states, const Matrix& pull) const = 0;
  /// ∂ℓ/∂x₀ alone.
  virtual Matrix adjoint_x0(const Matrix& pull) const = 0;

  /// What channels see of the states.
  virtual const Observation& observation() const = 0;
  /// Samples that are best asked about at once: all of them, or fewer where any can be had for themselves.
  virtual Index block() const { return samples(); }
  /// Outputs that follow each initial state (a column): K l × m.
  virtual Matrix outputs(const Matrix& x0) const;
  /// Outputs of the unit vectors at `count` samples from `first` on, which begins a block: count l × n.
  virtual Matrix output_maps(Index first, Index count) const;
  /// ∂outputs/∂θ of these samples, transposed: p m × count l. Row r p + q and column c count + k hold ∂y_c(t_k)/∂θ_q of
  /// initial state r.
  virtual Matrix output_jacobian(const Matrix& x0, Index first, Index count) const;
};

/// A structure and increasing times: what flows at different θ share. It must not outlive the structure.
class FlowPlan {
 public:
  virtual ~FlowPlan() = default;
  virtual std::unique_ptr<const Flow> at(const Vector& theta) const = 0;
  /// The steps that are taken; null where the flow needs none, being exact.
  virtual const MagnusGrid* grid() const { return nullptr; }
};

/// exp(A (t_k − t_0)) for a generator that does not depend on time (sampled_flow.h); else steps chosen for A(t; θ)
/// (magnus_grid.h), which stay the same for every θ, so that states are smooth functions of it.
std::unique_ptr<const FlowPlan> plan_flow(const Structure& structure, const Vector& times,
                                          const Vector& theta, const MagnusOptions& options = {});

/// Adds (∂C/∂θ_q) x(t_k) to row q and column c K + k of a jacobian of outputs, for states n × K.
void add_observation_change(const PortHamiltonianStructure& structure, const Vector& theta,
                            const Eigen::Ref<const Matrix>& states, Eigen::Ref<Matrix> jacobian);

/// x(t_k) = column k of the result, for x(t_0) = x0 and increasing times.
Matrix propagate(const Structure& structure, const Vector& theta, const Vector& x0,
                 const Vector& times, const MagnusOptions& options = {});

}  // namespace lgn
