#include "lgn/identify/hidden/combination_tones.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace lgn {
namespace {

/// What the frequency is made of, the last of `larger` and any of those before it; empty: nothing.
std::string formula_of(double own, const std::vector<double>& larger) {
  constexpr double near = 0.01;
  const auto is = [&](double other) { return std::abs(own - other) < near * own; };
  const auto text = [](double frequency) { return fmt::format("{:.4g}", frequency); };
  const double a = larger.back();
  std::string what;
  for (const int times : {2, 3})
    if (is(times * a)) what = fmt::format("{} = {} × {}", text(own), times, text(a));
  for (std::size_t j = 0; j + 1 < larger.size() && what.empty(); ++j) {
    const double b = larger[j];
    if (is(a + b)) what = fmt::format("{} = {} + {}", text(own), text(a), text(b));
    if (is(std::abs(a - b)))
      what = fmt::format("{} = {} − {}", text(own), text(std::max(a, b)), text(std::min(a, b)));
  }
  return what;
}

}  // namespace

std::vector<CombinationTone> combination_tones(const std::vector<SpectralLine>& lines) {
  constexpr std::size_t most_lines = 8;
  constexpr double much_smaller = 0.2;
  if (lines.size() > most_lines) return {};
  std::vector<std::size_t> order(lines.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return lines[a].amplitude > lines[b].amplitude;
  });
  std::vector<CombinationTone> result;
  for (std::size_t k = 1; k < order.size(); ++k) {
    const SpectralLine& own = lines[order[k]];
    std::vector<double> larger;
    for (std::size_t i = 0; i < k; ++i) {
      const SpectralLine& other = lines[order[i]];
      larger.push_back(other.frequency);
      if (own.amplitude > much_smaller * other.amplitude) continue;
      std::string formula = formula_of(own.frequency, larger);
      if (formula.empty()) continue;
      result.push_back({order[k], std::move(formula)});
      break;
    }
  }
  return result;
}

}  // namespace lgn
