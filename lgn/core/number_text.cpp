#include "lgn/core/number_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace lgn {

std::optional<int> decimals_for(double value, double error) {
  if (!std::isfinite(error) || !(error > 0)) return {};
  const int decimals = 1 - static_cast<int>(std::floor(std::log10(error)));
  if (decimals > 12 || std::abs(value) >= 1e7) return {};
  return std::max(decimals, 0);
}

std::string short_number(double value) {
  // Adding zero turns −0 into 0.
  return std::isfinite(value) ? fmt::format("{:.5g}", value + 0.0) : std::string("–");
}

std::string with_error(double value, double error) {
  const auto decimals = decimals_for(value, error);
  if (!decimals) {
    if (!std::isfinite(error) || !std::isfinite(value) || error == 0) return short_number(value);
    return fmt::format("{:.5g} ± {:.1e}", value, error);
  }
  return fmt::format("{:.{}f} ± {:.{}f}", value, *decimals, error, *decimals);
}

std::string counted(Index count, std::string word) {
  if (count != 1 && word.ends_with("y"))
    word.replace(word.size() - 1, 1, "ies");
  else if (count != 1)
    word += word.ends_with("ss") ? "es" : "s";
  return fmt::format("{} {}", count, word);
}

}  // namespace lgn
