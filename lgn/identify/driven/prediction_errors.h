#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "lgn/data/dataset.h"
#include "lgn/flow/flow.h"
#include "lgn/flow/forced_response.h"
#include "lgn/identify/fit.h"

namespace lgn {

/// The step of the grid that every run is sampled on; nothing where steps differ, or more than a tenth of the samples miss
/// a channel.
std::optional<double> even_step(const Dataset& data);

/// The one-step prediction errors e of a system in innovations form (theory, Eq. 70), with exact derivatives in all unknowns.
///
/// With r the residuals of the output error model, those of a simulation from x₀ under the inputs, e is r after the filter
///     z_(k+1) = (Φ − K C) z_k + K r_k,   e_k = r_k − C z_k,
/// so that r and its derivatives are those of any other fit (flow.h, forced_response.h), and with K = 0 e is r. A missing
/// value corrects nothing; samples that miss some do not count in the likelihood.
///
/// The unknowns ψ stand below one another: θ, K, ȳ, B, D, and x₀ of every run; matrices column by column. The filter is
/// stable for every ψ that has a cost: elsewhere that is infinite.
class PredictionErrors {
 public:
  /// Fits like this one: of its structure, with its timing of inputs, and with those of ȳ and D that it has. Data are on a
  /// grid of this step; Error where A varies in time.
  PredictionErrors(const Dataset& data, const Fit& like, double step);

  Index unknowns() const { return unknowns_; }
  /// Where K begins in ψ, and ȳ, after which all enter linearly.
  Index gain() const { return parameters_; }
  Index linear() const { return parameters_ + states_ * channels_; }
  /// Samples without a missing value.
  Index complete() const { return complete_; }

  /// ψ of a fit of the same structure; K is zero where it has none.
  Vector unknowns_of(const Fit& fit) const;
  /// The fit at ψ, for errors of this covariance.
  Fit fit_at(const Vector& psi, const Matrix& covariance) const;

  /// Whether no eigenvalue of Φ − K C is outside of the unit circle, nor nearer to it than 1e-9 unless Φ itself is.
  bool stable(const Vector& psi) const;

  /// e of every run, channels × samples; NaN where a value is missing. Kept until another ψ is asked about.
  const std::vector<Matrix>& errors(const Vector& psi) const;
  /// Mean e eᵀ over the complete samples.
  Matrix covariance(const std::vector<Matrix>& errors) const;
  /// Σ ‖W e‖² over the complete samples; infinite where the filter is not stable.
  double cost(const Vector& psi, const Matrix& weight) const;

  /// JᵀJ and Jᵀ W e for J = ∂(W e)/∂ψ over the complete samples: half the gradient of the cost, and its Gauss–Newton Hessian.
  /// O(K n² q) for q unknowns.
  struct Normal {
    Matrix information;
    Vector gradient;
  };
  Normal linearise(const Vector& psi, const Matrix& weight) const {
    return linearise(psi, weight, 0);
  }

  /// ψ with those unknowns that enter linearly at their best, for its θ and K.
  Vector with_best_linear(const Vector& psi, const Matrix& weight) const;

 private:
  struct Run {
    Matrix samples;  ///< NaN where missing
    std::vector<char> complete;
    std::unique_ptr<const FlowPlan> flow;
    std::unique_ptr<const ForcedPlan> forced;
  };
  struct Parts;
  struct Filter;
  struct OutputSlopes;
  struct Passage;
  Parts parts(const Vector& psi) const;
  Filter filter_at(const Vector& psi, bool with_derivatives) const;
  /// Of the unknowns from here on: of all, or from linear() on.
  Normal linearise(const Vector& psi, const Matrix& weight, Index from) const;
  OutputSlopes output_slopes(const Run& run, const Parts& at, Index index, bool of_theta) const;
  /// Through these samples, of which only matters what is missing.
  Passage passage(const Filter& filter, const Matrix& samples, const Matrix& weight) const;
  /// How the outputs of a run answer to these unknowns, column k l + c that of channel c at sample begin + k.
  Matrix given_slopes(const Run& run, const OutputSlopes& slopes, Index index, Index from,
                      Index begin, Index count) const;
  /// r of a run.
  Matrix residuals(const Run& run, const Parts& at, Index index) const;

  Fit like_;
  const ConstantStructure& structure_;
  double step_;
  Index states_, channels_, inputs_, parameters_, offsets_, fed_, unknowns_, complete_ = 0;
  std::vector<Run> runs_;
  struct Known {
    Vector psi;
    std::vector<Matrix> errors;
  };
  mutable std::optional<Known> last_;
};

}  // namespace lgn
