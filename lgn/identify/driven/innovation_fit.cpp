#include "lgn/identify/driven/innovation_fit.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "lgn/core/decompositions.h"
#include "lgn/core/error.h"
#include "lgn/core/gauss_newton.h"
#include "lgn/core/inverse_root.h"
#include "lgn/core/spectral_factor.h"
#include "lgn/core/stop.h"
#include "lgn/data/scales.h"
#include "lgn/data/windows.h"
#include "lgn/dynamics/modal.h"
#include "lgn/flow/exponential.h"
#include "lgn/identify/residuals.h"

namespace lgn {
namespace {

/// Starts that are followed.
constexpr std::size_t followed = 2;

/// W with WᵀW = S⁻¹; what is below `floor` (a variance for each channel) counts as that.
Matrix whitening(const Matrix& covariance, const Vector& floor) {
  Matrix s = covariance;
  s.diagonal() += floor;
  return solve_lower(cholesky(s), Matrix::Identity(s.rows(), s.cols()));
}

/// The part of channels that counts as explained, squared.
Vector floor_of(const Dataset& data) {
  return (explained * channel_amplitudes(data)).cwiseAbs2().cwiseMax(1e-300);
}

double log_determinant(const Matrix& covariance, const Vector& floor) {
  Matrix s = covariance;
  s.diagonal() += floor;
  return 2 * cholesky(s).diagonal().array().log().sum();
}

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

/// A place to start, and what it costs.
struct Start {
  std::shared_ptr<const PredictionErrors> problem;
  Vector psi;
  double misfit = 0;
};

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
    // What a simulation leaves, and so much of it by noise of the states.
    Vector simulated = own;
    simulated.segment(problem->gain(), n * l).setZero();
    if (!problem->stable(simulated)) continue;
    simulated = problem->with_best_linear(
        simulated, whitening(Matrix::Zero(l, l), channel_amplitudes(data).cwiseAbs2() + floor));
    const Matrix v = problem->covariance(problem->errors(simulated));
    if (!v.allFinite()) continue;
    const Matrix weight = whitening(v, floor);
    if (fit.innovation.active()) {
      add(own, weight);
      continue;
    }
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

/// Takes unknowns out of the quadratic model.
void hold_unknowns(PredictionErrors::Normal& normal, const std::vector<Index>& held) {
  for (const Index q : held) {
    normal.information.row(q).setZero();
    normal.information.col(q).setZero();
    normal.information(q, q) = 1;
    normal.gradient[q] = 0;
  }
}

/// Steps from a start to the largest likelihood. Unknowns that are held stay as they are.
Fit search(const Start& start, const Dataset& data, const FitOptions& options, double tolerance,
           const std::vector<Index>& held = {}) {
  const PredictionErrors& problem = *start.problem;
  const Vector floor = floor_of(data);
  const double none = -std::numeric_limits<double>::infinity();
  Vector psi = start.psi;
  const Fit like = problem.fit_at(psi, problem.covariance(problem.errors(psi)));
  const Structure& structure = *like.structure;
  GaussNewtonOptions settings;
  settings.tolerance = tolerance;
  settings.largest_step = Vector::Constant(problem.unknowns(), -none);
  settings.largest_step.head(problem.gain()) = structure.largest_steps(longest_duration(data));
  if (settings.largest_step.array().isInf().all()) settings.largest_step.resize(0);
  SumOfSquares squares;
  squares.lower = Vector::Constant(problem.unknowns(), none);
  squares.lower.head(problem.gain()) = structure.lower_bounds();
  squares.freedom = std::max(
      1.0, static_cast<double>(problem.complete() * data.dimension() - problem.unknowns()));
  Matrix s = like.innovation.covariance;
  double reached = log_determinant(s, floor);
  int iterations = 0;
  double damping = 1e-3;
  bool converged = false, stopped = false;
  // With one channel the covariance moves nothing; with more it is renewed every few steps. Where nothing determines some direction
  // steps creep along it: such a search ends where some in a row have gained nothing.
  const bool once = data.dimension() == 1;
  const int each = once ? 12 : 4;
  constexpr int most_idle = 2;
  int idle = 0;
  while (iterations < options.max_iterations) {
    const Matrix weight = whitening(s, floor);
    // The Hessian costs many times what the gradient does, and hardly changes near the end.
    std::shared_ptr<const Matrix> hessian;
    double hessian_cost = 0;
    double least = -none;
    squares.cost = [&](const Vector& x) {
      const double cost = problem.cost(x, weight);
      least = std::min(least, cost);
      return cost;
    };
    squares.model = [&](const Vector& x) -> std::unique_ptr<QuadraticModel> {
      constexpr double near = 1.02;
      // Steps are taken from the best so far.
      if (hessian != nullptr && hessian_cost < near * least) {
        Vector gradient = problem.gradient(x, weight);
        gradient(held).setZero();
        return std::make_unique<DenseModel>(hessian, std::move(gradient));
      }
      auto normal = problem.linearise(x, weight);
      hold_unknowns(normal, held);
      hessian = std::make_shared<const Matrix>(std::move(normal.information));
      hessian_cost = least;
      return std::make_unique<DenseModel>(hessian, std::move(normal.gradient));
    };
    settings.max_iterations = std::min(each, options.max_iterations - iterations);
    settings.observe = [&](const GaussNewtonState& state, double cost) {
      return !options.observe ||
             options.observe({"innovations form", iterations + state.iterations,
                              options.max_iterations, std::sqrt(cost / squares.freedom)});
    };
    const GaussNewtonResult found =
        minimize_gauss_newton(squares, {.x = psi, .damping = damping}, settings);
    psi = found.state.x;
    damping = found.state.damping;
    iterations += found.state.iterations;
    converged = found.converged();
    stopped = found.ending == GaussNewtonResult::Ending::stopped;
    s = to_the_end([&] { return problem.covariance(problem.errors(psi)); });
    const double now = log_determinant(s, floor);
    // Less than moves a parameter by a hundredth of its standard error.
    const bool settled =
        std::abs(reached - now) * static_cast<double>(problem.complete()) < tolerance;
    reached = now;
    idle = settled ? idle + 1 : 0;
    converged = converged && (settled || once);
    if (stopped || converged || found.state.iterations == 0) break;
    if (idle == most_idle) {
      converged = true;
      break;
    }
  }
  Fit fit = problem.fit_at(psi, s);
  fit.iterations += iterations;
  fit.converged = converged;
  fit.stopped = stopped;
  return fit;
}

}  // namespace

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
  // A few steps tell what a gain is worth.
  constexpr int steps_to_compare = 12;
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
    Fit found = search({problem, without, 0}, data, few, tolerance, together);
    stopped = found.stopped;
    const double lost = values * (log_determinant(found.innovation.covariance, floor) -
                                  log_determinant(fit.innovation.covariance, floor));
    if (stopped || !(lost < price * static_cast<double>(own.size()))) return false;
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
  if (held.empty() || fit.converged) return fit;
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
