#pragma once

// Units and names of time as files and users write them; not installed.

#include <optional>
#include <string>
#include <string_view>

#include "lgn/core/linear_algebra.h"

namespace lgn::csv_internal {

/// A unit in seconds, as a fraction whose parts are exact.
struct TimeUnit {
  std::string_view name;
  double numerator = 1, denominator = 1;
};

/// "ms", "µs", "sec", "Sekunden", …, without regard to case where that leaves one meaning.
std::optional<TimeUnit> find_time_unit(std::string_view text);

/// A name without its unit, and the unit.
struct NameWithUnit {
  std::string name;
  std::optional<TimeUnit> unit;
};

/// Takes "Time (s)", "Zeit [ms]", "t/us" and "time_ms" apart; names of units such as "seconds" are
/// both.
NameWithUnit split_unit(std::string_view name);

/// The unit of a column of times, by its name: of split_unit, or the name itself where that is "s" or "min", which are names
/// of other things too.
std::optional<TimeUnit> unit_of_times(std::string_view name);

/// Whether the name, without its unit, is one of time in some language.
bool is_time_name(std::string_view name);

/// Factor and divisor that take times from one unit to another.
struct TimeScale {
  double numerator = 1, denominator = 1;

  double operator()(double time) const { return time * numerator / denominator; }
  bool is_identity() const { return numerator == denominator; }
};

/// The scale from a unit to the one of that name. Throws Error when that is no known unit.
TimeScale scale_to(const TimeUnit& from, const std::string& to);

/// Samples at k·numerator/denominator.
struct SampleClock {
  double numerator = 0, denominator = 1;

  double at(Index k) const { return static_cast<double>(k) * numerator / denominator; }
  double interval() const { return numerator / denominator; }
};

/// The clock that the options dt ("10ms", "0.01") or rate ("256", "1kHz") ask for, in `unit`;
/// nothing where both are empty. Throws Error when they are no positive number, or both are given.
std::optional<SampleClock> clock_of(const std::string& dt, const std::string& rate,
                                    const std::string& unit);

/// A time that an option tells, "20" or "20ms", in `unit`. Throws Error where it is none; `name` is that of the option.
double time_of(const std::string& text, const std::string& name, const std::string& unit);

/// A sample interval or rate that a line of an instrument's preamble tells, such as "delta t,2.5E-6"
/// or "Sample rate: 10 kHz", in seconds; nothing where it tells another thing, or several.
std::optional<SampleClock> clock_in_line(std::string_view line);

/// The text in lower case, as far as it is ASCII.
std::string lower_case(std::string_view text);
/// Without blanks around it.
std::string_view without_blanks(std::string_view text);

}  // namespace lgn::csv_internal
