#pragma once

#include <functional>
#include <memory>

#include "lgn/core/linear_algebra.h"

namespace lgn {

/// The quadratic model ℓ(x + s) ≈ ℓ(x) + 2 gᵀs + sᵀHs of a sum of squares at x: g = Jᵀr, H = JᵀJ.
class QuadraticModel {
 public:
  virtual ~QuadraticModel() = default;
  /// The s that minimises the model plus damping · Σ H_ii s_i² subject to x + s ≥ lower, exactly or
  /// nearly.
  virtual Vector step(const Vector& x, const Vector& lower, double damping) const = 0;
  /// How much the model falls along s.
  virtual double fall(const Vector& s) const = 0;
};

/// The model with its matrix. Steps are found by an active set: an unknown that would cross its
/// bound is put on it exactly, and one that sits there stays as long as the gradient holds it.
/// O(p³) per step.
class DenseModel final : public QuadraticModel {
 public:
  DenseModel(std::shared_ptr<const Matrix> hessian, Vector gradient)
      : hessian_(std::move(hessian)), gradient_(std::move(gradient)) {}
  Vector step(const Vector& x, const Vector& lower, double damping) const override;
  double fall(const Vector& s) const override;

 private:
  std::shared_ptr<const Matrix> hessian_;
  Vector gradient_;
};

/// A model whose matrix is known by its products only. Steps are found by preconditioned conjugate
/// gradients in the unknowns that are free, ended early where the model hardly falls any more;
/// unknowns that would cross a bound are put on it, and the rest is solved for again, a few times.
class MatrixFreeModel final : public QuadraticModel {
 public:
  struct Operator {
    std::function<Vector(const Vector&)> hessian;
    /// Roughly H⁻¹ r; symmetric positive definite.
    std::function<Vector(const Vector&)> precondition;
  };
  MatrixFreeModel(Operator op, Vector gradient, int max_products)
      : operator_(std::move(op)), gradient_(std::move(gradient)), max_products_(max_products) {}
  Vector step(const Vector& x, const Vector& lower, double damping) const override;
  double fall(const Vector& s) const override;

 private:
  /// Conjugate gradients for the free unknowns (1; 0 where fixed).
  Vector free_step(const Vector& free, Vector residual, double damping) const;

  Operator operator_;
  Vector gradient_;
  int max_products_;
};

/// A sum of squares with bounds: what Gauss–Newton steps need to know of it.
struct SumOfSquares {
  std::function<double(const Vector& x)> cost;
  std::function<std::unique_ptr<QuadraticModel>(const Vector& x)> model;
  Vector lower;
  /// Residuals less unknowns: cost/freedom estimates the variance of a residual.
  double freedom = 1;
};

/// Where the iteration stands: all that is needed to go on from here.
struct GaussNewtonState {
  Vector x;
  double damping = 1e-3;
  int iterations = 0;
};

/// When to stop.
struct GaussNewtonOptions {
  int max_iterations = 100;
  /// Converged when no unknown would move by more than about this fraction of its own standard
  /// error: gᵀH⁻¹g ≤ tolerance² · cost/freedom; or when 25 steps together have lowered the cost by no more
  /// than 1e-4 · cost/freedom. 0: only when no step lowers the cost any more.
  double tolerance = 1e-4;
  /// Converged, too, when the cost is no larger than this.
  double cost_tolerance = 0;
  /// A step is shortened so that no unknown moves by more than this; empty: no limit.
  Vector largest_step = {};
  /// Called after every accepted step; returning false ends the iteration.
  std::function<bool(const GaussNewtonState& state, double cost)> observe = {};
};

/// Where it ended.
struct GaussNewtonResult {
  GaussNewtonState state;
  double cost = 0;
  enum class Ending {
    converged,     ///< by the tolerance
    at_precision,  ///< no step lowers the cost any more at working precision
    too_many_steps,
    stopped  ///< by `observe`, or at a stop point (stop.h)
  } ending = Ending::converged;
  bool converged() const { return ending == Ending::converged || ending == Ending::at_precision; }
};

/// min ℓ(x) subject to x ≥ lower by Levenberg–Marquardt steps. The result depends on nothing but the
/// arguments, and going on from a state that `observe` has seen leads to the same result.
GaussNewtonResult minimize_gauss_newton(const SumOfSquares& problem, const GaussNewtonState& start,
                                        const GaussNewtonOptions& options = {});

}  // namespace lgn
