#include "lgn/identify/nonlinear/law_search_internal.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "lgn/core/error.h"
#include "lgn/core/inverse_root.h"
#include "lgn/core/setting.h"
#include "lgn/core/stop.h"
#include "lgn/data/scales.h"
#include "lgn/data/windows.h"
#include "lgn/identify/likelihood/noise.h"
#include "lgn/identify/nonlinear/law_problem.h"
#include "lgn/identify/nonlinear/successive_linearisation.h"
#include "lgn/identify/residuals.h"
#include "lgn/identify/wiring/network_revision.h"

namespace lgn {
namespace {

Matrix starts_of(const Dataset& smoothed, Index states) {
  Matrix result = Matrix::Zero(states, static_cast<Index>(smoothed.runs().size()));
  for (std::size_t r = 0; r < smoothed.runs().size(); ++r)
    result.col(static_cast<Index>(r)).head(smoothed.dimension()) =
        smoothed.runs()[r].states().col(0);
  return result;
}

/// The search for the terms and values of one law.
class LawSearcher {
 public:
  /// From a fit that has its structure at least.
  LawSearcher(const Dataset& data, const SmoothedData& smoothed, LawFit start,
              const FitOptions& options)
      : data_(data), smoothed_(smoothed), options_(options), fit_(std::move(start)) {
    sizes_ = channel_amplitudes(data);
    scales_ = scale_guesses(structure(), sizes_);
    lower_ = structure().lower_bounds();
    for (Index k = 0; k < lower_.size(); ++k)
      if (is_scale(k)) lower_[k] = 1e-6 * scales_[k];
    fit_.noise = smoothed.noise.cwiseMax(explained * sizes_);
    if (options.offset == Offset::estimate) offset_ = Vector::Zero(data.dimension());
    limit_ = evidence_threshold(static_cast<double>(data.present()),
                                static_cast<double>(structure().parameters()));
    if (successive())
      for (const auto& run : smoothed.data.runs()) courses_.push_back(run.states());
  }

  LawFit search() {
    Index longest = 0;
    for (const auto& run : data_.runs()) longest = std::max(longest, run.samples());
    constexpr Index fewest = 12;
    std::vector<Index> lengths{std::max(fewest, longest / 20), std::max(2 * fewest, longest / 4),
                               longest};
    lengths.erase(std::remove_if(lengths.begin(), lengths.end() - 1,
                                 [&](Index l) { return 2 * l > longest; }),
                  lengths.end() - 1);
    if (successive()) lengths = {longest};
    for (std::size_t k = 0; k < lengths.size() && !fit_.stopped; ++k) {
      const LawFit before = fit_;
      const Vector offset_before = offset_;
      const bool last = k + 1 == lengths.size();
      fit_.window = lengths[k];
      bool done = stage(lengths[k], last);
      // Lost on the first windows: shorter ones may tell what regression did not.
      while (k == 0 && !done && !fit_.stopped && !successive() && lengths[0] >= 4 * fewest) {
        lengths.insert(lengths.begin(), lengths[0] / 4);
        fit_ = before;
        offset_ = offset_before;
        fit_.window = lengths[0];
        done = stage(lengths[0], false);
      }
      if (k > 0 && !fit_.stopped && !done) {
        // Trajectories that part from one another, or a wrong turn: the shorter windows stand, with tests and errors of
        // their own.
        fit_ = before;
        if (!stage(fit_.window, true)) fit_ = before;
        return fit_;
      }
      if (!done && !fit_.stopped && successive())
        throw NotIdentified(
            fmt::format("successive linearisation leads away from the data in {} rounds",
                        fit_.iterations),
            "use " + setting("method", "mle"));
      if (!done && !fit_.stopped)
        throw NotIdentified("no trajectory of the law that regression suggests is finite",
                            "shorter steps between samples, or another structure");
    }
    return fit_;
  }

 private:
  const NonlinearStructure& structure() const { return *fit_.structure; }
  bool successive() const { return options_.method == Method::successive; }
  bool is_scale(Index k) const {
    return structure().parameter_list()[static_cast<std::size_t>(k)].scale;
  }
  std::vector<Index> moving() const {
    std::vector<Index> result;
    for (Index k = 0; k < fit_.theta.size(); ++k)
      if (fit_.active[static_cast<std::size_t>(k)] &&
          std::find(held_.begin(), held_.end(), k) == held_.end())
        result.push_back(k);
    return result;
  }

