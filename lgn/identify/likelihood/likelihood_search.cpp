#include <algorithm>
#include <cmath>
#include <limits>

#include "lgn/core/error.h"
#include "lgn/core/stop.h"
#include "lgn/data/scales.h"
#include "lgn/identify/likelihood/likelihood_search_internal.h"
#include "lgn/identify/likelihood/maximum_likelihood.h"
#include "lgn/identify/likelihood/regression_preconditioner.h"

namespace lgn {
namespace {

/// An error below this part of the signal has reached the rounding of the samples.
constexpr double exact = 1e-12;
/// With many parameters most directions are hardly determined, and following each to its end would
/// fit noise: the search ends when a step promises to lower the misfit by less than this part.
constexpr double large_gain = 1e-2;

/// The state of the search as numbers, for a checkpoint: where it stands, and where its Hessian is
/// from (NaN: from nowhere).
struct SearchState {
  GaussNewtonState state;
  Vector hessian_at;
  int hessian_used = 0;
  double work = 0;  ///< operations until then, of which searches after this one may take a multiple

  Vector pack() const {
    Vector packed(2 * state.x.size() + 4);
    packed << state.x, hessian_at, state.damping, static_cast<double>(state.iterations),
        static_cast<double>(hessian_used), work;
    return packed;
  }
  /// Throws Error for a state of another search, of other than p parameters.
  static SearchState unpack(const Vector& packed, Index p) {
    if (packed.size() != 2 * p + 4)
      throw Error("the checkpoint holds a search for other parameters",
                  "remove it, or continue with the structure and the data that it was made with");
    const Vector rest = packed.tail(4);
    return {{packed.head(p), rest[0], static_cast<int>(rest[1])},
            packed.segment(p, p),
            static_cast<int>(rest[2]),
            rest[3]};
  }
};

/// Samples count by their channels alone, unless outliers are kept down.
ProblemOptions condensing(ProblemOptions problem, const FitOptions& options) {
  problem.condense = !options.robust();
  return problem;
}

}  // namespace

ProblemOptions problem_options(const Dataset& data, const FitOptions& options) {
  ProblemOptions result;
  if (!options.estimate_initial_states) result.initial_states = measured_initial_states(data);
  result.estimate_offset = options.offset == Offset::estimate;
  if (options.driven) result.inputs = options.timing();
  result.feedthrough = options.driven && options.feedthrough == Feedthrough::yes;
  if (options.driven) result.drive_pattern = options.drive_pattern;
  result.magnus = options.magnus;
  return result;
}

LikelihoodSearch::LikelihoodSearch(const Dataset& data, const Structure& structure,
                                   const Vector& noise, const FitOptions& options)
    : data_(data),
      structure_(structure),
      options_(options),
      duration_(longest_duration(data)),
      problem_(data, structure, noise, condensing(problem_options(data, options), options)) {
  forget_hessian();
}

const std::shared_ptr<const Problem::Profile>& LikelihoodSearch::profile_at(const Vector& theta) {
  if (!profile_ || profile_->theta != theta) {
    profile_.reset();  // its memory is needed for the next
    profile_ = problem_.profile(theta);
  }
  return profile_;
}

double LikelihoodSearch::cost(const Vector& theta) {
  const Problem::Profile& found = *profile_at(theta);
  if (found.cost < best_.cost) best_ = {theta, found.cost, linear_unknowns(found)};
  return found.cost;
}

void LikelihoodSearch::take_linear(const Vector& theta, Fit& fit) const {
  LinearUnknowns linear;
  if (profile_ && profile_->theta == theta)
    linear = linear_unknowns(*profile_);
  else if (best_.theta.size() == theta.size() && best_.theta == theta)
    linear = best_.linear;
  if (linear.initial_states.size() == 0)
    linear.initial_states = structure_.measures_states()
                                ? measured_initial_states(data_)
                                : Matrix::Zero(structure_.dimension(), problem_.runs());
  std::move(linear).give_to(fit);
}

LinearUnknowns LikelihoodSearch::linear_unknowns(const Problem::Profile& profile) const {
  LinearUnknowns result{profile.initial_states, profile.offset, profile.drive};
  if (result.offset.size() > 0 && result.initial_states.size() > 0 && structure_.measures_states())
    result.initial_states.colwise() += result.offset;
  return result;
}

double LikelihoodSearch::goal() const { return large() ? large_exact : exact; }

void LikelihoodSearch::weigh(const NoiseEstimate& noise) {
  problem_.weigh(noise.sigma, noise.factors);
  profile_.reset();
  best_.cost = std::numeric_limits<double>::infinity();
  forget_hessian();
}

bool LikelihoodSearch::plan(const Vector& theta, const MagnusOptions& magnus) {
  const bool changed = problem_.plan(theta, magnus);
  if (changed) {
    profile_.reset();
    best_.cost = std::numeric_limits<double>::infinity();
    forget_hessian();
  }
  return changed;
}

void LikelihoodSearch::forget_hessian() {
  hessian_.reset();
  hessian_at_.setConstant(structure_.parameters(), std::numeric_limits<double>::quiet_NaN());
}

GaussNewtonResult LikelihoodSearch::minimize(const Vector& theta, double tolerance,
                                             int max_iterations, const std::string& task) {
  // Many parameters that do not settle are hardly determined: it is not worth minutes to follow
  // them.
  constexpr Index many = 200;
  if (structure_.parameters() > many) max_iterations = std::min(max_iterations, 40);
  SumOfSquares squares;
  squares.cost = [&](const Vector& x) { return cost(x); };
  squares.model = [&](const Vector& x) { return model(x); };
  squares.lower = structure_.lower_bounds();
  squares.freedom = problem_.degrees_of_freedom();
  if (large()) tolerance = std::sqrt(large_gain * std::max(1.0, squares.freedom));
  GaussNewtonOptions settings{.max_iterations = max_iterations,
                              .tolerance = tolerance,
                              .cost_tolerance = goal() * goal() * problem_.power()};
  const Vector limits = structure_.largest_steps(duration_);
  if (!limits.array().isInf().all()) settings.largest_step = limits;
  const std::string stage = options_.stage + ", " + task;
  settings.observe = [&](const GaussNewtonState& state, double cost) {
    if (options_.checkpoint != nullptr)
      options_.checkpoint->keep(stage,
                                SearchState{state, hessian_at_, hessian_used_, work_done()}.pack());
    return !options_.observe ||
           options_.observe({task, state.iterations, max_iterations, nrmse(cost)});
  };
  GaussNewtonState start{theta};
  if (large()) start.damping = 0;  // conjugate gradients that end early damp by themselves
  if (Vector packed;
      options_.checkpoint != nullptr && options_.checkpoint->restore(stage, packed)) {
    const SearchState kept = SearchState::unpack(packed, structure_.parameters());
    start = kept.state;
    forget_hessian();
    if (kept.hessian_at.allFinite()) model(kept.hessian_at);
    hessian_used_ = kept.hessian_used;
    resume_work(kept.work);
  }
  GaussNewtonResult result = minimize_gauss_newton(squares, start, settings);
  if (result.ending != GaussNewtonResult::Ending::stopped) profile_at(result.state.x);
  return result;
}

std::unique_ptr<QuadraticModel> LikelihoodSearch::model(const Vector& theta) {
  profile_at(theta);  // the last trial may have been another point
  if (large()) return matrix_free_model(theta);
  // The Hessian costs a hundred times what the gradient does, and hardly changes near the end.
  constexpr int most_uses = 4;
  if (hessian_ && hessian_cost_ < 1.1 * profile_->cost && hessian_used_ < most_uses) {
    ++hessian_used_;
    return std::make_unique<DenseModel>(hessian_, problem_.gradient(profile_));
  }
  auto [information, gradient, overlap] = problem_.linearise(*profile_);
  hessian_ = std::make_shared<const Matrix>(std::move(information));
  hessian_cost_ = profile_->cost;
  hessian_at_ = theta;
  hessian_used_ = 1;
  return std::make_unique<DenseModel>(hessian_, std::move(gradient));
}

std::unique_ptr<QuadraticModel> LikelihoodSearch::matrix_free_model(const Vector& theta) {
  constexpr int most_products = 40;
  const auto curvature = std::make_shared<Problem::Curvature>(problem_, profile_);
  MatrixFreeModel::Operator op;
  op.hessian = [curvature](const Vector& v) { return curvature->product(v); };
  if (const ConstantStructure* constant = structure_.autonomous()) {
    const auto preconditioner =
        std::make_shared<RegressionPreconditioner>(*constant, theta, curvature->second_moment());
    op.precondition = [preconditioner](const Vector& v) { return preconditioner->apply(v); };
  } else {
    const Vector diagonal = curvature->diagonal();
    const Vector inverse = diagonal.cwiseMax(1e-12 * diagonal.maxCoeff() + 1e-300).cwiseInverse();
    op.precondition = [inverse](const Vector& v) -> Vector { return inverse.cwiseProduct(v); };
  }
  return std::make_unique<MatrixFreeModel>(std::move(op), curvature->gradient(), most_products);
}

}  // namespace lgn
