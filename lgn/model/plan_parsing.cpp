#include "lgn/model/plan_parsing_internal.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numbers>

#include "lgn/core/constants_internal.h"
#include "lgn/core/error.h"
#include "lgn/core/setting.h"
#include "lgn/data/time_units_internal.h"
#include "lgn/model/plan_words.h"

namespace lgn {
namespace plan_internal {

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> parts;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(',', at), text.size());
    parts.emplace_back(csv_internal::without_blanks(std::string_view(text).substr(at, end - at)));
    at = end + 1;
  }
  return parts;
}

std::optional<Quantity> quantity_of(const std::string& text) {
  double value = 0;
  const char* end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || !std::isfinite(value)) return std::nullopt;
  return Quantity{value, std::string(csv_internal::without_blanks({stopped, end}))};
}

std::optional<double> fraction_of(const std::string& text) {
  const auto found = quantity_of(text);
  if (!found || (!found->unit.empty() && found->unit != "%")) return std::nullopt;
  return found->unit.empty() ? found->value : found->value / 100;
}

double duration_of(const std::string& text, const std::string& unit) {
  try {
    return csv_internal::clock_of(text, "", unit)->interval();
  } catch (const Error&) {
    throw Error(fmt::format("\"{}\" is no duration", text),
                fmt::format("such as {} or {}; units are ns, us, ms, s, min, h and d",
                            setting("duration", "20s"), setting("duration", "10min")));
  }
}

double rate_of(const std::string& text, const std::string& unit, const std::string& what,
               const std::string& help) {
  try {
    return 1 / csv_internal::clock_of("", text, unit)->interval();
  } catch (const Error&) {
    throw Error(fmt::format("\"{}\" is no {}", text, what), help);
  }
}

namespace {

/// A mode as it was typed: its block of A, and its size in every sensor.
struct TypedMode {
  double w = 0, d = 0;  ///< of [[0, w], [−w, −d]]; w = 0: the single state [−d]
  Vector sizes;
};

TypedMode parse_mode(const std::string& text) {
  const auto wrong = [&](const std::string& why) {
    return Error(
        fmt::format("\"{}\" is no mode: {}", text, why),
        fmt::format("a frequency and a damping ratio, such as {}, or a time constant, such as {}; "
                    "then its size in every sensor, where there are several",
                    setting("mode", "3.2Hz,0.01"), setting("mode", "5s")));
  };
  const std::vector<std::string> parts = split(text);
  const auto first = quantity_of(parts.front());
  if (!first || !(first->value > 0)) throw wrong("it must begin with a positive number");
  TypedMode mode;
  std::size_t used = 1;
  if (!first->unit.empty() && csv_internal::find_time_unit(first->unit)) {
    mode.d = 1 / duration_of(parts.front(), "s");
  } else {
    const double f = rate_of(parts.front(), "s", "frequency", wrong("").help());
    if (parts.size() < 2) throw wrong("there is no damping ratio");
    const auto zeta = fraction_of(parts[1]);
    if (!zeta || !(*zeta >= 0) || !(*zeta < 1))
      throw wrong(
          "a damping ratio is from 0 to less than 1; beyond that there are two time constants");
    mode.w = 2 * pi * f;
    mode.d = 2 * *zeta * mode.w;
    used = 2;
  }
  mode.sizes = Vector::Ones(std::max<Index>(1, std::ssize(parts) - static_cast<Index>(used)));
  for (std::size_t k = used; k < parts.size(); ++k) {
    const auto size = quantity_of(parts[k]);
    if (!size || !size->unit.empty()) throw wrong(fmt::format("\"{}\" is no number", parts[k]));
    mode.sizes[static_cast<Index>(k - used)] = size->value;
  }
  if (mode.sizes.isZero(0)) throw wrong("no sensor shows it");
  return mode;
}

}  // namespace

PlannedSystem typed_system(const std::vector<std::string>& texts) {
  if (texts.empty())
    throw Error("there is nothing to plan for",
                fmt::format("name a model, or modes, such as {}", setting("mode", "3.2Hz,0.01")));
  std::vector<TypedMode> modes;
  Index n = 0;
  for (const auto& text : texts) {
    modes.push_back(parse_mode(text));
    n += modes.back().w > 0 ? 2 : 1;
    if (modes.back().sizes.size() != modes.front().sizes.size())
      throw Error(
          fmt::format("\"{}\" has another number of sensors than \"{}\"", text, texts.front()),
          "give the size of every mode in every sensor");
  }
  PlannedSystem system;
  const Index l = modes.front().sizes.size();
  for (Index c = 0; c < l; ++c) system.channels.push_back(fmt::format("y{}", c + 1));
  system.a = Matrix::Zero(n, n);
  system.c = Matrix::Zero(l, n);
  system.starts = Matrix::Zero(n, 1);
  Index at = 0;
  for (const TypedMode& mode : modes) {
    const Index last = mode.w > 0 ? at + 1 : at;
    if (mode.w > 0) {
      system.a(at, last) = mode.w;
      system.a(last, at) = -mode.w;
    }
    system.a(last, last) = -mode.d;
    system.c.col(at) = mode.sizes;
    system.starts(at, 0) = 1;
    at = last + 1;
  }
  return system;
}

}  // namespace plan_internal

Want parse_want(const std::string& text, const std::string& time_unit) {
  using namespace plan_internal;
  const auto wrong = [&] {
    return Error(fmt::format("\"{}\" is no accuracy to want", text),
                 fmt::format("such as {}, {}, {} (of the second mode) or {}",
                             setting("want", "zeta<5%"), setting("want", "f<0.1%"),
                             setting("want", "f2<0.01Hz"), setting("want", "tau<1%")));
  };
  const std::size_t at = text.find('<');
  if (at == text.npos) throw wrong();
  std::string name(csv_internal::without_blanks(std::string_view(text).substr(0, at)));
  const std::size_t after = at + (text.compare(at, 2, "<=") == 0 ? 2 : 1);
  const std::string limit(csv_internal::without_blanks(std::string_view(text).substr(after)));
  Want want;
  want.text = text;
  const std::size_t digits = name.find_last_not_of("0123456789") + 1;
  if (digits < name.size()) {
    const auto [stopped, error] =
        std::from_chars(name.data() + digits, name.data() + name.size(), want.mode);
    if (error != std::errc() || want.mode < 1) throw wrong();
    name.resize(digits);
  }
  if (name == "f" || name == "frequency")
    want.quantity = Want::Quantity::frequency;
  else if (name == "zeta" || name == "ζ" || name == "damping" || name == "damping_ratio")
    want.quantity = Want::Quantity::damping_ratio;
  else if (name == "tau" || name == "τ" || name == "time_constant")
    want.quantity = Want::Quantity::time_constant;
  else
    throw wrong();
  const auto found = quantity_of(limit);
  if (!found || !(found->value > 0)) throw wrong();
  want.relative = found->unit == "%";
  want.limit = want.relative ? found->value / 100 : found->value;
  if (want.relative || found->unit.empty()) return want;
  if (want.quantity == Want::Quantity::damping_ratio) throw wrong();
  if (want.quantity == Want::Quantity::time_constant) {
    want.limit = duration_of(limit, time_unit);
    return want;
  }
  want.limit = rate_of(limit, "s", "frequency", wrong().help());
  return want;
}

}  // namespace lgn