  /// Holds scales of the energy that the data do not determine, one by one: where more than one energy does not grow, they
  /// are a matter of choice, and C does not depend on them.
  void hold_scales(const LawProblem& problem, const Matrix& starts) {
    held_.clear();
    for (;;) {
      const auto parameters = moving();
      const Matrix root = inverse_root(information(problem, starts, parameters).matrix);
      constexpr double undetermined = 0.1;
      double most = undetermined;
      Index worst = -1;
      for (std::size_t i = 0; i < parameters.size(); ++i) {
        if (!is_scale(parameters[i])) continue;
        const double relative = root.row(static_cast<Index>(i)).norm() / fit_.theta[parameters[i]];
        if (relative > most) {
          most = relative;
          worst = parameters[i];
        }
      }
      if (worst < 0) return;
      held_.push_back(worst);
    }
  }

  /// Maximum likelihood on windows of so many samples; terms that have no evidence there leave, and return on the last. Whether
  /// there was a finite trajectory.
  bool stage(Index samples, bool last) {
    const Dataset windows = cut_windows(data_, samples);
    const NonlinearField field(structure(), fit_.theta);
    const double step = longest_step(field, all_states(smoothed_.data));
    LawProblem problem(windows, structure(), fit_.noise, scales_, step, options_.timing());
    Matrix starts = starts_of(cut_windows(smoothed_.data, samples), structure().dimension());
    if (starts.cols() != problem.runs()) return false;
    const LawProblem::Point first = problem.at(fit_.theta, starts, offset_);
    if (!std::isfinite(first.cost)) return false;
    hold_scales(problem, starts);
    const Vector before = fit_.noise;
    if (options_.robust()) estimate_noise(problem, first);
    constexpr int most_rounds = 60, first_steps = 20;
    for (int round = 0; round < most_rounds; ++round) {
      if (!refine(problem, starts, last ? 1e-3 : 1e-2, round == 0 ? first_steps : 60)) return false;
      // Lost: no test of terms means anything.
      if (round == 0 && fit_.noise.cwiseQuotient(before).mean() > 3) return false;
      if (fit_.stopped) break;
      if (remove_terms(problem, starts)) continue;
      if (!last || !return_term(problem, starts)) break;
    }
    if (!last && !fit_.stopped) return true;
    // Weights of outliers follow the noise, which follows them.
    const int passes = successive() ? 0 : options_.robust() ? 20 : 1;
    for (int pass = 0; pass < passes && !fit_.stopped; ++pass) {
      const Vector last_noise = fit_.noise;
      if (!refine(problem, starts, 1e-4, 60)) return false;
      if ((fit_.noise - last_noise).cwiseAbs().cwiseQuotient(last_noise).maxCoeff() < 1e-3) break;
    }
    tell(problem, starts, windows);
    return true;
  }

  /// The most likely values of the terms that are there, then the noise.
  bool refine(LawProblem& problem, Matrix& starts, double tolerance, int most_steps) {
    GaussNewtonOptions how;
    how.tolerance = tolerance;
    how.max_iterations = most_steps;
    how.observe = [&](const GaussNewtonState& state, double cost) {
      const double nrmse =
          std::sqrt(cost / problem.values()) * fit_.noise.cwiseQuotient(sizes_).mean();
      return !options_.observe ||
             options_.observe({"fitting the law", state.iterations, how.max_iterations, nrmse});
    };
    const LawSearch found =
        successive() ? linearise_successively(data_, structure(), problem, fit_.theta, moving(),
                                              courses_, options_)
                     : search_law(problem, fit_.theta, starts, moving(), lower_, how, offset_,
                                  {options_.checkpoint,
                                   fmt::format("{}, search {}", options_.stage, ++searches_)});
    fit_.iterations += found.iterations;
    if (!std::isfinite(found.point.cost)) return false;
    fit_.theta = found.point.theta;
    starts = found.point.starts;
    offset_ = found.point.offset;
    fit_.converged = found.converged;
    fit_.stopped = found.stopped;
    estimate_noise(problem, found.point);
    return true;
  }

  void estimate_noise(LawProblem& problem, const LawProblem::Point& point) {
    if (options_.robust()) {
      std::vector<Matrix> deviations, presence;
      for (Index r = 0; r < problem.runs(); ++r) {
        deviations.push_back(problem.deviations(point, r));
        presence.push_back(problem.presence(r));
      }
      const auto estimate =
          lgn::estimate_noise(deviations, presence, share_left(problem, point), sizes_, true);
      fit_.noise = estimate.sigma.cwiseMax(explained * sizes_);
      problem.weigh(fit_.noise, estimate.factors);
      return;
    }
    Vector squares = Vector::Zero(data_.dimension());
    for (Index r = 0; r < problem.runs(); ++r)
      squares += problem.residuals(point, r).rowwise().squaredNorm();
    const double share = share_left(problem, point);
    const double each = problem.values() / static_cast<double>(data_.dimension());
    fit_.noise = (squares / (each * share)).cwiseSqrt().cwiseProduct(fit_.noise);
    fit_.noise = fit_.noise.cwiseMax(explained * sizes_);
    problem.weigh(fit_.noise);
  }

