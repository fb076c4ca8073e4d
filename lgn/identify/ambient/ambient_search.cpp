#include "lgn/identify/ambient/ambient_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "lgn/core/constants_internal.h"
#include "lgn/core/decompositions.h"
#include "lgn/core/gauss_newton.h"
#include "lgn/core/stop.h"

namespace lgn {

ModalSystem joined(const ModalSystem& a, const ModalSystem& b) {
  const Index channels = b.structure->channels();
  std::vector<Index> references;
  for (const ModalSystem* part : {&a, &b})
    for (const auto& block : part->structure->blocks()) references.push_back(block.reference);
  const Index n = a.structure->dimension(), m = b.structure->dimension();
  auto structure = std::make_shared<ModalStructure>(n + m, channels, references);
  Vector theta(structure->parameters());
  theta << a.theta.head(n), b.theta.head(m), a.theta.tail(a.theta.size() - n),
      b.theta.tail(b.theta.size() - m);
  return {std::move(structure), std::move(theta)};
}

AmbientSearch::AmbientSearch(AmbientRecord record, const FitOptions& options)
    : options_(options),
      record_(std::move(record)),
      functions_(record_),
      canonical_(functions_.canonical()),
      realisation_(functions_.as_runs(), false) {
  clusters_ = pole_clusters(realisation_, {8, 12, 20, 28, 40, 52}, record_.band());
  constexpr double seen_twice = 0.08;
  std::vector<Complex> poles;
  for (const PoleCluster& cluster : clusters_)
    if (cluster.share > seen_twice) poles.push_back(cluster.pole);
  cells_ =
      record_.cells(Eigen::Map<const ComplexVector>(poles.data(), static_cast<Index>(poles.size())),
                    search_width);
  nothing_.parameters.variance = mean_periodogram();
  nothing_.cost = 0;
  const Eigen::LLT<Matrix> factor(nothing_.parameters.variance);
  for (const auto& cell : cells_)
    nothing_.cost += 2 * cell.lines *
                     (2 * factor.matrixLLT().diagonal().array().log().sum() +
                      factor.solve(cell.periodogram.real()).trace());
}

Index AmbientSearch::most_states() const {
  const Index l = record_.channels();
  const Index most = options_.thorough || options_.states == States::given ? 200 : 60;
  return std::clamp<Index>(record_.all_samples() * l / (10 * 2 * l), 0, most);
}

double AmbientSearch::criterion(const AmbientSystem& system) const {
  const Index l = record_.channels(), n = system.states();
  return system.cost + static_cast<double>(2 * n * l + l * (l + 1) / 2) * std::log(values());
}

Index AmbientSearch::aliased(const AmbientSystem& system) const {
  if (system.states() == 0) return 0;
  const ComplexVector poles = modal_poles(*system.structure, system.parameters.theta).poles;
  return (poles.imag().array() > std::numbers::pi / record_.step()).count();
}

std::optional<AmbientSystem> AmbientSearch::begin(std::optional<Index> states, double to_beat,
                                                  int steps) const {
  constexpr double agreed = 0.3;
  constexpr std::size_t most = 25;
  std::optional<ModalSystem> known;
  for (std::size_t k = 0; k < std::min(most, clusters_.size()); ++k) {
    if (states ? static_cast<Index>(2 * (k + 1)) > *states : clusters_[k].share < agreed) break;
    known = known ? joined(*known, candidate(clusters_[k])) : candidate(clusters_[k]);
  }
  std::vector<AmbientSystem> starts = fresh(states  ? *states
                                            : known ? known->structure->dimension()
                                                    : 2);
  if (known)
    if (AmbientSystem start = fresh(*known, functions_.values()); std::isfinite(start.cost))
      starts.push_back(std::move(start));
  if (auto start = states ? canonical(*states) : canonical()) starts.push_back(std::move(*start));
  if (starts.empty()) return {};
  const auto best =
      std::min_element(starts.begin(), starts.end(),
                       [&](const auto& a, const auto& b) { return criterion(a) < criterion(b); });
  return tried(*best, to_beat, steps);
}

std::optional<AmbientSystem> AmbientSearch::canonical(Index n) const {
  stop_point();
  const auto found = canonical_.realise(n, record_.step(), functions_.lags());
  if (!found) return {};
  const ModalSystem system =
      modal_system(found->modes.poles, found->modes.shapes, Vector::Ones(record_.channels()));
  AmbientSystem start = fresh(system, found->correlations);
  if (!std::isfinite(start.cost)) return {};
  return start;
}

std::optional<AmbientSystem> AmbientSearch::canonical() const {
  constexpr Index without_gain = 10;
  std::optional<AmbientSystem> best;
  for (Index n = 2; n <= most_states(); n += 2) {
    if (n > (best ? best->states() : 2) + without_gain) break;
    auto next = canonical(n);
    if (next && (!best || criterion(*next) < criterion(*best))) best = std::move(next);
  }
  return best;
}

std::vector<AmbientSystem> AmbientSearch::fresh(Index n) const {
  std::vector<AmbientSystem> result;
  for (const Realisation& found : realisation_.realise(n)) {
    stop_point();
    const ModalSystem system =
        modal_system(found.poles, found.shapes, Vector::Ones(record_.channels()));
    if (AmbientSystem start = fresh(system, functions_.values()); std::isfinite(start.cost))
      result.push_back(std::move(start));
  }
  return result;
}

AmbientSystem AmbientSearch::refined(const AmbientSystem& system,
                                     std::vector<SpectralCell>& cells) const {
  cells = record_.cells(modal_poles(*system.structure, system.parameters.theta).poles, final_width);
  return searched(system, cells, {std::min(60, options_.max_iterations), 0.02, infinity});
}

AmbientSystem AmbientSearch::tried(const AmbientSystem& start, double to_beat, int steps) const {
  // Standard errors to the maximum.
  constexpr double near = 0.05;
  return searched(start, cells_, {steps, near, to_beat});
}

AmbientSystem AmbientSearch::searched(const AmbientSystem& start,
                                      const std::vector<SpectralCell>& cells,
                                      const Effort& effort) const {
  const WhittleLikelihood likelihood(cells, *start.structure, record_.step(), record_.samples());
  const Vector phi = likelihood.packed(start.parameters);
  // Steps are judged relative to a cost that is its own number of values.
  const double values = 10 * likelihood.values();
  const double shift = values - likelihood.cost(phi);
  SumOfSquares problem;
  problem.cost = [&](const Vector& x) { return likelihood.cost(x) + shift; };
  problem.model = [&](const Vector& x) -> std::unique_ptr<QuadraticModel> {
    auto normal = likelihood.linearise(x);
    return std::make_unique<DenseModel>(
        std::make_shared<const Matrix>(std::move(normal.information)), std::move(normal.gradient));
  };
  problem.freedom = values;
  problem.lower = Vector::Constant(phi.size(), -infinity);
  problem.lower.head(start.parameters.theta.size()) = start.structure->lower_bounds();
  GaussNewtonOptions how;
  how.max_iterations = effort.steps;
  how.tolerance = effort.tolerance;
  const double cost_to_beat = effort.to_beat - (criterion(start) - start.cost) + shift;
  bool settled = false, hopeless = false;
  std::vector<double> costs{values};
  how.observe = [&](const GaussNewtonState& state, double cost) {
    costs.push_back(cost);
    const auto gain = [&](std::size_t of_steps) {
      return costs.size() > of_steps ? costs[costs.size() - 1 - of_steps] - cost : infinity;
    };
    // Directions that the data hardly show can go on for long without a gain.
    settled = gain(6) < 0.1;
    // Ten times what the last steps have gained would not be enough; one step tells where it is far too little.
    const double missing = cost - cost_to_beat;
    hopeless = (costs.size() > 5 && missing > 10 * gain(3)) ||
               (missing > 20 * price() && missing > 10 * gain(1));
    if (settled || hopeless) return false;
    FitProgress progress;
    progress.task = fmt::format("random vibration, {} states", start.states());
    progress.step = state.iterations;
    progress.steps = effort.steps;
    return !options_.observe || options_.observe(progress);
  };
  const GaussNewtonResult found =
      minimize_gauss_newton(problem, {.x = phi, .damping = 1e-3, .iterations = 0}, how);
  AmbientSystem result{start.structure, likelihood.unpacked(found.state.x), found.cost - shift};
  result.iterations = start.iterations + found.state.iterations;
  result.converged = settled || found.converged();
  result.stopped = !settled && !hopeless && found.ending == GaussNewtonResult::Ending::stopped;
  return result;
}

double AmbientSearch::values() const {
  double lines = 0;
  for (const auto& cell : cells_) lines += cell.lines;
  return 2 * lines * static_cast<double>(record_.channels());
}

Matrix AmbientSearch::mean_periodogram() const {
  Matrix sum = Matrix::Zero(record_.channels(), record_.channels());
  double lines = 0;
  for (const auto& cell : cells_) {
    sum += cell.lines * cell.periodogram.real();
    lines += cell.lines;
  }
  return sum / lines;
}

std::vector<Matrix> AmbientSearch::unexplained(const AmbientSystem& system) const {
  std::vector<Matrix> left = functions_.values();
  if (system.states() == 0) return left;
  const std::vector<Matrix> own =
      functions_.of({system.structure, system.parameters.theta}, system.parameters.g);
  for (std::size_t k = 0; k < left.size(); ++k) left[k] -= own[k];
  return left;
}

ModalSystem AmbientSearch::candidate(const PoleCluster& cluster) const {
  ComplexVector poles(2);
  poles << cluster.pole, std::conj(cluster.pole);
  ComplexMatrix shapes(cluster.shape.size(), 2);
  shapes << cluster.shape, cluster.shape.conjugate();
  return modal_system(poles, shapes, Vector::Ones(record_.channels()));
}

AmbientSystem AmbientSearch::fresh(const ModalSystem& system,
                                   const std::vector<Matrix>& lags) const {
  AmbientSystem result{system.structure, {system.theta, {}, {}}};
  const Matrix g = functions_.fit_g(system, lags);
  const Matrix& flat = nothing_.parameters.variance;
  const WhittleLikelihood likelihood(cells_, *system.structure, record_.step(), record_.samples());
  for (const double share : {0.0, 0.02, 0.05, 0.1, 0.2, 0.4, 0.7}) {
    AmbientParameters trial{system.theta, (1 - share) * g,
                            (1 - share) * functions_.variance() + share * flat};
    const double cost = likelihood.cost(likelihood.packed(trial));
    if (!(cost < result.cost)) continue;
    result.cost = cost;
    result.parameters = trial;
  }
  return result;
}

}  // namespace lgn
