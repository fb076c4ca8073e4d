#pragma once

#include <limits>
#include <memory>
#include <string>

#include "lgn/core/gauss_newton.h"
#include "lgn/identify/fit.h"
#include "lgn/identify/fit_options.h"
#include "lgn/identify/likelihood/noise.h"
#include "lgn/identify/likelihood/problem.h"

namespace lgn {

/// What enters linearly: every run's initial state, as channels show it where they show states, what they show at rest, and
/// how inputs enter.
struct LinearUnknowns {
  Matrix initial_states;
  Vector offset;
  Drive drive;

  void give_to(Fit& fit) && {
    fit.initial_states = std::move(initial_states);
    fit.offset = std::move(offset);
    fit.drive = std::move(drive);
  }
};

/// Levenberg–Marquardt on one problem: steps solved directly or, for many parameters, by conjugate gradients, with the
/// state kept in a checkpoint.
class LikelihoodSearch {
 public:
  /// What it is made from must outlive it.
  LikelihoodSearch(const Dataset& data, const Structure& structure, const Vector& noise,
                   const FitOptions& options);

  const Problem& problem() const { return problem_; }
  /// The last profile that was asked for.
  const Problem::Profile& profile() const { return *profile_; }
  double cost(const Vector& theta);
  /// Of a profile.
  LinearUnknowns linear_unknowns(const Problem::Profile& profile) const;
  /// Gives a fit the initial states and the offset at θ where they are known: of the last profile, or of the best under the
  /// present weights. Else, where a search was stopped before they were, first samples and no offset.
  void take_linear(const Vector& theta, Fit& fit) const;
  /// Gives back the memory of that profile.
  void forget_profile() { profile_.reset(); }
  /// Error relative to the signal, in units of the noise.
  double nrmse(double cost) const { return std::sqrt(cost / problem_.power()); }
  void weigh(const NoiseEstimate& noise);
  /// As Problem::plan.
  bool plan(const Vector& theta, const MagnusOptions& magnus);

  GaussNewtonResult minimize(const Vector& theta, double tolerance, int max_iterations,
                             const std::string& task);

  /// Error relative to the signal at which there is nothing more to do.
  double goal() const;
  /// Whether steps are found by conjugate gradients.
  bool large() const {
    return structure_.parameters() > options_.dense_parameters && structure_.modal() == nullptr &&
           !options_.driven;
  }

 private:
  const std::shared_ptr<const Problem::Profile>& profile_at(const Vector& theta);
  void forget_hessian();
  std::unique_ptr<QuadraticModel> model(const Vector& theta);
  std::unique_ptr<QuadraticModel> matrix_free_model(const Vector& theta);

  const Dataset& data_;
  const Structure& structure_;
  const FitOptions& options_;
  const double duration_;
  Problem problem_;
  std::shared_ptr<const Problem::Profile> profile_;
  struct Known {
    Vector theta;
    double cost = std::numeric_limits<double>::infinity();
    LinearUnknowns linear;
  } best_;
  std::shared_ptr<const Matrix> hessian_;  ///< of an earlier θ
  Vector hessian_at_;                      ///< that θ, its cost, and how often it was used
  double hessian_cost_ = 0;
  int hessian_used_ = 0;
};

/// Error relative to the signal at which a search with many parameters has nothing more to do: regression has told all
/// that can be told.
inline constexpr double large_exact = 1e-7;

}  // namespace lgn