  /// Of the values, what unknowns leave.
  double share_left(const LawProblem& problem, const LawProblem::Point& point) const {
    const auto unknowns = static_cast<double>(moving().size()) +
                          static_cast<double>(point.starts.size() + point.offset.size());
    return std::max(0.05, 1 - unknowns / problem.values());
  }

  /// Information of these parameters, given the scales of the energy, ȳ eliminated.
  LawInformation information(const LawProblem& problem, const Matrix& starts,
                             const std::vector<Index>& parameters) const {
    const auto point = problem.at(fit_.theta, starts, offset_);
    return eliminate_last(eliminate_starts(problem.linearise(point, parameters)), offset_.size());
  }

  /// Wald's test: terms without evidence leave, up to a third of them at once.
  bool remove_terms(const LawProblem& problem, const Matrix& starts) {
    std::vector<Index> terms;
    for (const Index k : moving())
      if (!is_scale(k)) terms.push_back(k);
    if (terms.empty()) return false;
    const Matrix root = inverse_root(information(problem, starts, terms).matrix);
    std::vector<std::pair<double, Index>> weak;
    for (std::size_t i = 0; i < terms.size(); ++i) {
      const double se = root.row(static_cast<Index>(i)).norm();
      const double evidence = se > 0 ? std::pow(fit_.theta[terms[i]] / se, 2) : 0;
      if (evidence < limit_) weak.emplace_back(evidence, terms[i]);
    }
    std::sort(weak.begin(), weak.end());
    weak.resize(std::min(weak.size(), std::max<std::size_t>(1, weak.size() / 3)));
    for (const auto& [evidence, k] : weak) {
      fit_.active[static_cast<std::size_t>(k)] = false;
      fit_.theta[k] = 0;
    }
    return !weak.empty();
  }

  /// The score test: the absent term that the likelihood asks for most returns.
  bool return_term(const LawProblem& problem, const Matrix& starts) {
    std::vector<Index> order, absent;
    for (Index k = 0; k < fit_.theta.size(); ++k) {
      if (is_scale(k)) continue;
      (fit_.active[static_cast<std::size_t>(k)] ? order : absent).push_back(k);
    }
    const auto p = static_cast<Index>(order.size());
    order.insert(order.end(), absent.begin(), absent.end());
    if (absent.empty()) return false;
    const LawInformation all = information(problem, starts, order);
    const Matrix root = inverse_root(all.matrix.topLeftCorner(p, p));
    double most = limit_;
    Index best = -1;
    for (Index q = p; q < all.matrix.rows(); ++q) {
      const Index k = order[static_cast<std::size_t>(q)];
      const double slope = all.gradient[q], own = all.matrix(q, q);
      if (std::isfinite(lower_[k]) && slope >= 0) continue;
      const double rest = own - (root.transpose() * all.matrix.col(q).head(p)).squaredNorm();
      if (!(rest > 1e-10 * own)) continue;
      if (slope * slope / rest > most && !was_here(k)) {
        most = slope * slope / rest;
        best = k;
      }
    }
    if (best < 0) return false;
    returned_.push_back(best);
    fit_.active[static_cast<std::size_t>(best)] = true;
    return true;
  }
  /// Whether a term has returned before: it would come and go for ever.
  bool was_here(Index k) const {
    return std::find(returned_.begin(), returned_.end(), k) != returned_.end();
  }

  /// The noise by which laws are compared. A median, which outliers do not move, is itself uncertain: of squares no larger than those of
  /// three σ instead.
  Vector likely_noise(const LawProblem& problem, const LawProblem::Point& point) const {
    if (!options_.robust()) return fit_.noise;
    constexpr double largest = 3;
    Vector squares = Vector::Zero(fit_.noise.size()), count = squares;
    for (Index r = 0; r < problem.runs(); ++r) {
      const Matrix relative = fit_.noise.cwiseInverse().asDiagonal() * problem.deviations(point, r);
      squares += relative.cwiseAbs().cwiseMin(largest).rowwise().squaredNorm();
      count += problem.presence(r).rowwise().sum();
    }
    return squares.cwiseQuotient(count.cwiseMax(1.0)).cwiseSqrt().cwiseProduct(fit_.noise);
  }

