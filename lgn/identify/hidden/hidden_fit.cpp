#include "lgn/identify/hidden/hidden_fit.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
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

/// Starts that are followed.
constexpr std::size_t followed = 2;

Vector positive_sizes(const Dataset& data) {
  return channel_amplitudes(data).unaryExpr([](double s) { return s > 0 ? s : 1.0; });
}

/// −2 log likelihood of a fit, noise of each channel at its best.
double misfit(const Fit& fit, const Dataset& data) {
  return information_criterion(find_residuals(fit, data), 0);
}

}  // namespace

HiddenFits::HiddenFits(const Dataset& data, const FitOptions& options)
    : data_(data),
      options_(options),
      lossless_(options.structure == "skew"),
      sizes_(positive_sizes(data)),
      // What an input does between samples cannot be left out.
      stride_(options.driven ? 1 : std::max<Index>(1, data.samples() / few_samples)) {
  const bool known = options.offset == Offset::none || options.offset == Offset::given;
  if (options.driven)
    realisations_ = std::make_unique<SubspaceRealisation>(data);
  else
    realisations_ = std::make_unique<HankelRealisation>(data, !known);
  options_.offset = known ? Offset::none : Offset::estimate;
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
  return (values.array() > floor).count();
}

std::vector<ModalSystem> HiddenFits::ranked(const std::vector<ModalSystem>& starts) const {
  std::vector<double> cost;
  for (const ModalSystem& start : starts) {
    const Problem problem(few(), *start.structure, sizes_, problem_options(few(), options_));
    cost.push_back(problem.profile(start.theta)->cost);
  }
  std::vector<std::size_t> order(starts.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return cost[a] < cost[b]; });
  std::vector<ModalSystem> result;
  for (const std::size_t k : order)
    if (std::isfinite(cost[k])) result.push_back(starts[k]);
  return result;
}

std::optional<Fit> HiddenFits::quick_fit(Index states, const std::vector<ModalSystem>& also) const {
  if (states < 1 || states > most_states()) return {};
  std::vector<ModalSystem> starts = also;
  for (const Realisation& found : realisations_->realise(states))
    starts.push_back(modal_system(found.poles, found.shapes, sizes_, lossless_));
  starts = ranked(starts);
  std::optional<Fit> best;
  double least = 0;
  for (std::size_t k = 0; k < std::min(followed, starts.size()); ++k) {
    const FitOptions settings =
        options_.in_stage(fmt::format("{} states, start {}", states, k + 1));
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
