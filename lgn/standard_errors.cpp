#include <algorithm>
#include <cmath>

#include "lgn/core/decompositions.h"
#include "lgn/core/inverse_root.h"
#include "lgn/data/scales.h"
#include "lgn/dynamics/constant.h"
#include "lgn/dynamics/modal.h"
#include "lgn/dynamics/structures.h"
#include "lgn/identify/driven/innovation_fit.h"
#include "lgn/identify/likelihood/correlated_residuals.h"
#include "lgn/identify/likelihood/maximum_likelihood.h"
#include "lgn/identify/offset.h"
#include "lgn/model/model_response.h"
#include "lgn/physics/bootstrap.h"
#include "lgn/physics/decay_limits.h"
#include "lgn/physics/network_elements.h"
#include "lgn/physics/state_coordinates.h"
#include "lgn/physics/uncertainty.h"
#include "lgn/shape_errors_internal.h"
#include "lgn/standard_errors_internal.h"

namespace lgn {
namespace {

/// Parameters up to which the information matrix is made without being asked for.
constexpr Index most_parameters = 800;

/// How much wider errors are than the information of weighted samples says, where weights keep outliers down:
/// √(E f E ψ²)/E ψ′ for ψ(r/σ) = f r/σ (Huber, Ann. Math. Stat. 35:73, 1964).
double robust_factor(const Fit& fit, const Dataset& data) {
  if (fit.factors.empty()) return 1;
  double weights = 0, squares = 0, inside = 0;
  for (std::size_t r = 0; r < data.runs().size(); ++r) {
    const auto& run = data.runs()[r];
    const Matrix e = fit.noise.cwiseInverse().asDiagonal() *
                     (run.states() - fit.propagate(fit.initial_states.col(static_cast<Index>(r)),
                                                   run.times(), run.inputs()));
    for (Index k = 0; k < e.size(); ++k) {
      const double value = e.reshaped()[k], factor = fit.factors[r].reshaped()[k];
      if (Trajectory::missing(value)) continue;
      weights += factor;
      squares += factor * factor * value * value;
      inside += factor >= 1 ? 1 : 0;
    }
  }
  return inside > 0 ? std::sqrt(weights * squares) / inside : 1;
}

/// The same where residuals correlate as those of a first-order process do, for what is as slow as the record.
double error_factor(const FitResiduals& residuals, const Fit& fit, const Dataset& data) {
  return correlation_factor(residuals.correlation(), residuals.neighbours()) *
         robust_factor(fit, data);
}

/// Where nothing is left but the rounding of exponentials, all samples of a run share its errors: they count as one.
double shared_rounding(const FitResiduals& residuals, const Dataset& data) {
  constexpr double rounding = 1e-10;
  if (!(residuals.nrmse() < rounding)) return 1;
  return std::sqrt(static_cast<double>(data.samples()) / static_cast<double>(data.runs().size()));
}

/// A passive fit as one of its modes, in which B and D are free: what the data know of its poles without the help of passivity.
Fit in_modes(const Fit& fit, const Dataset& data, const Vector& noise, const ProblemOptions& how) {
  const Eigensystem eigen = eigensystem(fit.generator());
  const Matrix c = fit.structure->observation(fit.theta).matrix();
  const ModalSystem modal =
      modal_system(eigen.values, c.cast<Complex>() * eigen.right, channel_amplitudes(data));
  Fit free = fit;
  free.structure = modal.structure;
  free.theta = modal.theta;
  const Problem problem(data, *free.structure, noise, how);
  const auto profile = problem.profile(free.theta);
  free.initial_states = profile->initial_states;
  free.offset = profile->offset;
  free.drive = profile->drive;
  return free;
}

/// The fit as that of a structure whose parameters all show in A: its own, but for metric, whose
/// generator moves as freely as a full one while its parameters have a gauge, and for ports.
Fit without_gauge(const Fit& fit, const Dataset& data, const Vector& noise,
                  const ProblemOptions& how) {
  if (fit.structure->ports() != nullptr) return in_modes(fit, data, noise, how);
  if (fit.structure->name() != "metric") return fit;
  Fit free = fit;
  free.structure = std::make_shared<FullStructure>(fit.structure->dimension());
  free.theta = fit.generator().reshaped();
  return free;
}

/// Whether the fit rests on a bound that is not one of its parameters: the edge of stability.
bool rests_on_the_edge(const Fit& fit) {
  if (fit.structure->ports() != nullptr) return true;
  if (fit.structure->name() != "metric") return false;
  const Matrix a = fit.generator();
  return eigenvalues(a).real().maxCoeff() > -1e-9 * norm1(a);
}

/// The information matrix of a fit's parameters, what its residuals make of it, and what ȳ, B and D do beside them: their
/// covariance at fixed θ, and how they answer to a change of θ.
struct EstimateErrors {
  Matrix information;
  ErrorRoot errors;
  Matrix shared_covariance, shared_answer;
};

/// Evidence for a network's elements has that matrix already.
EstimateErrors errors_of(const Fit& fit, const Dataset& data, const Vector& noise,
                         const ProblemOptions& how, bool on_the_edge,
                         const std::optional<NetworkEvidence>& evidence) {
  ProblemOptions options = how;
  options.condense = fit.factors.empty();
  Problem problem(data, *fit.structure, noise, std::move(options));
  problem.weigh(noise, fit.factors);
  const auto profile = problem.profile(fit.theta);
  const Index p = fit.theta.size();
  Problem::Normal normal = evidence && problem.unknown_shared() == 0 && fit.factors.empty()
                               ? Problem::Normal{evidence->information.topLeftCorner(p, p),
                                                 evidence->gradient.head(p),
                                                 {}}
                               : problem.linearise(*profile);
  // Such a fit is not where squares are least.
  if (on_the_edge) normal.gradient.setZero();
  ErrorRoot errors = error_root(problem, *profile, normal);
  Matrix answer;
  if (normal.shared_overlap.size() > 0)
    answer = -profile->shared_covariance * normal.shared_overlap.transpose();
  return {std::move(normal.information), std::move(errors), profile->shared_covariance,
          std::move(answer)};
}

/// Errors of what a model says besides its modes, from R with R Rᵀ the covariance of θ.
void set_covariance(Model& model, const Matrix& root, const Structure& structure) {
  const Matrix covariance = root * root.transpose();
  if (covariance.rows() == model.theta.size()) {
    model.covariance = covariance;
    if (const Constants* law = structure.law_constants(); law != nullptr && structure.autonomous())
      model.parameter_errors =
          law->slopes(model.theta).cwiseAbs().cwiseProduct(root.rowwise().norm());
  }
  if (const ModalStructure* modal = structure.modal())
    set_shape_errors(model, *modal, root.sparseView());
  if (model.variation) model.variation->set_covariance(covariance);
}

/// Standard errors of ȳ, B and D.
void set_shared_errors(Model& model, const Fit& fit, const Vector& errors) {
  const Index l = fit.offset.size();
  const auto& [timing, b, d] = fit.drive;
  model.offset_errors = errors.head(l);
  model.b_errors = errors.segment(l, b.size()).reshaped(b.rows(), b.cols());
  model.d_errors = errors.tail(d.size()).reshaped(d.rows(), d.cols());
}

/// R with R Rᵀ = A for a symmetric positive semidefinite A.
Matrix semidefinite_root(const Matrix& a) {
  const SymmetricEigen eigen = symmetric_eigen(a);
  return eigen.vectors * eigen.values.cwiseMax(0.0).cwiseSqrt().asDiagonal();
}

/// How C moves with each parameter, column by column: entries × parameters. C is linear in those of a structure, or fixed, so that
/// differences are exact but for rounding.
Matrix observation_moves(const Structure& structure, const Vector& theta) {
  const Matrix c = structure.observation(theta).matrix();
  Matrix result = Matrix::Zero(c.size(), theta.size());
  for (Index q = 0; q < theta.size() && !structure.measures_states(); ++q) {
    Vector moved = theta;
    moved[q] += 1;
    result.col(q) = (structure.observation(moved).matrix() - c).reshaped();
  }
  return result;
}

/// Joint errors of A, B, C and D (theory, Eq. 73): those of θ and of ȳ, B and D are products of these roots with the same
/// independent numbers.
/// The states of passive fits are in other coordinates than those of the model.
void set_system_errors(Model& model, const Fit& fit, const Matrix& root, const Matrix& shared,
                       const Matrix& directions) {
  if (!fit.drive.active() || model.variation) return;
  const DrivenSystem system = driven_system(model);
  const Index n = system.states(), p = root.rows(), first = fit.offset.size();
  Matrix moves(n * n, p);
  for (Index q = 0; q < p; ++q) moves.col(q) = directions.middleRows(q * n, n).reshaped();
  const Index of_b = system.b.size(), of_c = system.c.size(), of_d = fit.drive.d.size();
  Matrix all = Matrix::Zero(n * n + of_b + of_c + system.d.size(), root.cols());
  all.topRows(n * n) = moves * root;
  all.middleRows(n * n, of_b) = shared.middleRows(first, of_b);
  all.middleRows(n * n + of_b, of_c) = observation_moves(*fit.structure, fit.theta) * root;
  if (of_d > 0) all.bottomRows(of_d) = shared.bottomRows(of_d);
  if (model.passivity &&
      !turn_states(all, system, fit.generator(), fit.structure->observation(fit.theta).matrix()))
    return;
  model.system_errors = system_errors_from(system, all);
}

/// Standard errors of an innovations form, by the information of its prediction errors: all unknowns together.
void add_errors_of_predictor(Model& model, const Fit& fit, const Dataset& data) {
  const PredictionErrors problem(data, fit, fit.innovation.step);
  const auto values = static_cast<double>(problem.complete() * data.dimension());
  const double freedom = std::max(1.0, values - static_cast<double>(problem.unknowns()));
  Matrix s = fit.innovation.covariance * values / freedom;
  s.diagonal() += (explained * channel_amplitudes(data)).cwiseAbs2();
  const Matrix weight = solve_lower(cholesky(s), Matrix::Identity(s.rows(), s.cols()));
  Matrix information = problem.linearise(problem.unknowns_of(fit), weight).information;
  // What was not estimated is not uncertain: its rows of the root are zero.
  for (const Index q : idle_gains(fit, problem)) {
    information.row(q).setZero();
    information.col(q).setZero();
  }
  const Matrix root = inverse_root(information);
  const Vector errors = root.rowwise().norm();
  model.k_errors = errors.segment(problem.gain(), fit.innovation.k.size())
                       .reshaped(fit.innovation.k.rows(), fit.innovation.k.cols());
  const Index shared = fit.offset.size() + fit.drive.b.size() + fit.drive.d.size();
  set_shared_errors(model, fit, errors.segment(problem.linear(), shared));
  const double duration = longest_duration(data);
  set_system_errors(model, fit, root.topRows(problem.gain()),
                    root.middleRows(problem.linear(), shared),
                    mean_directions(*fit.structure, fit.theta, 0, duration));
  add_errors_of(model, fit, root.topRows(problem.gain()), duration);
}

/// Those of the directions (p n × n) that move A at all; others are of C.
Matrix moving(const Matrix& directions) {
  const Index n = directions.cols();
  Matrix result(directions.rows(), n);
  Index rows = 0;
  for (Index first = 0; first < directions.rows(); first += n)
    if (!directions.middleRows(first, n).isZero(0)) {
      result.middleRows(rows, n) = directions.middleRows(first, n);
      rows += n;
    }
  return result.topRows(rows);
}

/// Those that the fit itself has found. Its θ has rates first, and A moves with these alone.
ErrorFacts add_known_errors(Model& model, const Fit& fit, double duration) {
  const FitErrors& known = *fit.errors;
  const ModalStructure& modal = *fit.structure->modal();
  const Index rates = modal.blocks().front().rows, n = modal.dimension();
  Matrix directions(rates * n, n);
  for (Index q = 0; q < rates; ++q)
    directions.middleRows(q * n, n) =
        modal.pushforward(fit.theta, Vector::Unit(fit.theta.size(), q));
  const Matrix root = known.root.topRows(rates);
  set_errors(model.modes,
             pole_covariances(model.a, {Matrix::Identity(rates, rates), directions, root}),
             duration, 1);
  if (fit.theta.size() <= most_parameters)
    set_covariance(model, Matrix(known.root), modal);
  else
    set_shape_errors(model, modal, known.root);
  model.offset_errors = known.offset;
  model.fit.error_widening = known.widening;
  ErrorFacts facts;
  facts.widening = known.widening;
  facts.distance = known.distance;
  return facts;
}

/// The largest ratio, either way, between two estimates of the errors of modes that are determined.
double disagreement(const std::vector<Mode>& a, const std::vector<Mode>& b) {
  double largest = 1;
  for (std::size_t k = 0; k < a.size(); ++k) {
    if (!a[k].se || !b[k].se || !a[k].identifiable.value_or(true)) continue;
    for (const double ratio : {a[k].se->re / b[k].se->re, a[k].se->im / b[k].se->im})
      if (ratio > 0 && std::isfinite(ratio)) largest = std::max({largest, ratio, 1 / ratio});
  }
  return largest;
}

}  // namespace

ErrorFacts add_errors(Model& model, const Fit& fit, const Dataset& data,
                      const FitResiduals& residuals, const FitOptions& options) {
  ErrorFacts facts;
  if (options.errors == Errors::never || fit.theta.size() == 0) return facts;
  if (fit.errors != nullptr) return add_known_errors(model, fit, longest_duration(data));
  const double duration = longest_duration(data), robust = robust_factor(fit, data);
  const ProblemOptions how = problem_options(fit, options.estimate_initial_states);
  const Vector& noise = model.fit.channel_noise;
  const Fit free = without_gauge(fit, data, noise, how);
  if (fit.innovation.active()) {
    add_errors_of_predictor(model, free, data);
    return facts;
  }
  const bool ports = fit.structure->ports() != nullptr;
  facts.skipped = fit.stopped && fit.structure->modal() != nullptr &&
                  fit.theta.size() > most_parameters && options.errors != Errors::always;
  if (facts.skipped) return facts;
  if (free.shared_unknowns() > 0)
    set_shared_errors(model, free,
                      error_factor(residuals, fit, data) *
                          shared_covariance(free, data, noise, options.estimate_initial_states)
                              .diagonal()
                              .cwiseSqrt());
  // Those are of B in other coordinates.
  if (ports) model.b_errors.resize(0, 0);
  const NetworkStructure* network = fit.structure->network();
  const bool small = free.theta.size() <= most_parameters || options.errors == Errors::always;
  if (!small && network == nullptr) {
    facts.skipped = free.structure->name() != "full";
    facts.unrefined = fit.method == "closed-form";
    if (facts.skipped) return facts;
    const Matrix about_rest = fit.offset.size() > 0
                                  ? Matrix(fit.initial_states.colwise() - fit.offset)
                                  : fit.initial_states;
    set_errors(model.modes, pole_covariances_of_modes(model.a, about_rest, data, noise), duration,
               error_factor(residuals, fit, data) * shared_rounding(residuals, data));
    return facts;
  }
  const auto [begin, end] = time_span(data);
  const Matrix directions = mean_directions(*free.structure, free.theta, begin, end);
  std::optional<NetworkEvidence> evidence;
  if (network != nullptr) evidence = find_evidence(data, {*network, fit.theta, noise, how}, {});
  const auto [information, errors, shared, answer] =
      errors_of(free, data, noise, how, rests_on_the_edge(fit), evidence);
  facts.widening = errors.widening;
  facts.distance = errors.distance;
  model.fit.error_widening = errors.widening;
  set_errors(
      model.modes,
      pole_covariances(ports ? free.generator() : model.a, {information, directions, errors.root}),
      duration, robust);
  set_covariance(model, robust * errors.root, *fit.structure);
  if (answer.size() > 0) {
    // ȳ, B and D answer to θ, and have errors of their own.
    const Matrix own = error_factor(residuals, fit, data) * semidefinite_root(shared);
    Matrix theta_root = Matrix::Zero(errors.root.rows(), errors.root.cols() + own.cols());
    theta_root.leftCols(errors.root.cols()) = robust * errors.root;
    Matrix shared_root = answer * theta_root;
    shared_root.rightCols(own.cols()) += own;
    set_system_errors(model, free, theta_root, shared_root, directions);
  }
  if (network != nullptr) {
    evidence->se = errors.root.rowwise().norm();
    for (double& value : evidence->present) value /= errors.widening * errors.widening;
    model.network = describe_network(*network, fit.theta, model.channels, options.network.kinds,
                                     evidence, robust);
  }
  const Vector lower = fit.structure->lower_bounds();
  const bool bounded = model.guarantee.conservative || network != nullptr ||
                       (fit.theta.array() <= lower.array()).any();
  if (bounded && fit.structure->autonomous() != nullptr &&
      free.theta.size() + model.dimension() <= most_parameters)
    add_decay_limits(model.modes, {model.a, moving(directions), model.c, data, noise, how},
                     robust * errors.widening, options.confidence);
  return facts;
}

void add_errors_of(Model& model, const Fit& fit, const Matrix& root, double duration) {
  const Matrix directions = mean_directions(*fit.structure, fit.theta, 0, duration);
  const Matrix known = Matrix::Identity(root.rows(), root.rows());
  set_errors(model.modes, pole_covariances(model.a, {known, directions, root}), duration, 1);
  set_covariance(model, root, *fit.structure);
}

double add_bootstrap(Model& model, const Fit& fit, const Dataset& data,
                     const FitResiduals& residuals, const FitOptions& options) {
  if (options.bootstrap == 0 || fit.theta.size() == 0 || fit.innovation.active()) return 1;
  const Fit free = without_gauge(fit, data, model.fit.channel_noise,
                                 problem_options(fit, options.estimate_initial_states));
  const Matrix samples = bootstrap(free, data, model.fit.channel_noise,
                                   {options.bootstrap, options.seed, options.threads,
                                    options.estimate_initial_states, options.observe});
  constexpr Index fewest = 20;
  if (samples.cols() < fewest) return 1;
  const std::vector<Mode> before = model.modes;
  const double factor = error_factor(residuals, fit, data);
  const auto [begin, end] = time_span(data);
  const auto mean = [&, b = begin, e = end](const Vector& theta) {
    return mean_generator(*free.structure, theta, b, e);
  };
  set_errors(model.modes, covariances_of(matched_poles(mean, free.theta, samples)),
             longest_duration(data), factor);
  const Matrix spread = samples.colwise() - samples.rowwise().mean();
  set_covariance(model, factor / std::sqrt(static_cast<double>(samples.cols() - 1)) * spread,
                 *fit.structure);
  model.fit.bootstrap = samples.cols();
  return disagreement(before, model.modes);
}

bool nothing_determined(const Model& model) {
  return !model.modes.empty() &&
         std::all_of(model.modes.begin(), model.modes.end(),
                     [](const Mode& mode) { return !mode.identifiable.value_or(true); });
}

}  // namespace lgn
