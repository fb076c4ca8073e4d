#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "lgn/core/error.h"
#include "lgn/core/setting.h"
#include "lgn/data/csv/csv_internal.h"
#include "lgn/data/csv/csv_number_internal.h"
#include "lgn/data/time_units_internal.h"

namespace lgn::csv_internal {
namespace {

struct UnitWords {
  TimeUnit unit;
  std::string_view words;  ///< in lower case, a blank before and after each
};

constexpr std::array<UnitWords, 8> kUnits = {{
    {{"ns", 1, 1e9}, " ns nsec nanosecond nanoseconds nanosekunden "},
    {{"us", 1, 1e6}, " us \xC2\xB5s \xCE\xBCs usec microsecond microseconds mikrosekunden "},
    {{"ms", 1, 1e3}, " ms msec msecs millisecond milliseconds millisekunden millisecondes "},
    {{"s", 1, 1},
     " s sec secs second seconds sek sekunde sekunden seconde secondes segundos secondi "},
    {{"min", 60, 1}, " min mins minute minutes minuten minutos minuti "},
    {{"h", 3600, 1}, " h hr hrs hour hours stunden heures horas "},
    {{"d", 86400, 1}, " d day days tage jours "},
    {{"week", 604800, 1}, " week weeks wochen "},
}};

/// Units that cannot be taken for an index when they stand after an underscore or a blank.
bool is_clear_suffix(std::string_view text) {
  const std::string lower = lower_case(text);
  return lower != "h" && lower != "d" && lower != "hr" && find_time_unit(text).has_value();
}

bool is_one_of(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), text) != words.end();
}

/// Names of time that are no units, in lower case, with blanks for underscores.
bool is_time_word(std::string_view word) {
  return is_one_of(word, {"t",           "time",          "zeit",          "temps",
                          "tiempo",      "tempo",         "tijd",          "tid",
                          "czas",        "timestamp",     "timestamps",    "time stamp",
                          "zeitstempel", "horodatage",    "datetime",      "date time",
                          "date/time",   "date_time",     "date and time", "datum/zeit",
                          "elapsed",     "elapsed time",  "relative time", "rel time",
                          "sample time", "sampling time", "clock",         "time of day",
                          "zaman",       "aika"});
}

struct Quantity {
  double value = 0;
  std::string_view unit;
};

/// A number with what follows it; nothing where there is no number.
std::optional<Quantity> quantity_of(std::string_view text) {
  text = without_blanks(text);
  std::size_t size = 0;
  while (size < text.size() &&
         (is_digit(text[size]) || text[size] == '.' || text[size] == '+' || text[size] == '-' ||
          ((text[size] == 'e' || text[size] == 'E') && size + 1 < text.size() &&
           (is_digit(text[size + 1]) || text[size + 1] == '-' || text[size + 1] == '+'))))
    ++size;
  Quantity quantity;
  if (parse_number(text.substr(0, size), '.', quantity.value) != NumberKind::present)
    return std::nullopt;
  quantity.unit = without_blanks(text.substr(size));
  return quantity;
}

/// From the unit that the quantity names to that one. Throws Error where it names none of time.
TimeScale in_unit(const Quantity& quantity, const std::string& unit) {
  if (quantity.unit.empty()) return {};
  const auto found = find_time_unit(quantity.unit);
  if (!found)
    throw Error(fmt::format("{} is no unit of time", quote(quantity.unit)),
                "units are ns, us, ms, s, min, h and d");
  return scale_to(*found, unit);
}

/// Hz, kHz, MHz and their like as samples per second; 0 where it is none.
double hertz_of(std::string_view unit) {
  std::string lower = lower_case(unit);
  if (is_one_of(lower, {"hz", "1/s", "s/s", "sps", "sa/s", "samples/s", "samples per second",
                        "hertz", "samples/sec", "s^-1"}))
    return 1;
  if (is_one_of(lower, {"khz", "ksps", "ksa/s", "ks/s"})) return 1e3;
  if (is_one_of(unit, {"MHz", "Mhz", "MS/s", "MSa/s"})) return 1e6;
  if (is_one_of(unit, {"GHz", "GS/s", "GSa/s"})) return 1e9;
  return 0;
}

