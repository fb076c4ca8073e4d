#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "lgn/data/scales.h"
#include "lgn/identify/variation_search_internal.h"

namespace lgn {
namespace {

/// Evidence that the criterion must show for another frequency (Kass & Raftery, J. Am. Stat. Assoc.
/// 90:773, 1995: very strong).
constexpr double strong_evidence = 10;
/// Gain of an unknown, in units of the noise, at which it is worth a try.
constexpr double worth_trying = 3;
constexpr std::size_t tried_frequencies = 5;

/// Frequencies that the data could show: from half a turn in the longest run to where a sample is
/// half a radian, or twenty times faster than the system, closer than the resolution of the run.
Vector frequency_grid(const Dataset& data, const Matrix& generator) {
  const double duration = longest_duration(data), pi = std::numbers::pi;
  const double fastest = eigenvalues(generator).cwiseAbs().maxCoeff();
  const double low = pi / duration, spacing = pi / (2 * duration);
  const double high = std::max(4 * low, std::min(0.5 * pi / median_step(data), 20 * fastest));
  const auto count = static_cast<Index>(std::ceil((high - low) / spacing)) + 1;
  return Vector::LinSpaced(count, low, high);
}

/// The structure with one more frequency, which every listed entry varies with, and θ there.
std::pair<std::shared_ptr<const ModulatedStructure>, Vector> with_frequency(
    const Variation& current, double omega, const std::vector<Index>& entries) {
  const ModulatedStructure& old = *current.structure;
  const auto& harmonics = dynamic_cast<const Harmonics&>(old.basis());
  const Index count = harmonics.parameters();
  auto active = old.active();
  for (const Index e : entries)
    active[static_cast<std::size_t>(e)].insert(active[static_cast<std::size_t>(e)].end(),
                                               {1 + 2 * count, 2 + 2 * count});
  auto structure = std::make_shared<const ModulatedStructure>(
      old.shared_base(), std::make_shared<const Harmonics>(count + 1, harmonics.origin()), active);
  Vector frequencies(count + 1);
  frequencies << old.omega(current.fit.theta), omega;
  Matrix c = Matrix::Zero(old.entries(), 3 + 2 * count);
  c.leftCols(1 + 2 * count) = old.coefficients(current.fit.theta);
  Vector theta = structure->theta_of(frequencies, c);
  return {std::move(structure), std::move(theta)};
}

/// A frequency and what the linearised likelihood gains from it.
struct Peak {
  double omega = 0, gain = 0;
};

/// The best local maxima of the gain over the grid.
std::vector<Peak> find_peaks(const VariationSearch& search, const Variation& current,
                             const std::vector<Index>& entries) {
  const Matrix middle =
      current.structure->generator(current.fit.theta, search.data().runs()[0].times().mean());
  const Vector grid = frequency_grid(search.data(), middle);
  const Likelihood likelihood(search.data(), current.fit.noise, {}, Clock::absolute);
  const auto grids =
      plan_grids(likelihood, *current.structure, current.fit.theta, search.options().fit.magnus);
  const Index last = current.structure->basis().size();
  std::vector<VariationBlock> blocks;
  for (const Index e : entries) blocks.push_back({e, {last, last + 1}});
  std::vector<double> gains;
  const auto& observe = search.options().fit.likelihood.observe;
  for (Index k = 0; k < grid.size(); ++k) {
    const auto [structure, theta] = with_frequency(current, grid[k], entries);
    gains.push_back(search.model(*structure, theta, current, grids, blocks).total_gain());
    if (observe && !observe({"frequencies", static_cast<int>(k) + 1, static_cast<int>(grid.size()),
                             current.residuals.nrmse()}))
      break;
  }
  std::vector<Peak> peaks;
  for (std::size_t k = 0; k < gains.size(); ++k) {
    const bool rises = k == 0 || gains[k] > gains[k - 1];
    const bool falls = k + 1 == gains.size() || gains[k] >= gains[k + 1];
    if (rises && falls) peaks.push_back({grid[static_cast<Index>(k)], gains[k]});
  }
  std::stable_sort(peaks.begin(), peaks.end(),
                   [](const Peak& a, const Peak& b) { return a.gain > b.gain; });
  if (peaks.size() > tried_frequencies) peaks.resize(tried_frequencies);
  return peaks;
}

/// The entries that gain from a frequency.
std::vector<Index> entries_for(const VariationSearch& search, const Variation& current,
                               double omega, const std::vector<Index>& entries) {
  const auto [structure, theta] = with_frequency(current, omega, entries);
  const Likelihood likelihood(search.data(), current.fit.noise, {}, Clock::absolute);
  const auto grids = plan_grids(likelihood, *structure, theta, search.options().fit.magnus);
  const Index last = current.structure->basis().size();
  std::vector<VariationBlock> blocks;
  for (const Index e : entries) blocks.push_back({e, {last, last + 1}});
  std::vector<Index> chosen;
  for (const std::size_t b :
       search.model(*structure, theta, current, grids, blocks).choose(worth_trying))
    chosen.push_back(entries[b]);
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

}  // namespace

VaryingFit find_harmonics(const Dataset& data, std::shared_ptr<const Structure> base,
                          const Vector& theta, const VariationOptions& options) {
  const VariationSearch search(data, base, options);
  const double begin = data.runs()[0].times()[0];
  const double origin = std::abs(begin) > longest_duration(data) ? begin : 0.0;
  std::vector<Index> entries(static_cast<std::size_t>(base->parameters()));
  for (std::size_t e = 0; e < entries.size(); ++e) entries[e] = static_cast<Index>(e);
  const auto constant = std::make_shared<const ModulatedStructure>(
      base, std::make_shared<const Harmonics>(0, origin),
      std::vector<std::vector<Index>>(entries.size(), {0}));
  Variation current = search.fit(constant, theta, true, "constant");
  for (Index k = 1; k <= options.most_harmonics; ++k) {
    if (current.fit.stopped || current.residuals.nrmse() < explained) break;
    std::optional<Variation> best;
    int iterations = 0, attempt = 0;
    for (const Peak& peak : find_peaks(search, current, entries)) {
      ++attempt;
      const auto chosen = entries_for(search, current, peak.omega, entries);
      if (chosen.empty()) continue;
      const auto [structure, start] = with_frequency(current, peak.omega, chosen);
      Variation tried =
          search.fit(structure, start, false, fmt::format("harmonic {}, start {}", k, attempt));
      iterations += tried.fit.iterations;
      if (!best || tried.criterion < best->criterion) best = std::move(tried);
      if (best->fit.stopped || best->residuals.nrmse() < explained) break;
    }
    if (!best) break;
    Variation refined =
        search.fit(best->structure, best->fit.theta, true, fmt::format("harmonic {}", k));
    refined = search.prune(std::move(refined), fmt::format("harmonic {}", k));
    if (!(refined.criterion < current.criterion - strong_evidence)) break;
    refined.fit.iterations += iterations + current.fit.iterations;
    current = std::move(refined);
  }
  return current.fit;
}

}  // namespace lgn
