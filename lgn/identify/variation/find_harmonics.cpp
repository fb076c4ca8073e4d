#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "lgn/core/stop.h"
#include "lgn/data/scales.h"
#include "lgn/flow/magnus_forced.h"
#include "lgn/identify/variation/variation_search_internal.h"

namespace lgn {
namespace {

/// Gain of an unknown, in units of the noise, at which it is worth a try.
constexpr double worth_trying = 3;
/// How many frequencies are scored in full, and how many of those are fitted: fewer where there are
/// many entries, each of which makes both dearer.
struct Effort {
  std::size_t scored, tried;
};
Effort effort_for(std::size_t entries) {
  constexpr std::size_t many = 20;
  return entries > many ? Effort{8, 2} : Effort{20, 4};
}

/// Frequencies that the data could show: from half a turn in the longest run to where a step is a
/// quarter of a turn, or five times faster than the system, closer than the resolution of the run.
Vector frequency_grid(const Dataset& data, const Matrix& generator) {
  const double duration = longest_duration(data), pi = std::numbers::pi;
  const double fastest = eigenvalues(generator).cwiseAbs().maxCoeff();
  const double low = pi / duration, spacing = pi / (2 * duration);
  const double high = std::max(4 * low, std::min(0.5 * pi / median_step(data), 5 * fastest));
  // A long record shows too many frequencies to try them all: then the slow ones.
  constexpr double most = 3000;
  const double count = std::min(std::ceil((high - low) / spacing) + 1, most);
  return low + spacing * Vector::LinSpaced(static_cast<Index>(count), 0, count - 1).array();
}

/// The structure with one more frequency, which every listed entry varies with, and θ there.
std::pair<std::shared_ptr<const ModulatedStructure>, Vector> with_frequency(
    const Variation& current, double omega, const std::vector<Index>& entries) {
  const ModulatedStructure& old = *current.structure;
  const Index count = old.basis().parameters();
  auto active = old.active();
  for (const Index e : entries)
    active[static_cast<std::size_t>(e)].insert(active[static_cast<std::size_t>(e)].end(),
                                               {1 + 2 * count, 2 + 2 * count});
  auto structure = std::make_shared<const ModulatedStructure>(
      old.shared_base(), old.basis().with_frequencies(count + 1), active);
  Vector frequencies(count + 1);
  frequencies << old.omega(current.fit.theta), omega;
  Matrix c = Matrix::Zero(old.entries(), 3 + 2 * count);
  c.leftCols(1 + 2 * count) = old.coefficients(current.fit.theta);
  Vector theta = structure->theta_of(frequencies, c);
  return {std::move(structure), std::move(theta)};
}

/// Cosine and sine of that frequency in each entry.
std::vector<VariationBlock> new_blocks(const Variation& current,
                                       const std::vector<Index>& entries) {
  const Index cosine = current.structure->basis().size();
  std::vector<VariationBlock> blocks;
  for (const Index e : entries) blocks.push_back({e, {cosine, cosine + 1}});
  return blocks;
}

/// A frequency and what the linearised likelihood gains from it.
struct Peak {
  double omega = 0, gain = 0;
};

/// The best of local maxima.
std::vector<Peak> best_peaks(const Vector& grid, const Vector& gains, std::size_t most) {
  std::vector<Peak> peaks;
  for (Index k = 0; k < gains.size(); ++k) {
    const bool rises = k == 0 || gains[k] > gains[k - 1];
    const bool falls = k + 1 == gains.size() || gains[k] >= gains[k + 1];
    if (rises && falls) peaks.push_back({grid[k], gains[k]});
  }
  std::stable_sort(peaks.begin(), peaks.end(),
                   [](const Peak& a, const Peak& b) { return a.gain > b.gain; });
  if (peaks.size() > most) peaks.resize(most);
  return peaks;
}

/// ∂ℓ/∂θ for the states that follow x₀, with ∂ℓ/∂states by `pull_of`.
template <class Pull>
Vector free_gradient(const Structure& structure, const Vector& theta, const Vector& x0,
                     const MagnusGrid& steps, const Pull& pull_of) {
  const MagnusPlan plan(structure, steps);
  const MagnusFlow flow(plan, theta);
  const Matrix states = flow.states(x0);
  return flow
      .adjoint(states, pull_of(states.reshaped(x0.size(), states.size() / x0.size())).reshaped())
      .theta;
}

/// The same under inputs, whose edges are among the times of the steps.
template <class Pull>
Vector driven_gradient(const Structure& structure, const Vector& theta, const Vector& x0,
                       const Trajectory& run, const MagnusGrid& steps, const Drive& drive,
                       const Pull& pull_of) {
  const InputCourse course = input_course(run.times(), run.inputs(), drive.timing);
  const ForcedStructure forced(structure, course.edges, drive.b * course.begin,
                               drive.b * course.end);
  const MagnusPlan plan(forced, steps);
  const MagnusFlow flow(plan, theta);
  Matrix start = forced.at_rest();
  start.topRows(x0.size()) = x0;
  const Matrix all = flow.states(start);
  const Index n = x0.size(), size = forced.dimension();
  std::vector<Index> places{0};
  for (std::size_t k = 0; k < course.pieces.size(); ++k)
    if (course.pieces[k].to_sample) places.push_back(static_cast<Index>(k) + 1);
  Matrix states(n, run.samples());
  for (Index k = 0; k < run.samples(); ++k)
    states.col(k) = all.middleRows(places[static_cast<std::size_t>(k)] * size, n);
  if (drive.d.size() > 0) states += drive.d * course.at_samples;
  const Matrix pull = pull_of(states);
  Matrix pulls = Matrix::Zero(all.rows(), 1);
  for (Index k = 0; k < run.samples(); ++k)
    pulls.middleRows(places[static_cast<std::size_t>(k)] * size, n) = pull.col(k);
  return flow.adjoint(all, pulls).theta;
}

/// How steeply ℓ falls along cos and sin of each frequency, summed over entries in units of the
/// information that each entry's constant has: what a frequency alone would gain, roughly, for all
/// frequencies from one walk back through the data.
Vector rough_gains(const VariationSearch& search, const Variation& current, const Vector& grid,
                   const std::vector<MagnusGrid>& steps, const Vector& information) {
  const ModulatedStructure& old = *current.structure;
  const Index known = old.basis().size(), entries = old.entries();
  Vector frequencies(old.basis().parameters() + grid.size());
  frequencies << old.omega(current.fit.theta), grid;
  const ModulatedStructure all(old.shared_base(), std::make_shared<const FourierFeatures>(
                                                      frequencies, old.basis().origin()));
  Matrix c = Matrix::Zero(entries, all.basis().size());
  c.leftCols(known) = old.coefficients(current.fit.theta);
  const Vector theta = all.theta_of({}, c);
  Vector gradient = Vector::Zero(theta.size());
  const Vector weights = current.fit.noise.cwiseAbs2().cwiseInverse();
  for (std::size_t r = 0; r < search.data().runs().size(); ++r) {
    const auto& run = search.data().runs()[r];
    stop_point(6 * static_cast<double>((1 + entries) * grid.size()) *
               static_cast<double>(steps[r].steps.size()));
    const Vector offset =
        current.fit.offset.size() > 0 ? current.fit.offset : Vector::Zero(run.states().rows());
    const Vector x0 = current.fit.initial_states.col(static_cast<Index>(r)) - offset;
    const auto pull_of = [&](const Matrix& states) {
      Matrix error = weights.asDiagonal() * ((states - run.states()).colwise() + offset);
      if (!current.fit.factors.empty()) error.array() *= current.fit.factors[r].array();
      return Matrix(error.array().isNaN().select(0.0, error));
    };
    gradient += current.fit.drive.active()
                    ? driven_gradient(all, theta, x0, run, steps[r], current.fit.drive, pull_of)
                    : free_gradient(all, theta, x0, steps[r], pull_of);
  }
  Vector gains = Vector::Zero(grid.size());
  const Matrix slopes = all.coefficients(gradient);
  for (Index k = 0; k < grid.size(); ++k)
    for (Index e = 0; e < entries; ++e)
      if (information[e] > 0)
        gains[k] += slopes.row(e).segment(known + 2 * k, 2).squaredNorm() / information[e];
  return gains;
}

/// The best frequencies: scored roughly all over the grid, then in full where that has its peaks.
std::vector<Peak> find_peaks(const VariationSearch& search, const Variation& current,
                             const std::vector<Index>& entries) {
  const Matrix middle =
      current.structure->generator(current.fit.theta, search.data().runs()[0].times().mean());
  const Vector grid = frequency_grid(search.data(), middle);
  const Matrix information = search.information(current);
  Vector of_entry(static_cast<Index>(entries.size()));
  for (const Index e : entries) {
    const Index place = current.structure->place(e, 0);
    of_entry[e] = information(place, place);
  }
  std::vector<MagnusGrid> steps;
  double longest = 0;
  for (const auto& run : search.data().runs()) {
    const Drive& drive = current.fit.drive;
    steps.push_back(plan_grid(
        *current.structure, current.fit.theta,
        drive.active() ? input_course(run.times(), run.inputs(), drive.timing).edges : run.times(),
        search.options().magnus));
    longest = std::max(longest, static_cast<double>(steps.back().steps.size()));
  }
  // Frequencies whose waves are in memory at once: two waves at three nodes of every step.
  constexpr double most_numbers = 2e7;
  const auto together = std::max<Index>(1, static_cast<Index>(most_numbers / (6 * longest)));
  Vector rough = Vector::Zero(grid.size());
  for (Index k = 0; k < grid.size(); k += together) {
    if (!search.report({"frequencies", static_cast<int>(k), static_cast<int>(grid.size()),
                        current.residuals.nrmse()}))
      return {};
    const Index count = std::min(together, grid.size() - k);
    rough.segment(k, count) = rough_gains(search, current, grid.segment(k, count), steps, of_entry);
  }
  const auto blocks = new_blocks(current, entries);
  std::vector<Peak> peaks = best_peaks(grid, rough, effort_for(entries.size()).scored);
  for (Peak& peak : peaks) {
    const auto [structure, theta] = with_frequency(current, peak.omega, entries);
    peak.gain = search.model(*structure, theta, current, blocks).total_gain();
    if (!search.report({"frequencies", static_cast<int>(grid.size()), static_cast<int>(grid.size()),
                        current.residuals.nrmse()}))
      return {};
  }
  std::stable_sort(peaks.begin(), peaks.end(),
                   [](const Peak& a, const Peak& b) { return a.gain > b.gain; });
  peaks.resize(std::min(peaks.size(), effort_for(entries.size()).tried));
  return peaks;
}

/// The entries that gain from a frequency.
std::vector<Index> entries_for(const VariationSearch& search, const Variation& current,
                               double omega, const std::vector<Index>& entries) {
  const auto [structure, theta] = with_frequency(current, omega, entries);
  const auto blocks = new_blocks(current, entries);
  std::vector<Index> chosen;
  for (const std::size_t b : search.model(*structure, theta, current, blocks).choose(worth_trying))
    chosen.push_back(entries[b]);
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

/// Whether a new frequency could still be worth it if all but one of its entries turned out not to need
/// it.
bool promising(const VariationSearch& search, const Variation& tried, const Variation& current) {
  const auto more =
      static_cast<double>(tried.structure->parameters() - current.structure->parameters() - 3);
  return tried.criterion - more * search.price() < current.criterion - strong_evidence;
}

}  // namespace

Fit find_harmonics(const Dataset& data, std::shared_ptr<const ConstantStructure> base,
                   const Vector& theta, const FitOptions& options) {
  const VariationSearch search(data, options);
  const double begin = data.runs()[0].times()[0];
  const double origin = std::abs(begin) > longest_duration(data) ? begin : 0.0;
  std::vector<Index> entries(static_cast<std::size_t>(base->parameters()));
  std::iota(entries.begin(), entries.end(), Index{0});
  const auto constant = std::make_shared<const ModulatedStructure>(
      base, std::make_shared<const Harmonics>(0, origin),
      std::vector<std::vector<Index>>(entries.size(), {0}));
  Variation current = search.fit(constant, theta, true, "constant");
  search.pursue([&] {
    for (Index k = 1; k <= options.most_harmonics; ++k) {
      if (search.stopped() || current.residuals.nrmse() < explained) break;
      std::optional<Variation> best;
      int iterations = 0;
      for (const Peak& peak : find_peaks(search, current, entries)) {
        const auto chosen = entries_for(search, current, peak.omega, entries);
        if (chosen.empty()) continue;
        const auto [structure, start] = with_frequency(current, peak.omega, chosen);
        Variation tried =
            search.fit(structure, start, false, fmt::format("harmonic {} at {}", k, peak.omega));
        iterations += tried.fit.iterations;
        if (!best || tried.criterion < best->criterion) best = std::move(tried);
        if (search.stopped() || best->residuals.nrmse() < explained) break;
      }
      if (!best || search.stopped() || !promising(search, *best, current)) break;
      Variation refined =
          search.fit(best->structure, best->fit.theta, true, fmt::format("harmonic {}", k));
      refined = search.prune(std::move(refined), fmt::format("harmonic {}", k));
      if (search.stopped() || !(refined.criterion < current.criterion - strong_evidence)) break;
      refined.fit.iterations += iterations + current.fit.iterations;
      current = std::move(refined);
    }
  });
  return search.finish(std::move(current));
}

}  // namespace lgn