bool is_interval_key(std::string_view key) {
  return is_one_of(key, {"delta t",
                         "delta_t",
                         "deltat",
                         "dt",
                         "\xCE\x94t",
                         "sample interval",
                         "sampling interval",
                         "sample period",
                         "sampling period",
                         "sample time",
                         "sampling time",
                         "increment",
                         "x increment",
                         "xincrement",
                         "xinc",
                         "tinc",
                         "t inc",
                         "t increment",
                         "x interval",
                         "horizontal increment",
                         "time step",
                         "timestep",
                         "time increment",
                         "delta x",
                         "delta(x)",
                         "delta_x",
                         "abtastintervall",
                         "abtastzeit"});
}

bool is_rate_key(std::string_view key) {
  return is_one_of(key, {"sample rate", "sampling rate", "samplerate", "sample frequency",
                         "sampling frequency", "sample_rate", "sampling_rate", "fs", "f_s",
                         "samples per second", "abtastrate", "abtastfrequenz", "scan rate"});
}

/// Parts of a line of a preamble: at = : ; tab and comma, quotes left out.
std::vector<std::string_view> parts_of(std::string_view line) {
  std::vector<std::string_view> parts;
  while (!line.empty()) {
    const std::size_t end = std::min(line.find_first_of("=:;,\t"), line.size());
    std::string_view part = without_blanks(line.substr(0, end));
    if (part.size() > 1 && part.front() == '"' && part.back() == '"')
      part = without_blanks(part.substr(1, part.size() - 2));
    parts.push_back(part);
    line.remove_prefix(std::min(end + 1, line.size()));
  }
  return parts;
}

}  // namespace

std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + ('a' - 'A'));
  return lower;
}

