#include "lgn/design/design.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "lgn/core/error.h"
#include "lgn/core/stop.h"
#include "lgn/design/preferred_values_internal.h"
#include "lgn/design/robust_internal.h"
#include "lgn/design/search_internal.h"

namespace lgn {
namespace {

constexpr double robust_probability = 0.95;

/// The best of several starts, and how many searches and steps it took.
struct Found {
  MinMaxResult best;
  int iterations = 0, starts = 0;
};

Found best_of_starts(const Search& search, const DesignOptions& options) {
  // Eight, or as many as cost what eight of thirty states do.
  const double affordable = 8 * std::pow(30.0 / static_cast<double>(search.states()), 3);
  const int starts =
      options.starts > 0 ? options.starts : std::clamp(static_cast<int>(affordable), 1, 8);
  Random random(options.seed);
  std::optional<MinMaxResult> best;
  int iterations = 0, done = 0;
  const auto attempt = [&](int trial) {
    MinMaxResult found = search.run(search.start(trial, random));
    iterations += found.iterations;
    ++done;
    if (std::isfinite(found.point.cost()) && (!best || better(found, *best)))
      best = std::move(found);
  };
  attempt(0);
  // Later ones can be done without; where the first met no target, it takes them to say that none does.
  unless_stopped([&] {
    for (int trial = 1; trial < std::max(starts, best && best->point.violation() <= met ? 1 : 4);
         ++trial)
      attempt(trial);
  });
  if (!best) throw NotIdentified("what is wanted has no value at any start", "check the bounds");
  return {std::move(*best), iterations, done};
}

}  // namespace

Model design(const Model& model, const DesignOptions& options) {
  if (options.starts < 0) throw Error("the number of starts is negative");
  Search search(model, options);
  const std::vector<std::string> series = series_of_groups(search, options.series);
  const bool preferred =
      std::any_of(series.begin(), series.end(), [](const auto& name) { return !name.empty(); });
  Found found = best_of_starts(search, options);
  if (found.best.point.violation() > met) search.refuse(found.best);
  const bool robust = search.uncertain().directions() > 0;
  if (robust) {
    RobustResult result = robust_search(search, found.best, robust_probability, options.seed);
    if (result.found.point.violation() > met) search.refuse(result.found);
    found.best = std::move(result.found);
    found.iterations += result.iterations;
  }
  if (preferred) {
    found.best = nearest_preferred(search, found.best, series);
    if (found.best.point.violation() > met)
      search.refuse(found.best, "preferred values that were tried");
  }
  Model result = to_the_end([&] { return search.finish(found.best); });
  result.design->iterations = found.iterations;
  result.design->starts = found.starts;
  for (std::size_t k = 0; k < options.series.size(); ++k)
    result.design->series += (k > 0 ? "," : "") + options.series[k];
  // A seed of its own: the draws that the values were chosen by would flatter them.
  if (robust)
    record_draws(search, found.best, robust_probability, options.seed + 1, *result.design);
  return result;
}

}  // namespace lgn
