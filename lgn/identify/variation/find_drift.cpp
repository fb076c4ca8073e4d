#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

#include "lgn/data/scales.h"
#include "lgn/identify/likelihood/maximum_likelihood.h"
#include "lgn/identify/variation/variation_search_internal.h"

namespace lgn {
namespace {

/// The current courses in another basis, where the listed entries vary, too: least squares over the interval.
std::pair<std::shared_ptr<const ModulatedStructure>, Vector> in_basis(
    const ModulatedStructure& old, const Vector& from,
    const std::shared_ptr<const TimeBasis>& basis, double begin, double end,
    const std::vector<Index>& more, bool with_constant) {
  std::vector<Index> splines;
  // With the constant beside them, one spline less spans the same.
  for (Index f = with_constant ? 0 : 1; f < basis->size() - (with_constant ? 1 : 0); ++f)
    splines.push_back(f);
  auto active = old.active();
  for (auto& functions : active)
    if (functions.size() > 1) functions = splines;
  for (const Index e : more) active[static_cast<std::size_t>(e)] = splines;
  auto structure = std::make_shared<const ModulatedStructure>(old.shared_base(), basis, active);
  const Vector times = Vector::LinSpaced(8 * basis->size(), begin, end);
  const Matrix courses = old.coefficients(from) * old.basis().values({}, times);
  const Matrix functions = basis->values({}, times);
  Matrix c = Matrix::Zero(old.entries(), basis->size());
  for (Index e = 0; e < c.rows(); ++e) {
    const auto& used = active[static_cast<std::size_t>(e)];
    Matrix design(times.size(), static_cast<Index>(used.size()));
    for (std::size_t j = 0; j < used.size(); ++j)
      design.col(static_cast<Index>(j)) = functions.row(used[j]).transpose();
    const Vector found = design.householderQr().solve(courses.row(e).transpose());
    for (std::size_t j = 0; j < used.size(); ++j) c(e, used[j]) = found[static_cast<Index>(j)];
  }
  Vector theta = structure->theta_of({}, c);
  return {std::move(structure), std::move(theta)};
}

/// The same for where a search stands.
std::pair<std::shared_ptr<const ModulatedStructure>, Vector> in_basis(
    const Variation& current, const std::shared_ptr<const SplineBasis>& basis,
    const std::vector<Index>& more, bool with_constant) {
  return in_basis(*current.structure, current.fit.theta, basis, basis->begin(), basis->end(), more,
                  with_constant);
}

/// Entries that do not vary yet and gain from doing so.
std::vector<Index> drifting_entries(const VariationSearch& search, const Variation& current,
                                    const std::shared_ptr<const SplineBasis>& basis) {
  std::vector<Index> constant;
  for (Index e = 0; e < current.structure->entries(); ++e)
    if (current.structure->active()[static_cast<std::size_t>(e)].size() == 1) constant.push_back(e);
  const auto [structure, theta] = in_basis(current, basis, constant, true);
  std::vector<VariationBlock> blocks;
  for (const Index e : constant) {
    blocks.push_back({e, structure->active()[static_cast<std::size_t>(e)]});
    blocks.back().functions.erase(
        blocks.back().functions.begin());  // the constant is there already
  }
  std::vector<Index> chosen;
  for (const std::size_t b :
       search.model(*structure, theta, current, blocks).choose(search.price()))
    chosen.push_back(constant[b]);
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

/// The drift in a basis from where the search stands: entries join as long as the criterion falls.
Variation grow(const VariationSearch& search, const Variation& from,
               const std::shared_ptr<const SplineBasis>& basis, const std::string& stage) {
  constexpr int most_looks = 3;
  Variation current = from;
  for (int look = 1; look <= most_looks && !search.stopped(); ++look) {
    const auto more = drifting_entries(search, current, basis);
    if (more.empty() && (look > 1 || from.structure->constant())) break;
    const auto [structure, start] = in_basis(current, basis, more, false);
    const std::string name = fmt::format("{}, look {}", stage, look);
    const int before = current.fit.iterations;
    Variation next = search.prune(search.fit(structure, start, true, name), name);
    next.fit.iterations += before;
    if (search.stopped()) break;
    const bool better = next.criterion < current.criterion;
    if (look == 1 || better) current = std::move(next);
    if (!better) break;
  }
  return current;
}

}  // namespace

Fit find_drift(const Dataset& data, std::shared_ptr<const ConstantStructure> base,
               const Vector& theta, const FitOptions& options) {
  const VariationSearch search(data, options);
  const auto [begin, end] = time_span(data);
  const auto splines = [&, b = begin, e = end](Index count) {
    return std::make_shared<const SplineBasis>(count, b, e);
  };
  constexpr Index fewest = 5;
  Variation best = search.fit(
      std::make_shared<const ModulatedStructure>(
          base, splines(fewest),
          std::vector<std::vector<Index>>(static_cast<std::size_t>(base->parameters()), {0})),
      theta, true, "constant");
  search.pursue([&] {
    for (Index count = fewest; count <= options.most_splines; count = (3 * count) / 2) {
      if (search.stopped() || best.residuals.nrmse() < explained) break;
      const auto basis = splines(count);
      const std::string stage = fmt::format("{} splines", count);
      Variation current = grow(search, best, basis, stage);
      // Entries that seem to drift beside the constant fit may stand for others. Where all drift at
      // first, those that need not are found out.
      const bool affordable = count * base->parameters() <= options.dense_parameters;
      if (best.structure->constant() && affordable && !search.stopped() &&
          !leaves_noise_only(current.residuals)) {
        std::vector<Index> all(static_cast<std::size_t>(base->parameters()));
        std::iota(all.begin(), all.end(), Index{0});
        const auto [structure, start] = in_basis(best, basis, all, false);
        Variation dense =
            search.prune(search.fit(structure, start, true, stage + ", all"), stage + ", all");
        if (dense.criterion < current.criterion) current = std::move(dense);
      }
      if (search.stopped()) break;
      if (current.criterion < best.criterion - strong_evidence)
        best = std::move(current);
      else if (!best.structure->constant())
        break;
    }
  });
  return search.finish(std::move(best));
}

Fit refit_variation(const Dataset& data, const Fit& found, const FitOptions& options) {
  std::shared_ptr<const Structure> structure = found.structure;
  Vector theta = found.theta;
  const ModulatedStructure* old = found.structure->modulated();
  const auto [begin, end] = time_span(data);
  if (const auto basis = old != nullptr ? old->basis().over(begin, end) : nullptr)
    std::tie(structure, theta) = in_basis(*old, found.theta, basis, begin, end, {}, false);
  FitOptions settings = options;
  if (found.stopped) settings.max_iterations = 0;
  Fit result = maximum_likelihood(data, structure, {.theta = {theta}}, settings);
  result.iterations += found.iterations;
  result.stopped = result.stopped || found.stopped;
  result.converged = result.converged && !result.stopped;
  return result;
}

}  // namespace lgn
