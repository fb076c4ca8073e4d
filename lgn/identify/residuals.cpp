#include "lgn/identify/residuals.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace lgn {
namespace {

/// Residuals that belong together do so within so many samples.
constexpr Index lags = 12;

FitResiduals nothing_yet(Index channels) {
  const Vector zero = Vector::Zero(channels);
  const Matrix none = Matrix::Zero(channels, lags);
  return {zero, zero, zero, none, none};
}

/// Adds residuals of channel c from place `first` on, and their pairs with those before.
void add_gaps(FitResiduals& result, Index c, const Vector& e, Index first) {
  for (Index k = first; k < e.size(); ++k) {
    if (Trajectory::missing(e[k])) continue;
    result.squares[c] += e[k] * e[k];
    result.count[c] += 1;
    for (Index j = 1; j <= std::min(lags, k); ++j) {
      if (Trajectory::missing(e[k - j])) continue;
      result.products(c, j - 1) += e[k] * e[k - j];
      result.pairs(c, j - 1) += 1;
    }
  }
}

/// The same of complete ones.
void add_complete(FitResiduals& result, Index c, const Vector& e, Index first) {
  const Index count = e.size() - first;
  const auto own = e.tail(count);
  result.squares[c] += own.squaredNorm();
  result.count[c] += static_cast<double>(count);
  for (Index j = 1; j <= std::min(lags, e.size() - 1); ++j) {
    const Index pairs = std::min(count, e.size() - j);
    result.products(c, j - 1) += e.tail(pairs).dot(e.segment(e.size() - j - pairs, pairs));
    result.pairs(c, j - 1) += static_cast<double>(pairs);
  }
}

void add_run(FitResiduals& result, const Matrix& states, const Eigen::Ref<const Matrix>& predicted,
             const Vector& limit) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  // A part of a channel at a time, in the cache of a core, behind the last residuals of the part before.
  constexpr Index part = 4096;
  Vector e;
  for (Index c = 0; c < states.rows(); ++c)
    for (Index begin = 0; begin < states.cols(); begin += part) {
      const Index before = std::min(begin, lags), count = std::min(part, states.cols() - begin);
      const auto values = states.row(c).segment(begin - before, before + count).transpose();
      e = values - predicted.row(c).segment(begin - before, before + count).transpose();
      const bool complete = e.allFinite();
      // A prediction beyond all numbers is as wrong as can be; only a value that was not measured is left out.
      if (!complete) e = (e.array().isNaN() && !values.array().isNaN()).select(infinity, e);
      if (limit.size() > 0)
        for (double& value : e)
          if (std::abs(value) > limit[c]) value = std::copysign(limit[c], value);
      const auto own = values.tail(count);
      if (complete) {
        result.power[c] += own.squaredNorm();
        add_complete(result, c, e, before);
      } else {
        result.power[c] += own.array().isNaN().select(0.0, own).squaredNorm();
        add_gaps(result, c, e, before);
      }
    }
}

}  // namespace

double FitResiduals::nrmse() const { return std::sqrt(squares.sum() / power.sum()); }

double FitResiduals::correlation() const {
  if (!(sum_of_squares() > 0 && neighbours() > 0)) return 0;
  return (products.col(0).sum() / neighbours()) / (sum_of_squares() / count.sum());
}

double FitResiduals::coherence(Index channel) const {
  // Four standard errors are rare in ten channels; the more there are, the farther goes the one that goes farthest.
  constexpr double chance = 4, usual = 10;
  if (!(squares[channel] > 0)) return 0;
  const double channels = std::max(1.0, static_cast<double>(squares.size()) / usual);
  double strongest = 0, evidence = std::sqrt(chance * chance + 2 * std::log(channels));
  for (Index j = 0; j < products.cols(); ++j) {
    const double many = pairs(channel, j);
    if (many < 1) continue;
    const double correlation = products(channel, j) / many / (squares[channel] / count[channel]);
    if (!(std::abs(correlation) * std::sqrt(many) > evidence)) continue;
    evidence = std::abs(correlation) * std::sqrt(many);
    strongest = correlation;
  }
  return strongest;
}

FitResiduals find_residuals(const Fit& fit, const Dataset& data) {
  return find_residuals(fit.propagator(), fit.initial_states, data,
                        fit.factors.empty() ? Vector() : Vector(3 * fit.noise));
}

FitResiduals find_residuals(const Propagator& model, const Matrix& initial_states,
                            const Dataset& data, const Vector& limit) {
  FitResiduals result = nothing_yet(data.dimension());
  for (std::size_t r = 0; r < data.runs().size(); ++r) {
    const auto& run = data.runs()[r];
    add_run(result, run.states(),
            model(initial_states.col(static_cast<Index>(r)), run.times(), run.inputs()), limit);
  }
  return result;
}

namespace {

/// What a model says of the part of a run that was fitted and of the one that was held out.
Matrix predicted_whole(const Propagator& model, const Matrix& initial_states, const Split& split,
                       Index run) {
  const auto& train = split.train.runs()[static_cast<std::size_t>(run)];
  const auto& held = split.holdout.runs()[static_cast<std::size_t>(run)];
  Vector times(train.samples() + held.samples());
  times << train.times(), held.times();
  Matrix inputs(train.inputs().rows(), times.size());
  inputs << train.inputs(), held.inputs();
  return model(initial_states.col(run), times, inputs);
}

}  // namespace

Matrix predicted_holdout(const Propagator& model, const Matrix& initial_states, const Split& split,
                         Index run) {
  return predicted_whole(model, initial_states, split, run)
      .rightCols(split.holdout.runs()[static_cast<std::size_t>(run)].samples());
}

FitResiduals holdout_residuals(const Propagator& model, const Matrix& initial_states,
                               const Split& split) {
  FitResiduals result = nothing_yet(split.train.dimension());
  for (std::size_t r = 0; r < split.train.runs().size(); ++r) {
    const auto& held = split.holdout.runs()[r];
    const Matrix all = predicted_whole(model, initial_states, split, static_cast<Index>(r));
    add_run(result, held.states(), all.rightCols(held.samples()), {});
  }
  return result;
}

double validation_error(const FitResiduals& held_out, const FitResiduals& fitted) {
  const double size =
      (held_out.power.sum() + fitted.power.sum()) / (held_out.count.sum() + fitted.count.sum());
  return std::sqrt(held_out.sum_of_squares() / held_out.count.sum() / size);
}

bool leaves_noise_only(const FitResiduals& residuals) {
  constexpr double chance = 4;
  return residuals.nrmse() < explained ||
         std::abs(residuals.correlation()) <
             chance / std::sqrt(std::max(1.0, residuals.neighbours()));
}

double correlation_factor(double correlation, double pairs) {
  const double chance = std::max(0.1, 3 / std::sqrt(std::max(1.0, pairs)));
  if (!(correlation > chance)) return 1;
  const double bounded = std::min(correlation, 0.999);
  return std::sqrt((1 + bounded) / (1 - bounded));
}

double information_criterion(const FitResiduals& residuals, Index parameters) {
  double value = static_cast<double>(parameters) * std::log(residuals.count.sum());
  for (Index c = 0; c < residuals.squares.size(); ++c) {
    if (residuals.count[c] == 0) continue;
    const double floor = explained * explained * std::max(residuals.power[c], 1e-300);
    value +=
        residuals.count[c] * std::log(std::max(residuals.squares[c], floor) / residuals.count[c]);
  }
  return value;
}

}  // namespace lgn
