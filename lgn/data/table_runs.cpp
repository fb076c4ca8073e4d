#include "lgn/data/table_runs_internal.h"

#include <fmt/format.h>

#include <cmath>
#include <deque>
#include <unordered_map>

#include "lgn/core/error.h"
#include "lgn/core/setting.h"
#include "lgn/data/csv/run_builder_internal.h"
#include "lgn/data/data_columns_internal.h"

namespace lgn::csv_internal {
namespace {

/// Times that are NaN at the end are padding.
std::size_t timed_samples(const NumberTable& table, std::size_t time) {
  std::size_t samples = table.samples;
  while (samples > 0 && std::isnan(table.at(samples - 1, time))) --samples;
  return samples;
}

/// Says why a column is no time.
[[noreturn]] void refuse_time(const NumberTable& table, std::size_t time, const std::string& name) {
  std::string why = "it holds fewer than two numbers";
  for (std::size_t k = 1; k < timed_samples(table, time); ++k)
    if (!(table.at(k, time) > table.at(k - 1, time))) {
      why = fmt::format("{} follows {} in row {}", table.at(k, time), table.at(k - 1, time), k + 1);
      break;
    }
  throw Error(fmt::format("{} is no time: {}", name, why),
              fmt::format("where there is no time, give {} or {}; else say which column it is with "
                          "{}, and name the columns with {}",
                          setting("dt"), setting("rate"), setting("time"), setting("columns")));
}

std::vector<std::string> given_names(const NumberTable& table, const ReadOptions& options) {
  if (options.columns.size() != table.columns)
    throw Error(fmt::format("{} columns, but {} names {}", table.columns, setting("columns"),
                            options.columns.size()),
                "name every column from the first to the last; - skips one");
  std::vector<std::string> names;
  for (const auto& name : options.columns) names.push_back(name == "-" ? std::string() : name);
  return names;
}

}  // namespace

bool NumberTable::increases(std::size_t column) const {
  const std::size_t count = timed_samples(*this, column);
  for (std::size_t k = 1; k < count; ++k)
    if (!(at(k, column) > at(k - 1, column))) return false;
  return count > 1;
}

void append_table(const NumberTable& table, const std::vector<std::string>& names,
                  const std::optional<SampleClock>& clock, const ReadOptions& options,
                  const FilePlace& place) {
  ColumnFacts facts;
  facts.named = !names.empty() || !options.columns.empty();
  facts.names = !options.columns.empty() ? given_names(table, options)
                : names.empty()          ? std::vector<std::string>(table.columns)
                                         : names;
  facts.is_clocked = clock.has_value();
  const bool first_increases = table.columns > 0 && table.increases(0);
  if (!facts.named && !clock && options.time.empty() && !first_increases)
    refuse_time(table, 0, "the first column");
  facts.increases.assign(1, first_increases);
  const ColumnRoles roles = find_roles(std::move(facts), options,
                                       [](std::size_t, const std::string& problem,
                                          const std::string& help) { throw Error(problem, help); });
  if (roles.time != kNoColumn && roles.label == kNoColumn && !table.increases(roles.time))
    refuse_time(table, roles.time, fmt::format("column {}", quote(roles.names[roles.time])));
  const auto [channels, inputs] = array_internal::agree_on(roles, place.reading.file, place.layout);
  place.reading.columns = roles.names;
  TimeScale scale;
  if (roles.time != kNoColumn) {
    place.reading.time = roles.names[roles.time];
    place.reading.time_kind = "numbers";
    if (const auto unit = unit_of_times(roles.names[roles.time])) {
      scale = scale_to(*unit, options.time_unit);
      place.reading.unit_in_file = unit->name;
      place.reading.assumptions.push_back(
          fmt::format("{} is in {}{}", quote(place.reading.time), unit->name,
                      scale.is_identity() ? "" : " and was converted to " + options.time_unit));
    }
  } else {
    place.reading.time_kind = "counted";
    place.reading.interval = clock->interval();
  }

  std::deque<RunBuilder> runs;
  std::unordered_map<double, RunBuilder*> by_label;
  std::vector<double> sample(1 + channels.size() + inputs.size());
  const std::size_t count =
      roles.time == kNoColumn ? table.samples : timed_samples(table, roles.time);
  for (std::size_t k = 0; k < count; ++k) {
    RunBuilder* run = runs.empty() ? nullptr : &runs.front();
    if (roles.label != kNoColumn) {
      RunBuilder*& labelled = by_label[table.at(k, roles.label)];
      if (labelled == nullptr) {
        const std::string label = fmt::format("{}", table.at(k, roles.label));
        labelled = &runs.emplace_back(place.layout, label, place.prefix + label, k + 1);
      }
      run = labelled;
    } else if (run == nullptr) {
      run = &runs.emplace_back(place.layout, "", place.label, k + 1);
    }
    sample[0] =
        roles.time == kNoColumn ? clock->at(run->samples()) : scale(table.at(k, roles.time));
    std::size_t slot = 1;
    for (const auto* columns : {&channels, &inputs})
      for (const std::size_t c : *columns) {
        // What is not finite is a gap.
        const double value = table.at(k, c);
        sample[slot++] = std::isinf(value) ? std::nan("") : value;
      }
    run->append(sample.data());
  }
  if (runs.empty()) throw Error("there is no sample");
  for (RunBuilder& run : runs) place.runs.push_back(run.finish(place.reading.file));
}

}  // namespace lgn::csv_internal
