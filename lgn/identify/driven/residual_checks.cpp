#include "lgn/identify/driven/residual_checks.h"

#include <algorithm>
#include <cmath>

#include "lgn/core/decompositions.h"
#include "lgn/core/inverse_root.h"
#include "lgn/core/significance.h"
#include "lgn/core/stop.h"
#include "lgn/identify/likelihood/maximum_likelihood.h"
#include "lgn/identify/residuals.h"

namespace lgn {
namespace {

constexpr Index most_lags = 20;

/// What the last `lags` values of a series, of all runs, do not tell of the next: one row per run, the first `lags` zero.
std::vector<Vector> whitened(const std::vector<Vector>& runs, Index lags) {
  Matrix gram = Matrix::Zero(lags, lags);
  Vector right = Vector::Zero(lags);
  for (const Vector& run : runs)
    for (Index k = lags; k < run.size(); ++k) {
      const auto before = run.segment(k - lags, lags);
      gram.noalias() += before * before.transpose();
      right += run[k] * before;
    }
  // Sums of sines make it singular; what is then left is rounding.
  gram.diagonal().array() += 1e-12 * gram.diagonal().maxCoeff() + 1e-300;
  const Vector weights = solve_semidefinite(gram, right);
  std::vector<Vector> result;
  for (const Vector& run : runs) {
    Vector rest = Vector::Zero(run.size());
    for (Index k = lags; k < run.size(); ++k)
      rest[k] = run[k] - weights.dot(run.segment(k - lags, lags));
    result.push_back(std::move(rest));
  }
  return result;
}

std::vector<Matrix> residuals_of(const Fit& fit, const Dataset& data) {
  std::vector<Matrix> result;
  for (std::size_t r = 0; r < data.runs().size(); ++r) {
    const auto& run = data.runs()[r];
    result.push_back(run.states() - fit.propagate(fit.initial_states.col(static_cast<Index>(r)),
                                                  run.times(), run.inputs()));
  }
  return result;
}

/// Σ e_k w_(k+lag) over pairs that are present, divided by what its standard error is for white w: a standard normal number
/// where they have nothing to do with each other.
struct Correlation {
  double score = 0, value = 0;
};
Correlation correlate(const std::vector<Matrix>& residuals, const std::vector<Vector>& whites,
                      Index channel, Index lag, Index lags) {
  double product = 0, left = 0, right = 0;
  Index pairs = 0;
  for (std::size_t r = 0; r < residuals.size(); ++r) {
    const Vector& white = whites[r];
    for (Index k = std::max<Index>(0, lags - lag); k < white.size() - std::max<Index>(lag, 0);
         ++k) {
      const double e = residuals[r](channel, k), w = white[k + lag];
      if (Trajectory::missing(e)) continue;
      product += e * w;
      left += e * e;
      right += w * w;
      ++pairs;
    }
  }
  const double size = std::sqrt(left * right);
  if (!(size > 0) || !std::isfinite(size)) return {};
  const double value = product / size;
  return {value * std::sqrt(static_cast<double>(pairs)), value};
}

}  // namespace

std::optional<Feedback> find_feedback(const Fit& fit, const Dataset& data) {
  constexpr Index fewest = 60;
  constexpr double false_alarms = 0.01, rounding = 1e-5;
  Index shortest = data.runs().front().samples();
  for (const auto& run : data.runs()) shortest = std::min(shortest, run.samples());
  if (data.samples() < fewest || shortest < 12) return {};
  const Index lags = std::min(most_lags, shortest / 4);
  const std::vector<Matrix> residuals = residuals_of(fit, data);
  const auto inputs = static_cast<Index>(data.inputs().size());
  std::optional<Feedback> found;
  double most = 0, before = 0;
  for (Index j = 0; j < inputs; ++j) {
    std::vector<Vector> series;
    double sum = 0, squares = 0;
    for (const auto& run : data.runs()) sum += run.inputs().row(j).sum();
    const double mean = sum / static_cast<double>(data.samples());
    for (const auto& run : data.runs()) {
      series.emplace_back(run.inputs().row(j).transpose().array() - mean);
      squares += series.back().squaredNorm();
    }
    stop_point(10.0 * static_cast<double>(data.samples() * lags * lags));
    const std::vector<Vector> whites = whitened(series, lags);
    double rest = 0;
    for (const Vector& white : whites) rest += white.squaredNorm();
    // An input that its past tells in full answers to nothing.
    if (!(rest > rounding * rounding * squares)) continue;
    for (Index c = 0; c < data.dimension(); ++c)
      for (Index lag = -lags; lag <= lags; ++lag) {
        stop_point(3.0 * static_cast<double>(data.samples()));
        const auto [score, value] = correlate(residuals, whites, c, lag, lags);
        if (lag <= 0) before = std::max(before, std::abs(score));
        if (lag <= 0 || !(std::abs(score) > most)) continue;
        most = std::abs(score);
        found = {data.inputs()[static_cast<std::size_t>(j)],
                 data.channels()[static_cast<std::size_t>(c)], lag, value};
      }
  }
  const double tests = static_cast<double>(lags * inputs * data.dimension());
  return 2 * tests * normal_tail(most) < false_alarms && most > before ? found : std::nullopt;
}

namespace {

/// A fit's channels and inputs with signals as more inputs.
class ExtendedInputs {
 public:
  ExtendedInputs(const Fit& fit, const Dataset& data) : fit_(fit), data_(data) {
    for (std::size_t r = 0; r < data.runs().size(); ++r) {
      const auto& run = data.runs()[r];
      predicted_.push_back(
          fit.propagate(fit.initial_states.col(static_cast<Index>(r)), run.times(), run.inputs()));
    }
  }

