#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "lgn/core/inverse_root.h"
#include "lgn/core/stop.h"
#include "lgn/identify/likelihood/maximum_likelihood.h"
#include "lgn/identify/variation/variation_search_internal.h"

namespace lgn {
namespace {

/// Entry e of these functions beside its constant, by group: those that vary.
std::vector<VariationBlock> varying_blocks(const ModulatedStructure& structure) {
  std::vector<VariationBlock> blocks;
  for (Index e = 0; e < structure.entries(); ++e)
    for (const auto& group : structure.basis().groups())
      if (structure.place(e, group.front()) >= 0) blocks.push_back({e, group});
  return blocks;
}

/// What must be zero for an entry not to vary: its coefficients, or differences of neighbours where
/// functions sum to one.
Matrix contrast_of(const TimeBasis& basis, Index functions) {
  if (!basis.partitions_unity()) return Matrix::Identity(functions, functions);
  Matrix contrast = Matrix::Zero(functions - 1, functions);
  for (Index i = 0; i + 1 < functions; ++i) {
    contrast(i, i) = -1;
    contrast(i, i + 1) = 1;
  }
  return contrast;
}

/// The structure with these active functions and θ of these coefficients; frequencies that no entry
/// varies with any more are left out.
std::pair<std::shared_ptr<const ModulatedStructure>, Vector> compact(
    const ModulatedStructure& structure, std::vector<std::vector<Index>> active,
    const Vector& omega, const Matrix& coefficients) {
  std::shared_ptr<const TimeBasis> basis = structure.shared_basis();
  std::vector<Index> kept(static_cast<std::size_t>(basis->size()),
                          -1);  // new place of each function
  std::vector<char> used(kept.size(), basis->parameters() == 0 ? 1 : 0);
  used[0] = 1;
  for (const auto& functions : active)
    for (const Index f : functions) used[static_cast<std::size_t>(f)] = 1;
  Index size = 0;
  std::vector<double> frequencies;
  for (std::size_t f = 0; f < kept.size(); ++f) {
    if (!used[f]) continue;
    kept[f] = size++;
    if (const Index owner = basis->owner(static_cast<Index>(f)); owner >= 0 && f % 2 == 1)
      frequencies.push_back(omega[owner]);
  }
  if (auto fewer = basis->with_frequencies(static_cast<Index>(frequencies.size())))
    basis = std::move(fewer);
  Matrix c = Matrix::Zero(coefficients.rows(), size);
  for (std::size_t f = 0; f < kept.size(); ++f)
    if (kept[f] >= 0) c.col(kept[f]) = coefficients.col(static_cast<Index>(f));
  for (auto& functions : active)
    for (Index& f : functions) f = kept[static_cast<std::size_t>(f)];
  auto smaller = std::make_shared<const ModulatedStructure>(structure.shared_base(), basis,
                                                            std::move(active), structure.link());
  Vector theta = smaller->theta_of(
      Eigen::Map<const Vector>(frequencies.data(), static_cast<Index>(frequencies.size())), c);
  return {std::move(smaller), std::move(theta)};
}

/// The structure without these blocks, and θ with what they leave behind.
std::pair<std::shared_ptr<const ModulatedStructure>, Vector> without(
    const ModulatedStructure& structure, const Vector& theta,
    const std::vector<VariationBlock>& blocks) {
  auto active = structure.active();
  Matrix c = structure.coefficients(theta);
  for (const auto& [entry, functions] : blocks) {
    auto& kept = active[static_cast<std::size_t>(entry)];
    double sum = 0;
    for (const Index f : functions) {
      kept.erase(std::find(kept.begin(), kept.end(), f));
      sum += c(entry, f);
    }
    if (structure.basis().partitions_unity()) {
      kept.assign(1, 0);
      c(entry, 0) = sum / static_cast<double>(functions.size());
    }
  }
  return compact(structure, active, structure.omega(theta), c);
}

}  // namespace

VariationSearch::VariationSearch(const Dataset& data, const FitOptions& options)
    : data_(data), options_(options) {
  options_.observe = [this, inner = options.observe](const FitProgress& progress) {
    if (!stopped_) stopped_ = inner && !inner(progress);
    return !stopped_;
  };
}

bool VariationSearch::report(const FitProgress& progress) const {
  return options_.observe(progress);
}

void VariationSearch::pursue(const std::function<void()>& part) const {
  if (!unless_stopped(part)) stopped_ = true;
}

Fit VariationSearch::finish(Variation best) const {
  best.fit.stopped = stopped_;
  best.fit.converged = best.fit.converged && !stopped_;
  return std::move(best.fit);
}

Matrix VariationSearch::information(const Variation& current) const {
  Problem problem(data_, *current.structure, current.fit.noise,
                  problem_options(current.fit, options_.estimate_initial_states));
  problem.weigh(current.fit.noise, current.fit.factors);
  return problem.linearise(*problem.profile(current.fit.theta)).information;
}

double VariationSearch::price() const { return std::log(static_cast<double>(data_.present())); }

Variation VariationSearch::fit(std::shared_ptr<const ModulatedStructure> structure,
                               const Vector& theta, bool thorough, const std::string& stage) const {
  FitOptions options = options_.in_stage(stage);
  if (!thorough) {
    options.max_iterations = 40;
    options.rounds = 1;
  }
  Variation result{
      structure, maximum_likelihood(data_, structure, {.theta = {theta}}, options), {}};
  stopped_ = stopped_ || result.fit.stopped;
  result.residuals = find_residuals(result.fit, data_);
  result.criterion = information_criterion(result.residuals, structure->parameters());
  return result;
}

BlockModel VariationSearch::model(const ModulatedStructure& structure, const Vector& theta,
                                  const Variation& current,
                                  const std::vector<VariationBlock>& blocks) const {
  ProblemOptions how = problem_options(current.fit, options_.estimate_initial_states);
  how.magnus = options_.magnus;
  Problem problem(data_, structure, current.fit.noise, how);
  problem.weigh(current.fit.noise, current.fit.factors);
  const auto [information, gradient, overlap] = problem.linearise(*problem.profile(theta));
  std::vector<char> fresh(static_cast<std::size_t>(structure.parameters()), 0);
  std::vector<Block> places;
  for (const auto& block : blocks) {
    places.emplace_back();
    for (const Index f : block.functions) {
      places.back().push_back(structure.place(block.entry, f));
      fresh[static_cast<std::size_t>(places.back().back())] = 1;
    }
  }
  // A frequency that no entry varies with yet has no information.
  Block old;
  for (Index k = 0; k < structure.parameters(); ++k)
    if (!fresh[static_cast<std::size_t>(k)] && information(k, k) > 0) old.push_back(k);
  return {information, gradient, old, places};
}

Variation VariationSearch::prune(Variation current, const std::string& stage) const {
  for (int pass = 1; !stopped_; ++pass) {
    const auto blocks = varying_blocks(*current.structure);
    if (blocks.empty()) return current;
    const Matrix covariance = covariance_of(information(current));
    // Errors of integration and of rounding are not noise: below the level that counts as explained
    // nothing is certain.
    const double level = std::min(1.0, current.residuals.nrmse() / explained);
    std::vector<std::pair<double, std::size_t>> weak;
    for (std::size_t b = 0; b < blocks.size(); ++b) {
      Block places;
      for (const Index f : blocks[b].functions)
        places.push_back(current.structure->place(blocks[b].entry, f));
      const Matrix contrast =
          contrast_of(current.structure->basis(), static_cast<Index>(places.size()));
      const double statistic = level * level *
                               wald_statistic(part(Matrix(current.fit.theta), places, {0}),
                                              part(covariance, places, places), contrast);
      const double evidence = statistic / (static_cast<double>(contrast.rows()) * price());
      if (evidence < 1) weak.emplace_back(evidence, b);
    }
    if (weak.empty()) return current;
    std::sort(weak.begin(), weak.end());
    // Those that are plainly nothing leave together, others one by one; something varies, by what
    // brought it here.
    constexpr double plainly = 0.3;
    std::size_t leaving = 1;
    while (leaving < weak.size() && weak[leaving].first < plainly) ++leaving;
    leaving = std::min(leaving, blocks.size() - 1);
    std::optional<Variation> smaller;
    for (; leaving > 0 && !smaller && !stopped_; leaving /= 2) {
      std::vector<VariationBlock> gone;
      for (std::size_t w = 0; w < leaving; ++w) gone.push_back(blocks[weak[w].second]);
      auto [structure, theta] = without(*current.structure, current.fit.theta, gone);
      smaller = fit(structure, theta, true,
                    fmt::format("{}, without {} of pass {}", stage, leaving, pass));
      if (smaller->criterion > current.criterion) smaller.reset();
    }
    if (!smaller) return current;
    smaller->fit.iterations += current.fit.iterations;
    current = std::move(*smaller);
  }
  return current;
}

}  // namespace lgn
