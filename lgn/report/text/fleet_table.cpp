#include "lgn/report/text/fleet_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "lgn/core/median.h"
#include "lgn/core/number_text.h"
#include "lgn/report/text/tables.h"

namespace lgn {
namespace {

const std::string fit_error = "fit error";
constexpr double none = std::numeric_limits<double>::quiet_NaN();

/// A number that records have in common, of those that have it.
struct Common {
  std::string name, unit;
  std::vector<std::size_t> records;
  std::vector<double> values, errors;

  double middle() const { return median(values); }
  /// As a standard deviation.
  double spread() const {
    const double centre = middle();
    std::vector<double> deviations;
    for (const double value : values) deviations.push_back(std::abs(value - centre));
    constexpr double of_a_normal = 1.4826;
    return of_a_normal * median(deviations);
  }
};

/// How many modes most records have; 0 where there are none.
std::size_t usual_modes(const std::vector<FleetRecord>& records) {
  std::map<std::size_t, int> counts;
  for (const auto& record : records)
    if (!record.model.empty()) ++counts[record.modes.size()];
  std::size_t usual = 0;
  int most = 0;
  for (const auto& [modes, count] : counts)
    if (count > most) {
      most = count;
      usual = modes;
    }
  return usual;
}

std::vector<Common> commons(const std::vector<FleetRecord>& records) {
  const std::size_t modes = usual_modes(records);
  const auto known = std::find_if(records.begin(), records.end(),
                                  [](const auto& record) { return !record.model.empty(); });
  const std::string unit = known != records.end() ? known->frequency_unit : "Hz";
  std::vector<Common> result{{fit_error, "", {}, {}, {}}};
  for (std::size_t k = 0; k < modes; ++k) {
    result.push_back({fmt::format("frequency {}", k + 1), unit, {}, {}, {}});
    result.push_back({fmt::format("damping ratio {}", k + 1), "", {}, {}, {}});
  }
  for (std::size_t r = 0; r < records.size(); ++r) {
    const FleetRecord& record = records[r];
    if (record.model.empty()) continue;
    const auto add = [&](Common& common, double value, double error) {
      if (!std::isfinite(value)) return;
      common.records.push_back(r);
      common.values.push_back(value);
      common.errors.push_back(std::isfinite(error) ? error : 0);
    };
    add(result[0], record.fit_error, 0);
    if (record.modes.size() != modes) continue;
    for (std::size_t k = 0; k < modes; ++k) {
      const auto& mode = record.modes[k];
      if (!mode.oscillates) continue;
      add(result[1 + 2 * k], mode.frequency, mode.frequency_error);
      add(result[2 + 2 * k], mode.damping_ratio, mode.damping_error);
    }
  }
  return result;
}

void also(std::string& text, const std::string& more) { text += (text.empty() ? "" : "; ") + more; }

std::string quoted(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string result = "\"";
  for (const char c : text) result += c == '"' ? "\"\"" : std::string(1, c);
  return result + '"';
}

std::string all_digits(double value) {
  return std::isfinite(value) ? fmt::format("{}", value) : "";
}

std::string words_of(const FleetRecord::Found& mode, const std::string& unit) {
  return mode.oscillates ? fmt::format("{} {}, ζ {}", short_number(mode.frequency), unit,
                                       short_number(mode.damping_ratio))
                         : fmt::format("τ {}", short_number(mode.time_constant));
}

}  // namespace

FleetRecord fleet_record(const Model& model, const std::string& file, const std::string& path) {
  FleetRecord record;
  record.file = file;
  record.model = path;
  record.structure = model.structure;
  record.frequency_unit = frequency_unit(model);
  record.states = model.dimension();
  record.fit_error = model.fit.nrmse_train;
  for (const auto& warning : model.warnings) record.warnings.push_back(warning.code);
  for (const Mode& mode : model.modes) {
    if (mode.pole.imag() < 0 || !mode.identifiable.value_or(true) || !mode.spurious.empty())
      continue;
    record.modes.push_back({mode.frequency_hz, mode.se ? mode.se->frequency_hz : none,
                            mode.damping_ratio, mode.se ? mode.se->damping_ratio : none,
                            mode.time_constant, mode.oscillates()});
  }
  std::stable_sort(record.modes.begin(), record.modes.end(), [](const auto& a, const auto& b) {
    return a.oscillates != b.oscillates ? !a.oscillates : a.frequency < b.frequency;
  });
  return record;
}

void mark_outliers(std::vector<FleetRecord>& records) {
  constexpr std::size_t fewest = 5;
  constexpr double far = 5;
  for (auto& record : records) record.outlier.clear();
  const std::size_t modes = usual_modes(records);
  const auto found = std::count_if(records.begin(), records.end(),
                                   [](const auto& record) { return !record.model.empty(); });
  if (static_cast<std::size_t>(found) < fewest) return;
  for (auto& record : records)
    if (!record.model.empty() && record.modes.size() != modes)
      also(record.outlier,
           fmt::format("{} where most have {}",
                       counted(static_cast<Index>(record.modes.size()), "mode"), modes));
  for (const Common& common : commons(records)) {
    if (common.values.size() < fewest) continue;
    const double middle = common.middle(), spread = common.spread();
    for (std::size_t k = 0; k < common.values.size(); ++k) {
      const double off = std::abs(common.values[k] - middle);
      if (!(off > far * std::hypot(spread, common.errors[k])) || !(off > 1e-6 * std::abs(middle)))
        continue;
      // A better fit than others' is no fault.
      if (common.name == fit_error && common.values[k] < middle) continue;
      also(records[common.records[k]].outlier,
           fmt::format("{} {}{} where most have {}", common.name, short_number(common.values[k]),
                       common.unit.empty() ? "" : " " + common.unit, short_number(middle)));
    }
  }
}

std::string fleet_line(const FleetRecord& record) {
  if (record.model.empty()) return fmt::format("{}: no model: {}", record.file, record.problem);
  constexpr std::size_t most = 3;
  std::string text;
  for (std::size_t k = 0; k < std::min(most, record.modes.size()); ++k)
    also(text, words_of(record.modes[k], record.frequency_unit));
  if (record.modes.size() > most) also(text, fmt::format("{} more", record.modes.size() - most));
  if (text.empty()) text = "no mode that the data determine";
  return fmt::format(
      "{}: {}, {}: {}{}", record.file, record.structure, counted(record.states, "state"), text,
      record.warnings.empty() ? "" : fmt::format(" ({})", fmt::join(record.warnings, ", ")));
}

std::string fleet_summary(const std::vector<FleetRecord>& records) {
  const auto found = std::count_if(records.begin(), records.end(),
                                   [](const auto& record) { return !record.model.empty(); });
  std::string text = fmt::format("{} of {} identified\n", found,
                                 counted(static_cast<Index>(records.size()), "record"));
  std::vector<std::vector<std::string>> rows;
  for (const Common& common : commons(records)) {
    if (common.values.empty()) continue;
    const auto [least, most] = std::minmax_element(common.values.begin(), common.values.end());
    rows.push_back({common.name + (common.unit.empty() ? "" : " [" + common.unit + "]"),
                    fmt::format("{}", common.values.size()), short_number(common.middle()),
                    short_number(common.spread()), short_number(*least), short_number(*most)});
  }
  if (!rows.empty())
    text += '\n' + text_table({"", "records", "median", "spread", "least", "most"}, rows);
  std::string outliers, without;
  for (const auto& record : records) {
    if (!record.outlier.empty()) outliers += fmt::format("  {}: {}\n", record.file, record.outlier);
    if (record.model.empty()) without += fmt::format("  {}: {}\n", record.file, record.problem);
  }
  if (!outliers.empty()) text += "\nunlike the others:\n" + outliers;
  if (!without.empty()) text += "\nwithout a model:\n" + without;
  return text;
}

std::string fleet_csv(const std::vector<FleetRecord>& records) {
  std::size_t most = 0;
  for (const auto& record : records) most = std::max(most, record.modes.size());
  std::string text = "file,model,structure,states,fit_error,warnings,outlier,problem";
  for (std::size_t k = 1; k <= most; ++k)
    text += fmt::format(
        ",frequency_hz_{0},frequency_hz_se_{0},damping_ratio_{0},damping_ratio_se_{0},"
        "time_constant_{0}",
        k);
  text += '\n';
  for (const auto& record : records) {
    text += fmt::format("{},{},{},{},{},{},{},{}", quoted(record.file), quoted(record.model),
                        record.structure, record.model.empty() ? "" : std::to_string(record.states),
                        all_digits(record.fit_error), fmt::join(record.warnings, " "),
                        quoted(record.outlier), quoted(record.problem));
    for (std::size_t k = 0; k < most; ++k) {
      if (k >= record.modes.size()) {
        text += ",,,,,";
        continue;
      }
      const auto& mode = record.modes[k];
      text += fmt::format(",{},{},{},{},{}", mode.oscillates ? all_digits(mode.frequency) : "",
                          mode.oscillates ? all_digits(mode.frequency_error) : "",
                          mode.oscillates ? all_digits(mode.damping_ratio) : "",
                          mode.oscillates ? all_digits(mode.damping_error) : "",
                          all_digits(mode.time_constant));
    }
    text += '\n';
  }
  return text;
}

}  // namespace lgn