  /// Channel c of what the fit says, or input c − channels.
  Vector signal(std::size_t run, Index which) const {
    const Index l = data_.dimension();
    const Vector values = which < l ? predicted_[run].row(which).transpose()
                                    : data_.runs()[run].inputs().row(which - l).transpose();
    return which < l && fit_.offset.size() > 0 ? Vector(values.array() - fit_.offset[which])
                                               : values;
  }

  struct Misfit {
    double cost = 0, unknowns = 0;
    double correlation = 0;  ///< of neighbouring residuals
  };
  /// −2 log likelihood with the inputs, channel `linear` (−1: none) and a square (0: none, 1: with its sign, 2: without) of
  /// signal `which` as more inputs.
  Misfit misfit(Index linear, int square, Index which) const {
    const Index m = static_cast<Index>(data_.inputs().size()), more = (linear >= 0) + (square > 0);
    std::vector<Trajectory> runs;
    for (std::size_t r = 0; r < data_.runs().size(); ++r) {
      const auto& run = data_.runs()[r];
      Matrix inputs(m + more, run.samples());
      inputs.topRows(m) = run.inputs();
      if (linear >= 0) inputs.row(m) = signal(r, linear).transpose();
      if (square > 0) {
        const Vector s = signal(r, which);
        inputs.row(m + more - 1) =
            (square == 2 ? Vector(s.cwiseAbs2()) : Vector(s.cwiseProduct(s.cwiseAbs())))
                .transpose();
      }
      runs.emplace_back(run.label(), run.times(), run.states(), std::move(inputs));
    }
    std::vector<std::string> names = data_.inputs();
    for (Index k = 0; k < more; ++k) names.push_back("\n" + std::to_string(k));
    ProblemOptions options = problem_options(fit_, true);
    options.feedthrough = true;
    options.drive_pattern.resize(0, 0);
    const Problem problem(Dataset(data_.channels(), std::move(runs), std::move(names)),
                          *fit_.structure, fit_.noise, options);
    const auto profile = improved(problem);
    Misfit result{profile->cost, static_cast<double>(problem.unknown_shared()), 0};
    double product = 0, power = 0;
    if (std::isfinite(profile->cost))
      for (const Matrix& left : problem.residuals(*profile)) {
        const Matrix scaled = fit_.noise.cwiseInverse().asDiagonal() * left;
        product +=
            scaled.leftCols(left.cols() - 1).cwiseProduct(scaled.rightCols(left.cols() - 1)).sum();
        power += scaled.squaredNorm();
      }
    result.correlation = power > 0 ? product / power : 0;
    return result;
  }

