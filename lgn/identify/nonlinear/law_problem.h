#pragma once

#include <memory>
#include <vector>

#include "lgn/core/gauss_newton.h"
#include "lgn/data/dataset.h"
#include "lgn/dynamics/nonlinear_structure.h"
#include "lgn/flow/collocation.h"

namespace lgn {

/// The misfit of ẋ = f(x; θ) to noisy samples, every run with an initial state of its own:
///     ℓ(θ, x₀) = Σ_runs Σ_k Σ_c (y_c(t_k) − x_c(t_k; θ, x₀))²/σ_c² + Σ_scales log²(q/q⁰)
/// over the samples that are present. States beyond the channels are hidden. Initial states do not enter linearly as those
/// of a linear law do (problem.h); the steps of a search eliminate them run by run, where they meet θ alone.
class LawProblem {
 public:
  /// Copies the samples; the structure must outlive it. `noise`: one σ per channel; `scales`: q⁰ (scale_guesses);
  /// `longest`: of the steps of the flow.
  LawProblem(const Dataset& data, const NonlinearStructure& structure, const Vector& noise,
             const Vector& scales, double longest);

  Index runs() const { return static_cast<Index>(runs_.size()); }
  /// Values that are present.
  double values() const { return values_; }

  /// θ and the initial states (a column per run), with the paths that follow.
  struct Point {
    Vector theta;
    Matrix starts;
    double cost = 0;  ///< infinite where a path has no end
    std::vector<CollocationFlow::Path> paths;
  };
  Point at(const Vector& theta, const Matrix& starts) const;
  /// (y − x)/σ of a run, zero where missing: channels × samples.
  Matrix residuals(const Point& point, Index run) const;

  /// Half the gradient and the Gauss–Newton Hessian of ℓ in the moving parameters and all initial states.
  struct Normal {
    Matrix theta;                ///< p × p
    Vector theta_gradient;       ///< p
    std::vector<Matrix> starts;  ///< n × n of each run
    std::vector<Matrix> mixed;   ///< n × p
    std::vector<Vector> gradients;
  };
  Normal linearise(const Point& point, const std::vector<Index>& moving) const;

  void weigh(const Vector& noise) { noise_ = noise; }
  const Vector& noise() const { return noise_; }

 private:
  struct Run {
    Matrix samples, present;
    CollocationFlow flow;
  };
  const NonlinearStructure& structure_;
  Vector noise_, scales_;
  std::vector<Run> runs_;
  double values_ = 0;
};

/// The information of the moving parameters, and half the gradient, with all initial states eliminated.
struct LawInformation {
  Matrix matrix;
  Vector gradient;
};
LawInformation eliminate_starts(const LawProblem::Normal& normal, double damping = 0);

/// Where a search ended.
struct LawSearch {
  LawProblem::Point point;
  int iterations = 0;
  bool converged = false, stopped = false;
};
/// min ℓ over the moving parameters, above `lower` (of all parameters), and all initial states, by Levenberg–Marquardt steps
/// (gauss_newton.h).
LawSearch search_law(const LawProblem& problem, const Vector& theta, const Matrix& starts,
                     const std::vector<Index>& moving, const Vector& lower,
                     const GaussNewtonOptions& options);

}  // namespace lgn
