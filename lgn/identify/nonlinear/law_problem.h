#pragma once

#include <memory>
#include <string>
#include <vector>

#include "lgn/core/checkpoint.h"
#include "lgn/core/gauss_newton.h"
#include "lgn/data/dataset.h"
#include "lgn/dynamics/nonlinear_structure.h"
#include "lgn/flow/collocation.h"
#include "lgn/identify/likelihood/correlated_residuals.h"

namespace lgn {

/// The misfit of ẋ = f(x; θ) + B u to noisy samples, every run with an initial state of its own:
///     ℓ(θ, ȳ, x₀) = Σ_runs Σ_k Σ_c w_ck (y_c(t_k) − x_c(t_k; θ, x₀) − ȳ_c)²/σ_c² + Σ_scales log²(q/q⁰)
/// over the samples that are present, w = 1 but for outliers. States beyond the channels are hidden. Initial states do not enter linearly as those
/// of a linear law do (problem.h); the steps of a search eliminate them run by run, where they meet θ alone.
class LawProblem {
 public:
  /// Copies the samples; the structure must outlive it. `noise`: one σ per channel; `scales`: q⁰ (scale_guesses);
  /// `longest`: of the steps of the flow; `timing`: of the inputs, which count where the structure has any.
  LawProblem(const Dataset& data, const NonlinearStructure& structure, const Vector& noise,
             const Vector& scales, double longest, const InputTiming& timing = {});

  Index runs() const { return static_cast<Index>(runs_.size()); }
  /// Values that are present.
  double values() const { return values_; }

  /// θ, the initial states (a column per run) and ȳ (empty: zero, and not estimated), with the paths that follow.
  struct Point {
    Vector theta;
    Matrix starts;
    Vector offset = {};
    double cost = 0;  ///< infinite where a path has no end
    std::vector<CollocationFlow::Path> paths;
  };
  Point at(const Vector& theta, const Matrix& starts, const Vector& offset = {}) const;
  /// √w (y − x − ȳ)/σ of a run, zero where missing: channels × samples.
  Matrix residuals(const Point& point, Index run) const;
  /// y − x − ȳ of a run, zero where missing.
  Matrix deviations(const Point& point, Index run) const;
  /// 1 where a sample of the run is present, else 0.
  const Matrix& presence(Index run) const { return runs_[static_cast<std::size_t>(run)].present; }

  /// Half the gradient and the Gauss–Newton Hessian of ℓ in the moving parameters, the entries of ȳ where it is estimated, and all
  /// initial states.
  struct Normal {
    Matrix theta;                ///< p × p, ȳ after θ
    Vector theta_gradient;       ///< p
    std::vector<Matrix> starts;  ///< n × n of each run
    std::vector<Matrix> mixed;   ///< n × p
    std::vector<Vector> gradients;
  };
  Normal linearise(const Point& point, const std::vector<Index>& moving) const;

  /// What errors see of it: residuals, and what the moving parameters and ȳ do to them, initial states projected out. The problem, the
  /// point and the normal equations, which belong to them, must outlive it.
  WeightedResiduals weighted_residuals(const Point& point, const std::vector<Index>& moving,
                                       const Normal& normal) const;

  /// New weights w/σ²; w (a matrix per run) may be empty for all ones.
  void weigh(const Vector& noise, const std::vector<Matrix>& factors = {});
  const Vector& noise() const { return noise_; }

 private:
  struct Run {
    Matrix samples, present;
    Matrix weight;  ///< √w, zero where missing
    CollocationFlow flow;
  };
  /// √w/σ ∂(x + ȳ)/∂(x₀, θ, ȳ) of a run, rows as of the flow's sensitivities; zero where missing or hidden.
  Matrix weighted_jacobian(const Point& point, const NonlinearField& field, Index run) const;

  const NonlinearStructure& structure_;
  Vector noise_, scales_;
  std::vector<Run> runs_;
  double values_ = 0;
};

/// The information of the moving parameters, and of ȳ after them, and half the gradient, with all initial states eliminated.
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
/// The same without the last unknowns, which are eliminated, too.
LawInformation eliminate_last(const LawInformation& all, Index count);

/// Where a search is kept, from which it goes on after it was killed: under this name; nowhere where there is no checkpoint.
struct SearchMemory {
  Checkpoint* checkpoint = nullptr;
  std::string name = {};
};

/// min ℓ over the moving parameters, above `lower` (of all parameters), ȳ where it is not empty, and all initial states, by Levenberg–Marquardt steps
/// (gauss_newton.h). Throws Error where the checkpoint holds a search for other unknowns.
LawSearch search_law(const LawProblem& problem, const Vector& theta, const Matrix& starts,
                     const std::vector<Index>& moving, const Vector& lower,
                     const GaussNewtonOptions& options, const Vector& offset = {},
                     const SearchMemory& memory = {});

}  // namespace lgn
