#pragma once

#include <memory>

#include "lgn/dynamics/structure.h"
#include "lgn/flow/input_course.h"
#include "lgn/flow/magnus_grid.h"

namespace lgn {

/// The response of ẋ = A(t; θ) x + B u, y = C x, from rest at the first of K samples, at one θ. It is linear in B:
///     x(t) = Σ_ij B_ij ∫ exp(A (t − s)) e_i u_j(s) ds.
/// (exp the flow where A varies). Where A is constant, on a piece of length h on which u is a straight line, from u₀ to u₁ (theory, Eq. 66),
///     x ← Φ x + (P₁ − P₂/h) B u₀ + (P₂/h) B u₁,   Φ = exp(A h),  P₁ = ∫₀ʰ exp(A s) ds,  P₂ = ∫₀ʰ P₁(s) ds,
/// exactly, with exact derivatives in θ.
///
/// What stands below one another and side by side is as in Flow: row k l + c of outputs is y_c(t_k).
class ForcedResponse {
 public:
  virtual ~ForcedResponse() = default;
  /// Outputs of unit entries of B at `count` samples from `first` on: count l × n m, column j n + i that of input j into
  /// state i.
  virtual Matrix output_maps(Index first, Index count) const = 0;
  /// The states for this B: n × K.
  virtual Matrix states(const Matrix& b) const = 0;
  /// Their outputs: K l.
  virtual Vector outputs(const Matrix& b) const = 0;
  /// ∂outputs/∂θ for this B, transposed: p × count l, column c count + k that of y_c(t_k).
  virtual Matrix output_jacobian(const Matrix& b, Index first, Index count) const = 0;
};

/// A structure and an input: what responses at different θ share. It must not outlive the structure.
class ForcedPlan {
 public:
  virtual ~ForcedPlan() = default;
  virtual std::unique_ptr<const ForcedResponse> at(const Vector& theta) const = 0;
  /// u when samples are taken, inputs × K.
  virtual const Matrix& inputs() const = 0;
  /// Chooses steps for A(t; θ) anew; whether they have changed. Nothing to choose where A is constant.
  virtual bool plan(const Vector& /*theta*/, const MagnusOptions& /*magnus*/) { return false; }
};

/// In closed form, O(K m) for each block, where A is modal (modal_forced.h); else one exponential of 3n × 3n and its
/// derivatives for each length of a piece; by Magnus steps that `magnus` chooses where A varies in time (magnus_forced.h).
std::unique_ptr<ForcedPlan> plan_forced(const Structure& structure, InputCourse course,
                                        const MagnusOptions& magnus = {});

/// The states under an input from x₀, A constant: n × K. As `plan_forced`, without derivatives.
Matrix forced_states(const Matrix& a, const Vector& x0, const Matrix& b, const InputCourse& course);

}  // namespace lgn
