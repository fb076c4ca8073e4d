#include "lgn/identify/hidden/hidden_fit.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "lgn/core/error.h"
#include "lgn/core/median.h"
#include "lgn/core/stop.h"
#include "lgn/data/scales.h"
#include "lgn/data/windows.h"
#include "lgn/identify/likelihood/maximum_likelihood.h"
#include "lgn/identify/realisation/realisation.h"
#include "lgn/identify/realisation/subspace_realisation.h"
#include "lgn/identify/residuals.h"

namespace lgn {
namespace {

/// Samples that tell starts apart, and that a search goes through before it takes all.
constexpr Index few_samples = 30'000;

/// Starts that are followed, to the end or as far as tells them apart.
constexpr std::size_t followed = 2;

Vector positive_sizes(const Dataset& data) {
  return channel_amplitudes(data).unaryExpr([](double s) { return s > 0 ? s : 1.0; });
}

bool offset_is_known(const FitOptions& options) {
  return options.offset == Offset::none || options.offset == Offset::given;
}

std::shared_ptr<const CandidateRealisations> realise(const Dataset& data,
                                                     const FitOptions& options) {
  if (options.driven) return std::make_shared<const SubspaceRealisation>(data);
  return std::make_shared<const HankelRealisation>(data, !offset_is_known(options));
}

/// Whether a search from this start would end where another did: every pole is beside one of that fit, by a small part of the
/// width of its line.
bool leads_to(const Fit& fit, const ModalSystem& start, double duration) {
  constexpr double beside = 0.1;
  const ComplexVector reached = modal_poles(*fit.structure->modal(), fit.theta).poles,
                      from = modal_poles(*start.structure, start.theta).poles;
  std::vector<bool> taken(static_cast<std::size_t>(reached.size()));
  return std::all_of(from.begin(), from.end(), [&](const Complex pole) {
    for (Index k = 0; k < reached.size(); ++k) {
      const double width = std::max(-reached[k].real(), 1 / duration);
      if (taken[static_cast<std::size_t>(k)] || std::abs(reached[k] - pole) > beside * width)
        continue;
      taken[static_cast<std::size_t>(k)] = true;
      return true;
    }
    return false;
  });
}

/// −2 log likelihood of a fit, noise of each channel at its best.
double misfit(const Fit& fit, const Dataset& data) {
  return information_criterion(find_residuals(fit, data), 0);
}

}  // namespace

FitOptions enough_to_compare(FitOptions options) {
  options.max_iterations = std::min(options.max_iterations, 15);
  options.rounds = std::min(options.rounds, 2);
  return options;
}

std::shared_ptr<const CandidateRealisations> SharedRealisations::of(const Dataset& data,
                                                                    const FitOptions& options) {
  auto& own = made_[data.samples()];
  if (!own) own = realise(data, options);
  return own;
}

HiddenFits::HiddenFits(const Dataset& data, const FitOptions& options, SharedRealisations* shared)
    : data_(data),
      options_(options),
      lossless_(options.structure == "skew"),
      sizes_(positive_sizes(data)),
      // What an input does between samples cannot be left out.
      stride_(options.driven ? 1 : std::max<Index>(1, data.samples() / few_samples)),
      realisations_(shared != nullptr ? shared->of(data, options) : realise(data, options)) {
  options_.offset = offset_is_known(options) ? Offset::none : Offset::estimate;
  if (stride_ > 1) few_ = every_so_many(data, stride_);
}

Index HiddenFits::most_states() const {
  constexpr Index values_each = 3;
  const Index most = options_.thorough || options_.states == States::given ? 400 : 60;
  const Index l = data_.dimension(), runs = static_cast<Index>(data_.runs().size());
  const Index inputs = options_.driven ? static_cast<Index>(data_.inputs().size()) : 0;
  const Index by_values = (data_.present() / values_each - l - l * inputs) / (l + runs + inputs);
  return std::clamp<Index>(by_values, 0, most);
}

Index HiddenFits::suggested_states() const {
  const Vector& values = realisations_->singular_values();
  if (values.size() == 0) return 0;
  constexpr double stands_out = 2.5, rounding = 1e-9;
  const double typical = median(std::vector<double>(values.begin(), values.end()));
  const double floor = std::max(rounding * values[0], stands_out * typical);
  const auto count = static_cast<Index>((values.array() > floor).count());
  return realisations_->interpolates() ? likeliest_start(count) : count;
}

double HiddenFits::cost_of(const ModalSystem& start) const {
  const Problem problem(few(), *start.structure, sizes_, problem_options(few(), options_));
  return problem.profile(start.theta)->cost;
}

Index HiddenFits::likeliest_start(Index most) const {
  const auto values = static_cast<double>(few().present());
  const Index runs = static_cast<Index>(few().runs().size());
  constexpr Index in_vain = 6;
  Index best = 0;
  double least = std::numeric_limits<double>::infinity();
  for (Index n = 2; n <= std::min(most, most_states()) && n <= best + 2 + in_vain; n += 2) {
    for (const ModalSystem& start : realised(n)) {
      const double cost = cost_of(start);
      if (!(cost > 0) || !std::isfinite(cost)) continue;
      const auto unknowns = static_cast<double>(start.structure->free_parameters() + n * runs);
      const double criterion = values * std::log(cost / values) + unknowns * std::log(values);
      if (!(criterion < least)) continue;
      least = criterion;
      best = n;
    }
  }
  return best > 0 ? best : most;
}

std::vector<ModalSystem> HiddenFits::ranked(const std::vector<ModalSystem>& starts) const {
  std::vector<double> cost;
  for (const ModalSystem& start : starts) cost.push_back(cost_of(start));
  std::vector<std::size_t> order(starts.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return cost[a] < cost[b]; });
  std::vector<ModalSystem> result;
  for (const std::size_t k : order)
    if (std::isfinite(cost[k])) result.push_back(starts[k]);
  return result;
}