std::string_view without_blanks(std::string_view text) {
  const auto is_blank = [](char c) { return c == ' ' || c == '\t'; };
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

std::optional<TimeUnit> find_time_unit(std::string_view text) {
  // Mega and milli differ by case alone.
  if (text.starts_with("MS") || text.starts_with("Ms") || text == "S" || text == "D")
    return std::nullopt;
  if (text.empty() || text.find(' ') != text.npos) return std::nullopt;
  const std::string word = " " + lower_case(text) + " ";
  for (const auto& [unit, words] : kUnits)
    if (words.find(word) != words.npos) return unit;
  return std::nullopt;
}

NameWithUnit split_unit(std::string_view name) {
  name = without_blanks(name);
  for (const auto& [open, close] :
       {std::pair{'(', ')'}, std::pair{'[', ']'}, std::pair{'<', '>'}}) {
    const std::size_t at = name.rfind(open);
    if (at == name.npos || at == 0 || name.back() != close) continue;
    const auto unit = find_time_unit(without_blanks(name.substr(at + 1, name.size() - at - 2)));
    if (unit) return {std::string(without_blanks(name.substr(0, at))), unit};
  }
  for (const char* mark : {"/", "_", " in ", " ", ","}) {
    const std::size_t at = name.rfind(mark);
    if (at == name.npos || at == 0) continue;
    const std::string_view word = without_blanks(name.substr(at + std::string_view(mark).size()));
    const std::string_view stem = without_blanks(name.substr(0, at));
    const bool clear = *mark == '/' ? find_time_unit(word).has_value() : is_clear_suffix(word);
    if (clear && (*mark == '/' || is_time_name(stem)))
      return {std::string(stem), find_time_unit(word)};
  }
  if (name.size() > 1 && is_clear_suffix(name) && lower_case(name) != "min")
    return {std::string(name), find_time_unit(name)};
  return {std::string(name), std::nullopt};
}

std::optional<TimeUnit> unit_of_times(std::string_view name) {
  const std::string word = lower_case(without_blanks(name));
  return word == "s" || word == "min" ? find_time_unit(word) : split_unit(name).unit;
}

bool is_time_name(std::string_view name) {
  std::string lower = lower_case(name);
  if (is_time_word(lower)) return true;
  std::replace(lower.begin(), lower.end(), '_', ' ');
  // Seconds, msec and their like; single letters and min are names of other things.
  return is_time_word(lower) || (lower.size() > 1 && lower != "min" && is_clear_suffix(lower));
}

TimeScale scale_to(const TimeUnit& from, const std::string& to) {
  const auto wanted = find_time_unit(to);
  if (!wanted)
    throw Error(fmt::format("times in {} cannot be converted to {}", from.name, quote(to)),
                "units are ns, us, ms, s, min, h, d and week");
  TimeScale scale{from.numerator * wanted->denominator, from.denominator * wanted->numerator};
  // Powers of ten and multiples of minutes: what both hold is left out, so that one is 1.
  for (const double common : {1e9, 1e6, 1e3, 60.0, 60.0, 24.0, 7.0})
    if (std::fmod(scale.numerator, common) == 0 && std::fmod(scale.denominator, common) == 0) {
      scale.numerator /= common;
      scale.denominator /= common;
    }
  return scale;
}

double time_of(const std::string& text, const std::string& name, const std::string& unit) {
  const auto quantity = quantity_of(text);
  if (!quantity)
    throw Error(fmt::format("{} is no time", quote(text)),
                fmt::format("such as {} or {}", setting(name, "20"), setting(name, "20ms")));
  return in_unit(*quantity, unit)(quantity->value);
}

std::optional<SampleClock> clock_of(const std::string& dt, const std::string& rate,
                                    const std::string& unit) {
  if (dt.empty() && rate.empty()) return std::nullopt;
  if (!dt.empty() && !rate.empty())
    throw Error(
        fmt::format("{} and {} are two answers to one question", setting("dt"), setting("rate")),
        "give one of them");
  const auto quantity = quantity_of(dt.empty() ? rate : dt);
  if (!quantity || !(quantity->value > 0))
    throw Error(
        fmt::format("{} is no positive number", quote(dt.empty() ? rate : dt)),
        dt.empty()
            ? fmt::format("such as {} or {}", setting("rate", "256"), setting("rate", "1kHz"))
            : fmt::format("such as {} or {}", setting("dt", "0.01"), setting("dt", "10ms")));
  if (!dt.empty()) {
    const TimeScale scale = in_unit(*quantity, unit);
    return SampleClock{quantity->value * scale.numerator, scale.denominator};
  }
  const double hertz = quantity->unit.empty() ? 1 : hertz_of(quantity->unit);
  if (hertz == 0)
    throw Error(fmt::format("{} is no unit of a sample rate", quote(quantity->unit)),
                "units are Hz, kHz and MHz");
  const TimeScale scale = find_time_unit(unit) ? scale_to({"s"}, unit) : TimeScale{};
  return SampleClock{scale.numerator, scale.denominator * quantity->value * hertz};
}

std::optional<SampleClock> clock_in_line(std::string_view line) {
  const std::vector<std::string_view> parts = parts_of(line);
  if (parts.size() < 2) return std::nullopt;
  const NameWithUnit key = split_unit(parts[0]);
  const std::string name = lower_case(key.name);
  std::string whole = lower_case(parts[0]);
  // "Sample rate (Hz)", "Sample interval [s]": the unit may stand in the key.
  std::string_view key_unit;
  if (const std::size_t at = parts[0].find_first_of("(["); at != parts[0].npos && at > 0) {
    key_unit = parts[0].substr(at + 1, parts[0].find_first_of(")]") - at - 1);
    whole = lower_case(without_blanks(parts[0].substr(0, at)));
  }
  const bool is_interval = is_interval_key(name) || is_interval_key(whole);
  if (!is_interval && !is_rate_key(whole)) return std::nullopt;
  std::optional<SampleClock> clock;
  for (std::size_t k = 1; k < parts.size(); ++k) {
    const auto quantity = quantity_of(parts[k]);
    if (!quantity || !(quantity->value > 0) || !std::isfinite(quantity->value)) continue;
    const std::string_view unit = quantity->unit.empty() ? key_unit : quantity->unit;
    SampleClock found;
    if (is_interval) {
      const auto in = unit.empty() ? TimeUnit{"s"} : find_time_unit(unit).value_or(TimeUnit{});
      if (in.name.empty()) return std::nullopt;
      found = {quantity->value * in.numerator, in.denominator};
    } else {
      const double hertz = unit.empty() ? 1 : hertz_of(unit);
      if (hertz == 0) return std::nullopt;
      found = {1, quantity->value * hertz};
    }
    if (clock && clock->interval() != found.interval()) return std::nullopt;
    clock = found;
  }
  return clock;
}

}  // namespace lgn::csv_internal