  /// The covariance of these parameters, and of ȳ after them.
  Matrix errors_of(const LawProblem& problem, const LawProblem::Point& point,
                   const std::vector<Index>& parameters) {
    const auto normal = problem.linearise(point, parameters);
    LawInformation all = eliminate_starts(normal);
    // At a bound that it presses against a parameter is where it shall be.
    for (std::size_t i = 0; i < parameters.size(); ++i)
      if (double& slope = all.gradient[static_cast<Index>(i)];
          fit_.theta[parameters[i]] <= lower_[parameters[i]] && slope > 0)
        slope = 0;
    const ErrorRoot found =
        error_root(problem.weighted_residuals(point, parameters, normal), all.matrix, all.gradient);
    fit_.widening = found.widening;
    return found.root * found.root.transpose();
  }

  /// What is reported of the end: errors, initial states, the criterion.
  void tell(const LawProblem& problem, const Matrix& starts, const Dataset& windows) {
    const auto parameters = moving();
    const LawProblem::Point point =
        to_the_end([&] { return problem.at(fit_.theta, starts, offset_); });
    const Matrix covariance = to_the_end([&] { return errors_of(problem, point, parameters); });
    fit_.offset = offset_;
    fit_.offset_errors = covariance.diagonal().tail(offset_.size()).cwiseMax(0.0).cwiseSqrt();
    fit_.covariance = Matrix::Zero(fit_.theta.size(), fit_.theta.size());
    for (std::size_t i = 0; i < parameters.size(); ++i)
      for (std::size_t j = 0; j < parameters.size(); ++j)
        fit_.covariance(parameters[i], parameters[j]) =
            covariance(static_cast<Index>(i), static_cast<Index>(j));
    const double values = problem.values(), each = values / static_cast<double>(data_.dimension());
    fit_.criterion =
        2 * each * likely_noise(problem, point).array().log().sum() +
        static_cast<double>(fit_.terms() + starts.size() + offset_.size()) * std::log(values);
    // The first window of every run.
    fit_.initial_states.resize(starts.rows(), static_cast<Index>(data_.runs().size()));
    std::size_t window = 0;
    for (std::size_t r = 0; r < data_.runs().size(); ++r) {
      const auto& run = data_.runs()[r];
      fit_.initial_states.col(static_cast<Index>(r)) = starts.col(static_cast<Index>(window));
      const double end = run.times()[run.samples() - 1];
      const auto ends = [&](const Trajectory& w) { return w.times()[w.samples() - 1] >= end; };
      while (window + 1 < windows.runs().size() && !ends(windows.runs()[window])) ++window;
      window = std::min(window + 1, windows.runs().size() - 1);
    }
  }

  const Dataset& data_;
  const SmoothedData& smoothed_;
  const FitOptions& options_;
  LawFit fit_;
  Vector sizes_, scales_, lower_, offset_;
  double limit_ = 0;
  int searches_ = 0;
  std::vector<Index> returned_, held_;
  std::vector<Matrix>
      courses_;  ///< of successive linearisation: states at the samples of every run
};

}  // namespace

LawFit search_terms(const Dataset& data, const SmoothedData& smoothed, LawFit start,
                    const FitOptions& options) {
  return LawSearcher(data, smoothed, std::move(start), options).search();
}

Matrix fitted_starts(const NonlinearStructure& structure, const Vector& theta, const Dataset& data,
                     const Vector& noise, const InputTiming& timing) {
  const SmoothedData smoothed = smooth(data, structure.dimension() > data.dimension());
  const Vector sigma = noise.size() == data.dimension() ? noise : channel_amplitudes(data);
  const NonlinearField field(structure, theta);
  const double step = longest_step(field, all_states(smoothed.data));
  Matrix starts = starts_of(smoothed.data, structure.dimension());
  Index longest = 0;
  for (const auto& run : data.runs()) longest = std::max(longest, run.samples());
  // On growing parts: far ahead trajectories part.
  for (Index samples = std::min<Index>(longest, 20);; samples = std::min(longest, 4 * samples)) {
    const LawProblem problem(first_samples(data, samples), structure, sigma,
                             Vector::Ones(theta.size()), step, timing);
    const LawSearch found = search_law(problem, theta, starts, {}, structure.lower_bounds(), {});
    if (std::isfinite(found.point.cost)) starts = found.point.starts;
    if (samples == longest) break;
  }
  return starts;
}

}  // namespace lgn