std::vector<ModalSystem> HiddenFits::realised(Index states, std::vector<ModalSystem> also) const {
  for (const Realisation& found : realisations_->realise(states))
    also.push_back(modal_system(found.poles, found.shapes, sizes_, lossless_));
  return also;
}

std::vector<ModalSystem> HiddenFits::starts(Index states) const { return ranked(realised(states)); }

std::optional<Fit> HiddenFits::quick_fit(Index states, const std::vector<ModalSystem>& also) const {
  if (states < 1 || states > most_states()) return {};
  const std::vector<ModalSystem> starts = ranked(realised(states, also));
  std::optional<Fit> best;
  double least = 0;
  const std::size_t count = std::min(followed, starts.size());
  // Under inputs a few steps tell which start leads further, and all of them would take long.
  const bool race = options_.driven && count > 1;
  constexpr int race_steps = 8, race_rounds = 1;
  for (std::size_t k = 0; k < count; ++k) {
    if (best && !race && leads_to(*best, starts[k], longest_duration(data_))) continue;
    FitOptions settings = options_.in_stage(fmt::format("{} states, start {}", states, k + 1));
    if (race) {
      settings.max_iterations = std::min(settings.max_iterations, race_steps);
      settings.rounds = std::min(settings.rounds, race_rounds);
    }
    Fit found =
        maximum_likelihood(few(), starts[k].structure,
                           {.theta = {starts[k].theta}, .fallback = {}, .sizes = sizes_}, settings);
    const bool stopped = found.stopped;
    const double reached = misfit(found, few());
    if (!best || reached < least) {
      least = reached;
      best = std::move(found);
    }
    if (stopped) break;
  }
  if (!race || !best || best->stopped) return best;
  const int before = best->iterations;
  const Vector sizes = (best->noise.array() > 0).all() ? best->noise : sizes_;
  best = maximum_likelihood(few(), best->structure,
                            {.theta = {best->theta}, .fallback = {}, .sizes = sizes},
                            options_.in_stage(fmt::format("{} states, best start", states)));
  best->iterations += before;
  return best;
}

std::optional<Fit> HiddenFits::fit(Index states, const std::vector<ModalSystem>& also) const {
  std::optional<Fit> best = quick_fit(states, also);
  if (!best || !few_ || best->stopped) return best;
  const int before = best->iterations;
  best = maximum_likelihood(data_, best->structure,
                            {.theta = {best->theta}, .fallback = {}, .sizes = best->noise},
                            options_.in_stage(fmt::format("{} states, all samples", states)));
  best->iterations += before;
  return best;
}

}  // namespace lgn
