#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "lgn/core/inverse_root.h"
#include "lgn/identify/variation_search_internal.h"

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

Vector part(const Vector& v, const Block& places) {
  Vector result(static_cast<Index>(places.size()));
  for (std::size_t i = 0; i < places.size(); ++i) result[static_cast<Index>(i)] = v[places[i]];
  return result;
}

Matrix part(const Matrix& m, const Block& places) {
  Matrix result(static_cast<Index>(places.size()), static_cast<Index>(places.size()));
  for (std::size_t j = 0; j < places.size(); ++j)
    for (std::size_t i = 0; i < places.size(); ++i)
      result(static_cast<Index>(i), static_cast<Index>(j)) = m(places[i], places[j]);
  return result;
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
  auto smaller = std::make_shared<const ModulatedStructure>(
      structure.shared_base(), structure.shared_basis(), active, structure.link());
  Vector smaller_theta = smaller->theta_of(structure.omega(theta), c);
  return {std::move(smaller), std::move(smaller_theta)};
}

}  // namespace

Matrix covariance_of(const Matrix& information) {
  const Matrix root = inverse_root(information);
  return root * root.transpose();
}

double VariationSearch::price() const { return std::log(static_cast<double>(data_.present())); }

Variation VariationSearch::fit(std::shared_ptr<const ModulatedStructure> structure,
                               const Vector& theta, bool thorough, const std::string& stage) const {
  VaryingOptions options = options_.fit;
  options.likelihood.stage += ", " + stage;
  if (!thorough) {
    options.likelihood.max_iterations = 40;
    options.likelihood.rounds = 1;
  }
  Variation result{structure, fit_varying(data_, structure, theta, options), {}};
  result.residuals = find_residuals(result.fit, data_);
  result.criterion = information_criterion(result.residuals, structure->parameters());
  return result;
}

BlockModel VariationSearch::model(const ModulatedStructure& structure, const Vector& theta,
                                  const Variation& current, const std::vector<MagnusGrid>& grids,
                                  const std::vector<VariationBlock>& blocks) const {
  const Likelihood likelihood(
      data_, current.fit.noise,
      options_.fit.likelihood.estimate_starts ? std::nullopt : std::optional(current.fit.starts),
      Clock::absolute);
  const VaryingLikelihood varying(likelihood, structure, grids);
  const auto [information, gradient] = varying.normal(theta, varying.profile(theta));
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
  for (int pass = 1; !current.fit.stopped; ++pass) {
    const auto blocks = varying_blocks(*current.structure);
    if (blocks.empty()) return current;
    const Matrix covariance = covariance_of(varying_information(
        data_, current.fit, current.fit.noise,
        options_.fit.likelihood.estimate_starts ? std::nullopt
                                                : std::optional(current.fit.starts)));
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
      const double statistic =
          level * level *
          wald_statistic(part(current.fit.theta, places), part(covariance, places), contrast);
      const double evidence = statistic / (static_cast<double>(contrast.rows()) * price());
      if (evidence < 1) weak.emplace_back(evidence, b);
    }
    if (weak.empty()) return current;
    std::sort(weak.begin(), weak.end());
    // Those that are plainly nothing leave together, others one by one.
    constexpr double plainly = 0.3;
    std::vector<VariationBlock> leaving{blocks[weak.front().second]};
    for (std::size_t w = 1; w < weak.size() && weak[w].first < plainly; ++w)
      leaving.push_back(blocks[weak[w].second]);
    bool kept_all = true;
    for (const std::size_t count : {leaving.size(), std::size_t{1}}) {
      if (count > leaving.size() || !kept_all) continue;
      leaving.resize(count);
      if (leaving.size() == blocks.size()) continue;  // something varies, by what brought it here
      auto [structure, theta] = without(*current.structure, current.fit.theta, leaving);
      Variation smaller =
          fit(structure, theta, true, fmt::format("{}, without {} of pass {}", stage, count, pass));
      smaller.fit.iterations += current.fit.iterations;
      if (smaller.criterion > current.criterion) continue;
      current = std::move(smaller);
      kept_all = false;
    }
    if (kept_all) return current;
  }
  return current;
}

}  // namespace lgn
