#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <queue>

#include "lgn/core/error.h"
#include "lgn/core/setting.h"
#include "lgn/core/stop.h"
#include "lgn/design/preferred_numbers.h"
#include "lgn/design/preferred_values_internal.h"

namespace lgn {
namespace {

constexpr double open = std::numeric_limits<double>::quiet_NaN();

/// A group with the logarithms of its preferred values, the nearest to the optimum first.
struct Choice {
  Index group;
  std::vector<double> values;
};

std::vector<Choice> choices_of(const Search& search, const Vector& optimum,
                               const std::vector<std::string>& series) {
  constexpr std::size_t most = 16;
  std::vector<Choice> choices;
  for (Index g = 0; g < search.free().groups(); ++g) {
    const std::string& name = series[static_cast<std::size_t>(g)];
    if (name.empty()) continue;
    Choice choice{g, {}};
    for (const double value :
         preferred_numbers(name, std::exp(search.free().low[g]), std::exp(search.free().high[g])))
      choice.values.push_back(std::log(value));
    if (choice.values.empty())
      throw Error("no value of " + name + " is within the bounds", "widen them");
    std::sort(choice.values.begin(), choice.values.end(), [&](double a, double b) {
      return std::abs(a - optimum[g]) < std::abs(b - optimum[g]);
    });
    choice.values.resize(std::min(choice.values.size(), most));
    choices.push_back(std::move(choice));
  }
  return choices;
}

/// Everything at preferred values; the rest as it is best then.
MinMaxResult with_fixed(const Search& search, const Vector& start, const Vector& fixed) {
  Vector u = start;
  bool rest = false;
  for (Index g = 0; g < u.size(); ++g)
    if (std::isfinite(fixed[g]))
      u[g] = fixed[g];
    else
      rest = true;
  if (rest) return search.run(u, fixed);
  MinMaxResult result{u, search.evaluate(u)};
  result.converged = true;
  return result;
}

bool good(const MinMaxResult& result) {
  return std::isfinite(result.point.cost()) && result.point.violation() <= met;
}

/// Tries combinations by their distance; nothing where the first `tries` fail.
std::optional<MinMaxResult> in_order(const Search& search, const MinMaxResult& optimum,
                                     const std::vector<Choice>& choices, int tries,
                                     MinMaxResult& closest) {
  struct Combination {
    double distance;
    std::vector<std::size_t> places;
    std::size_t last;  ///< places before it stay as they are: every combination comes up once
  };
  const auto distance_of = [&](std::size_t c, std::size_t place) {
    const double d = choices[c].values[place] - optimum.u[choices[c].group];
    return d * d;
  };
  const auto farther = [](const Combination& a, const Combination& b) {
    return a.distance > b.distance;
  };
  std::priority_queue<Combination, std::vector<Combination>, decltype(farther)> queue(farther);
  Combination first{0, std::vector<std::size_t>(choices.size(), 0), 0};
  for (std::size_t c = 0; c < choices.size(); ++c) first.distance += distance_of(c, 0);
  queue.push(first);
  for (int k = 0; k < tries && !queue.empty(); ++k) {
    stop_point();
    const Combination now = queue.top();
    queue.pop();
    Vector fixed = Vector::Constant(optimum.u.size(), open);
    for (std::size_t c = 0; c < choices.size(); ++c)
      fixed[choices[c].group] = choices[c].values[now.places[c]];
    MinMaxResult result = with_fixed(search, optimum.u, fixed);
    if (good(result)) return result;
    if (result.point.violation() < closest.point.violation() || k == 0) closest = result;
    for (std::size_t c = now.last; c < choices.size(); ++c) {
      if (now.places[c] + 1 == choices[c].values.size()) continue;
      Combination next = now;
      next.distance += distance_of(c, now.places[c] + 1) - distance_of(c, now.places[c]);
      ++next.places[c];
      next.last = c;
      queue.push(std::move(next));
    }
  }
  return {};
}

/// Fixes one value after the other, the rest searched again each time, then brings values nearer where the targets allow it.
std::optional<MinMaxResult> one_by_one(const Search& search, const MinMaxResult& optimum,
                                       const std::vector<Choice>& choices) {
  Vector fixed = Vector::Constant(optimum.u.size(), open);
  MinMaxResult now = optimum;
  for (const Choice& choice : choices) {
    std::vector<double> near = choice.values;
    std::sort(near.begin(), near.end(), [&](double a, double b) {
      return std::abs(a - now.u[choice.group]) < std::abs(b - now.u[choice.group]);
    });
    bool found = false;
    for (std::size_t k = 0; k < std::min<std::size_t>(near.size(), 4) && !found; ++k) {
      stop_point();
      fixed[choice.group] = near[k];
      MinMaxResult next = with_fixed(search, now.u, fixed);
      found = good(next);
      if (found) now = std::move(next);
    }
    if (!found) return {};
  }
  bool moved = true;
  for (int round = 0; round < 5 && moved; ++round) {
    moved = false;
    for (const Choice& choice : choices)
      for (const double value : choice.values) {
        if (value == fixed[choice.group]) break;
        stop_point();
        Vector nearer = fixed;
        nearer[choice.group] = value;
        MinMaxResult next = with_fixed(search, now.u, nearer);
        if (!good(next)) continue;
        fixed = nearer;
        now = std::move(next);
        moved = true;
        break;
      }
  }
  return now;
}

}  // namespace

std::vector<std::string> series_of_groups(const Search& search,
                                          const std::vector<std::string>& words) {
  std::vector<std::string> series(static_cast<std::size_t>(search.free().groups()));
  for (const std::string& word : words) {
    const auto equal = word.find('=');
    const std::string name = equal == std::string::npos ? word : word.substr(equal + 1);
    preferred_decade(name);
    std::vector<Index> named;
    if (equal != std::string::npos)
      named = matching_values(word.substr(0, equal), search.system(), word);
    bool any = false;
    for (std::size_t k = 0; k < search.free().members.size(); ++k)
      if (equal == std::string::npos ||
          std::find(named.begin(), named.end(), search.free().members[k]) != named.end()) {
        series[static_cast<std::size_t>(search.free().group[k])] = name;
        any = true;
      }
    if (!any)
      throw Error(
          fmt::format("\"{}\": {} is not free, and keeps its value", word, word.substr(0, equal)),
          "free it too, with " + setting("free", word.substr(0, equal)));
  }
  return series;
}

MinMaxResult nearest_preferred(const Search& search, const MinMaxResult& optimum,
                               const std::vector<std::string>& series) {
  const std::vector<Choice> choices = choices_of(search, optimum.u, series);
  MinMaxResult closest = optimum;
  closest.point.below.push_back({std::numeric_limits<double>::infinity(), {}});
  // As many as take about as long as the search before; with values that are searched again each is a search of its own.
  const bool all = std::ssize(choices) == search.free().groups();
  const double n = static_cast<double>(search.states() * (1 + std::ssize(search.cases)));
  const int tries = static_cast<int>(std::clamp((all ? 4e8 : 4e6) / (n * n * n), 20.0, 20000.0));
  if (auto found = in_order(search, optimum, choices, tries, closest)) return *found;
  if (auto found = one_by_one(search, optimum, choices)) return *found;
  return closest;
}

}  // namespace lgn
