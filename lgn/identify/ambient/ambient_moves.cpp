#include <algorithm>
#include <cmath>
#include <numbers>

#include "lgn/core/decompositions.h"
#include "lgn/core/inverse_root.h"
#include "lgn/core/stop.h"
#include "lgn/identify/ambient/ambient_search.h"
#include "lgn/identify/residuals.h"

namespace lgn {
namespace {

/// One block as a system of its own.
std::shared_ptr<const ModalStructure> structure_of_block(const ModalStructure& structure,
                                                         const ModalStructure::Block& block) {
  return std::make_shared<ModalStructure>(block.size(), structure.channels(),
                                          std::vector<Index>{block.reference});
}
Vector block_parameters(const Vector& theta, const ModalStructure& structure,
                        const ModalStructure::Block& block) {
  const Index rows = block.size() * (structure.channels() - 1);
  Vector own(block.size() + rows);
  own << theta.segment(block.rates, block.size()), theta.segment(block.rows, rows);
  return own;
}

}  // namespace

std::optional<AmbientSystem> AmbientSearch::grow(const AmbientSystem& before,
                                                 Index most_states) const {
  const std::vector<Matrix> left = unexplained(before);
  const ComplexVector known = modal_poles(*before.structure, before.parameters.theta).poles;
  constexpr std::size_t most = 24;
  std::vector<std::pair<double, const PoleCluster*>> ranked;
  for (const PoleCluster& cluster : clusters_) {
    constexpr double near = 0.3;
    const double closest = (known.array() - cluster.pole).abs().minCoeff();
    if (closest < -near * cluster.pole.real()) continue;
    if (ranked.size() == most) break;
    stop_point();
    const double cost = extended(before, candidate(cluster), left).cost;
    if (std::isfinite(cost)) ranked.emplace_back(cost, &cluster);
  }
  std::stable_sort(ranked.begin(), ranked.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::optional<AmbientSystem> start;
  for (const auto& [cost, cluster] : ranked) {
    const AmbientSystem& now = start ? *start : before;
    if (now.states() + 2 > most_states) break;
    stop_point();
    AmbientSystem next = extended(now, candidate(*cluster), unexplained(now));
    if (!std::isfinite(next.cost) || (start && !(next.cost < now.cost - price()))) continue;
    start = std::move(next);
  }
  if (!start) return {};
  return tried(*start, criterion(before));
}

std::optional<AmbientSystem> AmbientSearch::shrink(const AmbientSystem& before) const {
  if (before.states() <= 2) return {};
  // Wald's statistic of no G tells what a pair adds, nearly, where all others move to make up for it.
  constexpr double at_most = 4;
  constexpr std::size_t followed = 3;
  const WhittleLikelihood likelihood(cells_, *before.structure, record_.step(), record_.samples());
  const Matrix covariance =
      covariance_of(likelihood.linearise(likelihood.packed(before.parameters)).information);
  std::vector<std::pair<double, const ModalStructure::Block*>> ranked;
  for (const auto& block : before.structure->blocks()) {
    if (!block.pair) continue;
    std::vector<Index> places;
    for (Index c = 0; c < record_.channels(); ++c)
      for (Index i = 0; i < block.size(); ++i)
        places.push_back(before.structure->parameters() + c * before.states() + block.state + i);
    const Vector g = before.parameters.g.middleRows(block.state, block.size()).reshaped();
    const double adds = g.dot(solve_semidefinite(covariance(places, places), g));
    if (adds < at_most * price()) ranked.emplace_back(adds, &block);
  }
  std::stable_sort(ranked.begin(), ranked.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::optional<AmbientSystem> best;
  for (std::size_t k = 0; k < std::min(followed, ranked.size()); ++k) {
    stop_point();
    const AmbientSystem start = without(before, *ranked[k].second);
    if (!std::isfinite(start.cost)) continue;
    AmbientSystem found = tried(start, criterion(before) + strong_evidence);
    if (!best || found.cost < best->cost) best = std::move(found);
  }
  return best;
}

std::optional<AmbientSystem> AmbientSearch::exchange(const AmbientSystem& before) const {
  constexpr double near = 0.3, beside = 2;
  constexpr std::size_t followed = 3;
  const double sampling = 2 * std::numbers::pi / record_.step();
  const auto [poles, shapes] = modal_poles(*before.structure, before.parameters.theta);
  std::vector<AmbientSystem> starts;
  for (const auto& block : before.structure->blocks()) {
    if (!block.pair || before.states() == block.size()) continue;
    const Complex pole = poles[block.state];
    const double turn = std::remainder(pole.imag(), sampling);
    const Complex seen(pole.real(), std::abs(turn));
    std::vector<PoleCluster> places = clusters_;
    if (pole.imag() > sampling / 2) {
      const ComplexVector shape = shapes.col(block.state);
      places.push_back({seen, turn < 0 ? ComplexVector(shape.conjugate()) : shape});
    }
    std::optional<AmbientSystem> others;
    for (const PoleCluster& cluster : places) {
      const double width = -cluster.pole.real();
      if ((poles.array() - cluster.pole).abs().minCoeff() < near * width) continue;
      if (std::abs(seen - cluster.pole) > beside * std::max(width, -pole.real())) continue;
      stop_point();
      if (!others) others = without(before, block);
      if (!std::isfinite(others->cost)) break;
      const ModalSystem mode = candidate(cluster);
      const ModalSystem all = joined({others->structure, others->parameters.theta}, mode);
      for (AmbientSystem start :
           {extended(*others, mode, unexplained(*others)), fresh(all, functions_.values())})
        if (std::isfinite(start.cost)) starts.push_back(std::move(start));
    }
  }
  std::stable_sort(starts.begin(), starts.end(),
                   [](const auto& a, const auto& b) { return a.cost < b.cost; });
  std::optional<AmbientSystem> best;
  for (std::size_t k = 0; k < std::min(followed, starts.size()); ++k) {
    stop_point();
    AmbientSystem found = tried(starts[k], criterion(before) + strong_evidence);
    if (!best || found.cost < best->cost) best = std::move(found);
  }
  return best;
}

AmbientSystem AmbientSearch::without(const AmbientSystem& before,
                                     const ModalStructure::Block& block) const {
  const ModalStructure& structure = *before.structure;
  std::vector<Index> references, states, rates, rows;
  for (const auto& other : structure.blocks()) {
    if (other.state == block.state) continue;
    references.push_back(other.reference);
    for (Index i = 0; i < other.size(); ++i) {
      states.push_back(other.state + i);
      rates.push_back(other.rates + i);
    }
    for (Index i = 0; i < other.size() * (structure.channels() - 1); ++i)
      rows.push_back(other.rows + i);
  }
  auto smaller = std::make_shared<ModalStructure>(static_cast<Index>(states.size()),
                                                  structure.channels(), references);
  rates.insert(rates.end(), rows.begin(), rows.end());
  AmbientSystem result{smaller,
                       {before.parameters.theta(rates), before.parameters.g(states, Eigen::all),
                        before.parameters.variance}};
  const WhittleLikelihood likelihood(cells_, *smaller, record_.step(), record_.samples());
  result.cost = likelihood.cost(likelihood.packed(result.parameters));
  // What the block did, the others may do in part: G that comes nearest to what correlation functions lose.
  const Matrix g = before.parameters.g.middleRows(block.state, block.size());
  const std::vector<Matrix> gone =
      functions_.of({structure_of_block(structure, block),
                     block_parameters(before.parameters.theta, structure, block)},
                    g);
  AmbientParameters moved = result.parameters;
  moved.g += functions_.fit_g({smaller, moved.theta}, gone);
  // The variance of the block goes with it, or becomes one of noise.
  const Matrix own = structure.observation(before.parameters.theta)
                         .matrix()
                         .middleCols(block.state, block.size()) *
                     g;
  for (AmbientParameters trial : {moved, result.parameters})
    for (const double share : {0.0, 1.0}) {
      trial.variance = before.parameters.variance - share / 2 * (own + own.transpose());
      const double cost = likelihood.cost(likelihood.packed(trial));
      if (!(cost < result.cost)) continue;
      result.cost = cost;
      result.parameters = trial;
    }
  // Where the spectrum is not positive any more, all G anew.
  if (!std::isfinite(result.cost))
    return fresh({smaller, result.parameters.theta}, functions_.values());
  return result;
}

AmbientSystem AmbientSearch::extended(const AmbientSystem& before, const ModalSystem& candidate,
                                      const std::vector<Matrix>& left) const {
  const Matrix g = functions_.fit_g(candidate, left);
  const ModalSystem both = before.states() == 0
                               ? candidate
                               : joined({before.structure, before.parameters.theta}, candidate);
  AmbientSystem result{both.structure, {both.theta, {}, before.parameters.variance}};
  const WhittleLikelihood likelihood(cells_, *both.structure, record_.step(), record_.samples());
  for (const double strength : {1.0, 0.5, 0.2, 0.05}) {
    AmbientParameters trial = result.parameters;
    trial.g.resize(both.structure->dimension(), record_.channels());
    trial.g << before.parameters.g, strength * g;
    // At strength one a mode explains that much of the power.
    const double cost = likelihood.cost(likelihood.packed(trial));
    if (!(cost < result.cost)) continue;
    result.cost = cost;
    result.parameters.g = trial.g;
  }
  return result;
}

}  // namespace lgn