 private:
  /// θ follows the new inputs for a few steps: a fit without them has bent it.
  std::shared_ptr<const Problem::Profile> improved(const Problem& problem) const {
    constexpr int steps = 3;
    constexpr Index most_parameters = 200;
    auto best = problem.profile(fit_.theta);
    const Vector lower = fit_.structure->lower_bounds();
    for (int k = 0; k < steps && fit_.theta.size() <= most_parameters; ++k) {
      if (!std::isfinite(best->cost)) break;
      const Problem::Normal normal = problem.linearise(*best);
      const Matrix root = inverse_root(normal.information);
      const Vector step = root * (root.transpose() * normal.gradient);
      auto next = problem.profile((best->theta - step).cwiseMax(lower));
      if (!(next->cost < best->cost)) break;
      best = std::move(next);
    }
    return best;
  }

  const Fit& fit_;
  const Dataset& data_;
  std::vector<Matrix> predicted_;
};

}  // namespace

std::optional<Nonlinearity> find_nonlinearity(const Fit& fit, const Dataset& data) {
  constexpr double false_alarms = 1e-3, least = 1e-3, most_numbers = 1e7;
  constexpr Index most_channels = 8;
  const Index n = fit.structure->dimension(), l = data.dimension(), m = fit.drive.b.cols();
  const auto numbers = static_cast<double>(n * (m + 2) * l) * static_cast<double>(data.samples());
  if (m == 0 || fit.noise.size() != l || numbers > most_numbers) return {};
  // Where θ says B there is no further input.
  if (fit.structure->ports() != nullptr) return {};
  // Outliers have weights of their own, which these tests do not know.
  if (!fit.factors.empty()) return {};
  const ExtendedInputs extended(fit, data);
  const double values =
      static_cast<double>(data.present()) -
      static_cast<double>(fit.structure->free_parameters() + fit.initial_states.size());
  const FitResiduals left = find_residuals(fit, data);
  const Vector weights = fit.noise.cwiseAbs2().cwiseInverse();
  const double power = weights.dot(left.power);
  std::optional<Nonlinearity> found;
  const Index channels = l <= most_channels ? l : 0;
  const double tests = 2.0 * static_cast<double>(channels + m);
  for (Index which = 0; which < l + m; ++which) {
    if (which < l && channels == 0) continue;
    const Index linear = which < l ? which : -1;
    const auto before = extended.misfit(linear, 0, 0);
    for (const int square : {1, 2}) {
      stop_point(numbers);
      const auto after = extended.misfit(linear, square, which);
      const double gain = before.cost - after.cost, freedom = values - after.unknowns;
      if (!(gain > 0 && freedom > 10) || !std::isfinite(after.cost)) continue;
      const double widened = std::pow(correlation_factor(std::abs(after.correlation), freedom), 2);
      const double added = after.unknowns - before.unknowns;
      const double ratio = gain / added / (after.cost / freedom * widened);
      const double share = std::sqrt(gain / power);
      if (!(ratio_tail(ratio, added, freedom) < false_alarms / tests) || share < least) continue;
      // Of two that are beyond chance the one that explains more.
      if (found && share <= found->share) continue;
      found = {which < l ? data.channels()[static_cast<std::size_t>(which)]
                         : data.inputs()[static_cast<std::size_t>(which - l)],
               square == 2, share};
    }
  }
  return found;
}

}  // namespace lgn
