#include "lgn/data/csv/text_times_internal.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "lgn/core/error.h"
#include "lgn/core/setting.h"

namespace lgn::csv_internal {
namespace {

constexpr std::int64_t kDay = 86400;

std::int64_t day_of(const TimeStamp& stamp) {
  return (stamp.seconds - (stamp.seconds % kDay + kDay) % kDay) / kDay;
}

/// A clock in seconds in another unit, where that is known.
SampleClock in_unit(const SampleClock& clock, const std::string& unit) {
  const TimeScale scale = find_time_unit(unit) ? scale_to({"s"}, unit) : TimeScale{};
  return {clock.numerator * scale.numerator, clock.denominator * scale.denominator};
}

}  // namespace

TextTimes::TextTimes(const TextSurvey& survey, Columns& columns, const ReadOptions& options,
                     const std::string& file, FileReading& reading)
    : unit_(options.time_unit), order_(parse_date_order(options.date_order)) {
  const auto in_file = [&](const auto& action) {
    try {
      action();
    } catch (const Error& error) {
      throw Error(error.problem(), error.help(), Location{file, survey.header_line, 0});
    }
  };
  reading.columns = columns.names;
  if (columns.time == kNoColumn) {
    counted_ = clock_of(options.dt, options.rate, unit_);
    if (!counted_) {
      counted_ = in_unit(*survey.clock, unit_);
      reading.assumptions.push_back(fmt::format("samples are {:.6g} {} apart, as the preamble says",
                                                counted_->interval(), unit_));
    }
    reading.time_kind = "counted";
    reading.interval = counted_->interval();
    return;
  }
  const std::string& name = columns.names[columns.time];
  const ColumnSurvey column =
      columns.time < survey.columns.size() ? survey.columns[columns.time] : ColumnSurvey{};
  reading.time = name;
  if (survey.clock) grid_ = in_unit(*survey.clock, unit_);
  if (column.is_stamps()) {
    columns.slots[columns.time] = Columns::kStamp;
    has_date_ = column.has_date;
    reading.time_kind = has_date_ ? "dates" : "clock times";
    reading.unit_in_file = "s";
    in_file([&] { scale_ = scale_to({"s"}, unit_); });
    resolution_ = scale_(column.resolution);
    reading.assumptions.push_back(
        fmt::format("{} holds {}, in {} since the first", quote(name), reading.time_kind, unit_));
    if (order_ == DateOrder::unknown) order_ = column.evident;
    if (order_ == DateOrder::unknown && column.orders_differ)
      throw Error(
          fmt::format("column {}: {} could be two dates", quote(name), quote(column.sample)),
          fmt::format("say which with {} or {}", setting("date_order", "dmy"),
                      setting("date_order", "mdy")),
          Location{file, survey.first_row, 0});
    return;
  }
  reading.time_kind = "numbers";
  resolution_ = column.resolution;
  const std::optional<TimeUnit> named = unit_of_times(name);
  std::optional<TimeUnit> unit = named;
  if (!unit && columns.time < survey.units.size())
    unit = find_time_unit(survey.units[columns.time]);
  if (!unit && grid_ && column.counts && column.numbers > 1 && grid_->interval() != 1) {
    counted_ = grid_;
    reading.interval = grid_->interval();
    reading.assumptions.push_back(
        fmt::format("{} counts samples, which are {:.6g} {} apart, as the preamble says",
                    quote(name), grid_->interval(), unit_));
    return;
  }
  if (!unit) return;
  reading.unit_in_file = unit->name;
  in_file([&] { scale_ = scale_to(*unit, unit_); });
  resolution_ = scale_(resolution_);
  // A column named seconds says all itself.
  if (scale_.is_identity() && named && split_unit(name).name == name) return;
  reading.assumptions.push_back(
      scale_.is_identity()
          ? fmt::format("{} is in {}", quote(name), unit->name)
          : fmt::format("{} is in {} and was converted to {}", quote(name), unit->name, unit_));
}

double TextTimes::of_stamp(std::string_view text, std::string& problem, std::string& help) {
  const auto stamp = parse_time_stamp(text, order_);
  if (!stamp || stamp->has_date != has_date_) {
    double value = 0;
    if (without_blanks(text).empty()) {
      value = std::numeric_limits<double>::quiet_NaN();
      return value;
    }
    problem = fmt::format("{} is no {}", quote(text), has_date_ ? "date" : "clock time");
    help = "the rows before hold such";
    return value;
  }
  if (!first_) first_ = stamp;
  const bool disagrees = stamp->evident != DateOrder::unknown && order_ != stamp->evident;
  if (stamp->has_date && day_of(*stamp) != day_of(*first_) && !order_matters_) {
    order_matters_ = true;
    if (order_ == DateOrder::unknown && (stamp->needs_order || first_->needs_order)) {
      problem = fmt::format("{} could be two dates", quote(text));
      help = fmt::format("say which with {} or {}", setting("date_order", "dmy"),
                         setting("date_order", "mdy"));
      return 0;
    }
  }
  if (disagrees && order_ != DateOrder::unknown) {
    problem = fmt::format("{} is no date in the order of the others", quote(text));
    help = "check it, or say the order with " + setting("date_order");
    return 0;
  }
  std::int64_t seconds = stamp->seconds;
  if (!has_date_) {
    if (last_ && stamp->seconds + kDay / 2 < last_->seconds) ++midnights_;
    last_ = stamp;
    seconds += kDay * midnights_;
  }
  return static_cast<double>(seconds - first_->seconds) + (stamp->fraction - first_->fraction);
}

void TextTimes::finish(std::deque<RunBuilder>& runs, FileReading& reading) const {
  if (!grid_ || counted_) return;
  // Two roundings, that of the first time and that of the other, each by up to a unit.
  constexpr double margin = 1.001;
  const auto fits = [&](const RunBuilder& run) {
    return run.agrees_with(*grid_, margin * resolution_);
  };
  const auto is_rounded = [&](const RunBuilder& run) {
    return run.distance_to(*grid_) > 1e-6 * grid_->interval();
  };
  if (!std::all_of(runs.begin(), runs.end(), fits)) return;
  if (std::none_of(runs.begin(), runs.end(), is_rounded)) return;
  for (RunBuilder& run : runs) run.set_times(*grid_);
  reading.interval = grid_->interval();
  reading.assumptions.push_back(fmt::format(
      "times are rounded to {:.3g} {unit}; samples are {:.6g} {unit} apart, as the preamble says",
      resolution_, grid_->interval(), fmt::arg("unit", unit_)));
}

}  // namespace lgn::csv_internal
