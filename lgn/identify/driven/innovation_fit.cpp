#include "lgn/identify/driven/innovation_fit.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "lgn/core/decompositions.h"
#include "lgn/core/error.h"
#include "lgn/core/inverse_root.h"
#include "lgn/core/spectral_factor.h"
#include "lgn/data/scales.h"
#include "lgn/dynamics/modal.h"
#include "lgn/flow/exponential.h"
#include "lgn/identify/driven/innovation_internal.h"
#include "lgn/identify/residuals.h"

namespace lgn {

using namespace innovation_internal;

namespace {

/// Starts that are followed.
constexpr std::size_t followed = 2;

/// K where noise of the states, alike in all of them, makes this part of residuals of covariance V; nothing where there is none.
std::optional<Matrix> gain_of_noise(const Matrix& phi, const Matrix& c, const Matrix& v,
                                    double part) {
  const Vector seen = c.rowwise().squaredNorm();
  double size = 0;
  for (Index i = 0; i < c.rows(); ++i) size += v(i, i) / std::max(seen[i], 1e-12);
  // Φ contracts, so that this is a covariance of states which noise keeps up.
  size *= part / static_cast<double>(c.rows());
  const Matrix seen_part = size * c * c.transpose();
  Matrix whole = seen_part;
  whole.diagonal() += (1 - part) * v.diagonal();
  const auto found = spectral_factor(phi, c, size * phi * c.transpose(), whole);
  if (!found) return {};
  return found->k;
}

std::vector<Start> ranked_starts(const Dataset& data, const std::vector<Fit>& fits, double step) {
  std::vector<Start> result;
  const Vector floor = floor_of(data);
  for (const Fit& fit : fits) {
    const auto problem = std::make_shared<const PredictionErrors>(data, fit, step);
    const Index n = fit.structure->dimension(), l = fit.structure->channels();
    const Vector own = problem->unknowns_of(fit);
    const Matrix phi = exponential(step * fit.generator());
    const Matrix c = fit.structure->observation(fit.theta).matrix();
    if (!phi.allFinite()) continue;
    const auto add = [&](Vector psi, const Matrix& weight) {
      if (!problem->stable(psi)) return;
      psi = problem->with_best_linear(psi, weight);
      const Matrix s = problem->covariance(problem->errors(psi));
      if (s.allFinite()) result.push_back({problem, psi, log_determinant(s, floor)});
    };
    if (fit.innovation.active()) {
      if (!problem->stable(own)) continue;
      const Matrix v = problem->covariance(problem->errors(own));
      if (v.allFinite()) add(own, whitening(v, floor));
      continue;
    }
    // What a simulation leaves, and so much of it by noise of the states.
    Vector simulated = own;
    simulated.segment(problem->gain(), n * l).setZero();
    if (!problem->stable(simulated)) continue;
    simulated = problem->with_best_linear(
        simulated, whitening(Matrix::Zero(l, l), channel_amplitudes(data).cwiseAbs2() + floor));
    const Matrix v = problem->covariance(problem->errors(simulated));
    if (!v.allFinite()) continue;
    const Matrix weight = whitening(v, floor);
    add(simulated, weight);
    for (const double part : {0.2, 0.8, 0.99})
      if (const auto k = gain_of_noise(phi, c, v, part)) {
        Vector psi = simulated;
        psi.segment(problem->gain(), n * l) = k->reshaped();
        add(psi, weight);
      }
  }
  std::stable_sort(result.begin(), result.end(),
                   [](const Start& a, const Start& b) { return a.misfit < b.misfit; });
  return result;
}

}  // namespace

double criterion_of_start(const Dataset& data, const Fit& start, double step) {
  const std::vector<Start> places = ranked_starts(data, {start}, step);
  if (places.empty()) return std::numeric_limits<double>::infinity();
  const PredictionErrors& problem = *places.front().problem;
  const Vector& psi = places.front().psi;
  return prediction_criterion(problem.fit_at(psi, problem.covariance(problem.errors(psi))), data,
                              step);
}

std::optional<Fit> fit_innovation(const Dataset& data, const std::vector<Fit>& starts, double step,
                                  const FitOptions& options, double tolerance) {
  const std::vector<Start> places = ranked_starts(data, starts, step);
  std::optional<Fit> best;
  double least = std::numeric_limits<double>::infinity();
  const std::size_t count = std::min(followed, places.size());
  // A few steps tell which start leads further.
  constexpr int race_steps = 6;
  FitOptions first = options;
  if (count > 1) first.max_iterations = std::min(options.max_iterations, race_steps);
  std::size_t leader = 0;
  for (std::size_t k = 0; k < count; ++k) {
    Fit found = search(places[k], data, first, tolerance);
    const double reached = log_determinant(found.innovation.covariance, floor_of(data));
    const bool stopped = found.stopped;
    if (reached < least) {
      least = reached;
      best = std::move(found);
      leader = k;
    }
    if (stopped) break;
  }
  if (!best || best->stopped || best->converged || first.max_iterations == options.max_iterations)
    return best;
  FitOptions rest = options;
  rest.max_iterations -= first.max_iterations;
  const auto& problem = places[leader].problem;
  best = search({problem, problem->unknowns_of(*best), least}, data, rest, tolerance);
  best->iterations += first.max_iterations;
  return best;
}

namespace {

/// Where the gains of a block stand in ψ.
std::vector<Index> gains_of(const ModalStructure& modal, std::size_t block, Index first,
                            Index channels) {
  const auto& own = modal.blocks()[block];
  std::vector<Index> result;
  for (Index c = 0; c < channels; ++c)
    for (Index i = 0; i < own.size(); ++i)
      result.push_back(first + c * modal.dimension() + own.state + i);
  return result;
}

}  // namespace

Fit without_idle_gains(const Dataset& data, Fit fit, const FitOptions& options, double tolerance) {
  const ModalStructure* modal = fit.structure->modal();
  if (modal == nullptr) return fit;
  const auto problem = std::make_shared<const PredictionErrors>(data, fit, fit.innovation.step);
  const Vector floor = floor_of(data);
  const Index l = data.dimension();
  const auto values = static_cast<double>(problem->complete());
  const double price = std::log(std::max(1.0, values * static_cast<double>(l)));
  // A few steps tell what a gain is worth, which costs several units of −2 log likelihood: a tenth of one tells.
  constexpr int steps_to_compare = 12;
  constexpr double enough_to_tell = 0.3;
  FitOptions few = options;
  few.max_iterations = std::min(options.max_iterations, steps_to_compare);
  std::vector<Index> held;
  bool stopped = false;
  // Whether the criterion wants the fit without these, too, which is then taken; with the square root of the covariance of ψ.
  const auto drop = [&](const std::vector<Index>& own, const Matrix& root) {
    const Vector psi = problem->unknowns_of(fit);
    // All else moves with them as the information says, so that few steps are left.
    const Matrix part = root(own, Eigen::all);
    Vector without = psi - root * (part.transpose() *
                                   solve_semidefinite(part * part.transpose(), psi(own).eval()));
    without(held).setZero();
    if (!problem->stable(without)) without = psi;
    without(own).setZero();
    if (!problem->stable(without)) return false;
    std::vector<Index> together = held;
    together.insert(together.end(), own.begin(), own.end());
    Fit found = search({problem, without, 0}, data, few, enough_to_tell, together);
    stopped = found.stopped;
    const double lost = values * (log_determinant(found.innovation.covariance, floor) -
                                  log_determinant(fit.innovation.covariance, floor));
    if (stopped || !(lost < price * static_cast<double>(own.size()) + strong_evidence))
      return false;
    fit = std::move(found);
    held = std::move(together);
    return true;
  };
  std::vector<std::vector<Index>> gains;
  for (std::size_t b = 0; b < modal->blocks().size(); ++b)
    gains.push_back(gains_of(*modal, b, problem->gain(), l));
  while (gains.size() > 1) {
    const Vector psi = problem->unknowns_of(fit);
    auto normal = problem->linearise(psi, whitening(fit.innovation.covariance, floor));
    hold_unknowns(normal, held);
    const Matrix root = inverse_root(normal.information);
    // What the information says of gains (Wald) tells which to try; how much is lost it may tell wrongly by far.
    const auto strength = [&](const std::vector<Index>& own) {
      const Matrix part = root(own, Eigen::all);
      const Vector gain = psi(own);
      return gain.dot(solve_semidefinite(part * part.transpose(), gain)) -
             price * static_cast<double>(own.size());
    };
    std::vector<std::pair<double, std::vector<Index>>> ranked;
    for (auto& own : gains) ranked.emplace_back(strength(own), own);
    std::stable_sort(ranked.begin(), ranked.end(),
                     [](const auto& x, const auto& y) { return x.first < y.first; });
    for (std::size_t b = 0; b < gains.size(); ++b) gains[b] = std::move(ranked[b].second);
    if (drop(gains.front(), root)) {
      gains.erase(gains.begin());
      continue;
    }
    // Gains of several modes may stand for one another: each is missed alone, all of them are not.
    std::vector<Index> weaker;
    for (std::size_t b = 0; b + 1 < gains.size(); ++b)
      weaker.insert(weaker.end(), gains[b].begin(), gains[b].end());
    if (!stopped && gains.size() > 2) drop(weaker, root);
    break;
  }
  if (stopped) return fit;
  if (fit.converged) return fit;
  Fit found = search({problem, problem->unknowns_of(fit), 0}, data, options, tolerance, held);
  found.iterations += fit.iterations;
  return found;
}

std::vector<Index> idle_gains(const Fit& fit, const PredictionErrors& problem) {
  std::vector<Index> result;
  const Matrix& k = fit.innovation.k;
  for (Index i = 0; i < k.rows(); ++i)
    for (Index c = 0; c < k.cols(); ++c)
      if (k.row(i).isZero(0)) result.push_back(problem.gain() + c * k.rows() + i);
  return result;
}

FitResiduals prediction_residuals(const Fit& fit, const Dataset& data) {
  const PredictionErrors problem(data, fit, fit.innovation.step);
  const std::vector<Matrix> errors = problem.errors(problem.unknowns_of(fit));
  std::size_t run = 0;
  // Runs are asked for in their order.
  return find_residuals(
      [&](const Vector&, const Vector&, const Matrix&) -> Matrix {
        const Matrix& samples = data.runs()[run].states();
        Matrix predicted = samples - errors[run++];
        return predicted;
      },
      fit.initial_states, data);
}

double prediction_criterion(const Fit& fit, const Dataset& data, double step) {
  const PredictionErrors problem(data, fit, step);
  const Matrix s = problem.covariance(problem.errors(problem.unknowns_of(fit)));
  const Vector floor = floor_of(data);
  const auto n = static_cast<double>(problem.complete());
  const Index l = s.rows(), gauge = fit.structure->parameters() - fit.structure->free_parameters();
  const Index gains = fit.structure->dimension() * l;
  const Index unknowns = problem.unknowns() - gauge - (fit.innovation.active() ? 0 : gains) +
                         (fit.innovation.active() ? l * (l + 1) / 2 : l);
  const double fitted = fit.innovation.active()
                            ? log_determinant(s, floor)
                            : log_determinant(s.diagonal().asDiagonal().toDenseMatrix(), floor);
  return n * fitted +
         static_cast<double>(unknowns) * std::log(std::max(1.0, n * static_cast<double>(l)));
}

}  // namespace lgn
