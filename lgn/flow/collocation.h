#pragma once

#include <vector>

#include "lgn/dynamics/nonlinear_structure.h"
#include "lgn/flow/input_course.h"

namespace lgn {

/// Inputs that go straight from one end of a step to the other; empty where there are none.
struct InputLine {
  Vector begin = {}, end = {};

  Vector at(double part) const { return begin + part * (end - begin); }
  InputLine between(double from, double to) const { return {at(from), at(to)}; }
};

/// How a nonlinear law is integrated.
struct CollocationOptions {
  /// Steps are no longer than this over the size of ∂f/∂x: the error of a step is about its seventh power over 10⁵.
  double longest_step = 0.3;
  /// Whether steps in which the energy of the structure would grow by more than the work of inputs are taken in halves, and at last by a
  /// discrete gradient (Gonzalez, J. Nonlinear Sci. 6:449, 1996), which lets no energy grow: for simulations. States are then no smooth
  /// functions of θ, and have no derivatives.
  bool keep_energy = false;
  /// Largest error of a step of a simulation (propagate), relative to the largest state so far, by the difference between it and its two halves; the
  /// halves go on. 0: steps are as long as `longest_step` says.
  double tolerance = 0;
};

/// The flow of ẋ = f(x; θ) + B u at increasing times by collocation at the three Gauss points of each step (order 6;
/// Hairer, Lubich & Wanner, Geometric Numerical Integration, 2006): exact derivatives of the states that it gives, with
/// respect to θ and x₀. An energy ½ xᵀQx that f does not let grow does not grow in any step, of whatever length, by more than the work of
/// inputs, ∇H·B u at its three points.
///
/// Between two samples, and where an input has a knot between them, there are so many equal steps as were planned, for all θ, so that states are smooth in it.
/// O(n³ + terms) for each step.
class CollocationFlow {
 public:
  /// Steps for the samples of these inputs, which may be none: of `longest` at most.
  CollocationFlow(InputCourse inputs, double longest);
  /// The same without inputs, for samples at these times.
  CollocationFlow(const Vector& times, double longest)
      : CollocationFlow(no_inputs(times), longest) {}

  Index samples() const { return course_.samples(); }

  /// States at the samples, and the stages of every step, which derivatives need.
  struct Path {
    Matrix states;               ///< n × K
    std::vector<Matrix> stages;  ///< of every step: n × 3
    bool finite = true;          ///< whether it got to the end
  };
  Path path(const NonlinearField& field, const Vector& x0) const;

  /// ∂x(t_k)/∂(x₀, θ), θ the moving parameters of the field: n × (n + p) for each sample, below one another.
  Matrix sensitivities(const NonlinearField& field, const Path& path) const;

  /// For a scalar ℓ with ∂ℓ/∂states = `pull` (n × K): ∂ℓ/∂x₀ and ∂ℓ/∂θ.
  struct Gradient {
    Vector x0, theta;
  };
  Gradient adjoint(const NonlinearField& field, const Path& path, const Matrix& pull) const;

 private:
  /// Inputs at the stages of the s-th step of a piece: inputs × 3.
  Matrix inputs_at(std::size_t piece, Index s) const;

  InputCourse course_;
  std::vector<Index> counts_;  ///< steps in each of its pieces
  std::vector<double> steps_;  ///< and their length
};

/// The longest step for states such as these (a column each), by the largest norm of ∂f/∂x there.
double longest_step(const NonlinearField& field, const Matrix& states,
                    const CollocationOptions& options = {});

/// One step from x: n × 3 stages, and x at its end. Infinite where the equations of the stages have no solution.
struct CollocationStep {
  Matrix stages;
  Vector end;
};
CollocationStep collocation_step(const NonlinearField& field, const Vector& x, double step,
                                 const InputLine& inputs = {});

/// One step of the discrete gradient of the structure's energy, of order 2.
Vector discrete_gradient_step(const NonlinearField& field, const Vector& x, double step,
                              const InputLine& inputs = {});

/// What models are simulated by: an error of 1e-13 of the states in a step.
inline constexpr CollocationOptions simulation{0.8, true, 1e-13};

/// x(t_k) = column k, from x(t_0) = x0: steps chosen as it goes, by the size of ∂f/∂x and by their error. Where a law without promise leaves the
/// range of numbers, columns from there on are infinite.
Matrix propagate(const NonlinearField& field, const Vector& x0, const InputCourse& inputs,
                 const CollocationOptions& options = simulation);
Matrix propagate(const NonlinearField& field, const Vector& x0, const Vector& times,
                 const CollocationOptions& options = simulation);

}  // namespace lgn
