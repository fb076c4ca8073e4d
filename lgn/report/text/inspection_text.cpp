#include "lgn/report/text/inspection_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "lgn/report/text/tables.h"

namespace lgn {
namespace {

std::string in_words(RecordKind record) {
  switch (record) {
    case RecordKind::free:
      return "free response: motion from an initial state, which nothing drives";
    case RecordKind::driven:
      return "driven: an input moves";
    case RecordKind::ambient:
      return "ambient: the motion neither decays nor is driven by a measured input";
    case RecordKind::growing:
      return "growing: the motion becomes larger; no passive structure fits";
    case RecordKind::constant:
      return "constant: nothing moves, so there is nothing to identify";
  }
  return {};
}

std::string file_text(const FileReading& file) {
  std::vector<std::string> parts = {file.format};
  if (!file.separator.empty())
    parts.push_back("separated by " +
                    (file.separator.size() == 1 ? "\"" + file.separator + "\"" : file.separator));
  if (file.format == "text")
    parts.push_back(file.header_line > 0 ? fmt::format("header in line {}", file.header_line)
                                         : std::string("no header"));
  if (!file.time.empty())
    parts.push_back(fmt::format("time \"{}\"{}", file.time,
                                file.unit_in_file.empty() || file.time_kind != "numbers"
                                    ? " (" + file.time_kind + ")"
                                    : " in " + file.unit_in_file));
  else if (file.time_kind == "counted")
    parts.push_back(fmt::format("no time: samples {} apart", short_number(file.interval)));
  return fmt::format("{}: {}", file.file, fmt::join(parts, ", "));
}

std::string times_text(const Inspection& inspection, const std::string& unit) {
  const TimesInspection& times = inspection.times;
  std::string text =
      fmt::format("{}, {}, from {} to {} {}; step {} {}", counted(inspection.runs, "run"),
                  counted(inspection.samples, "sample"), short_number(times.begin),
                  short_number(times.end), unit, short_number(times.step), unit);
  text += times.is_even ? ", even" : fmt::format(", jitter {:.2g}%", 100 * times.jitter);
  text += times.gaps == 0 ? std::string(", no gaps")
                          : fmt::format(", {}, the longest {} {}", counted(times.gaps, "gap"),
                                        short_number(times.longest_gap), unit);
  return text;
}

nlohmann::ordered_json json_of(const FileReading& file) {
  return {{"file", file.file},
          {"format", file.format},
          {"compression", file.compression},
          {"encoding", file.encoding},
          {"separator", file.separator},
          {"decimal_comma", file.decimal_comma},
          {"preamble_lines", file.preamble_lines},
          {"header_line", file.header_line},
          {"units_line", file.units_line},
          {"columns", file.columns},
          {"time", file.time},
          {"time_kind", file.time_kind},
          {"unit_in_file", file.unit_in_file},
          {"interval", file.interval},
          {"assumptions", file.assumptions}};
}

nlohmann::ordered_json json_of(const ChannelInspection& channel) {
  return {{"name", channel.name},
          {"kind", name_of(channel.kind)},
          {"role", channel.is_input ? "input" : "channel"},
          {"mean", channel.mean},
          {"rms", channel.rms},
          {"minimum", channel.minimum},
          {"maximum", channel.maximum},
          {"noise", channel.noise},
          {"offset", channel.has_offset ? channel.offset : 0.0},
          {"missing", channel.missing},
          {"outliers", channel.outliers},
          {"clipped", channel.clipped},
          {"stuck", channel.stuck}};
}

}  // namespace

std::string remarks_on(const ChannelInspection& channel) {
  std::vector<std::string> found;
  if (channel.maximum == channel.minimum) found.emplace_back("constant");
  if (channel.has_offset) found.push_back("offset " + short_number(channel.offset));
  if (channel.missing > 0) found.push_back(fmt::format("{} missing", channel.missing));
  if (channel.outliers > 0) found.push_back(counted(channel.outliers, "outlier"));
  if (channel.clipped > 0) found.push_back(fmt::format("{} clipped", channel.clipped));
  if (channel.stuck > 0) found.push_back(fmt::format("{} stuck", channel.stuck));
  return fmt::format("{}", fmt::join(found, ", "));
}

std::string inspection_text(const Inspection& inspection, const Reading& reading,
                            const std::string& time_unit, const std::string& next) {
  std::string text;
  constexpr std::size_t most_files = 8;
  for (std::size_t k = 0; k < std::min(most_files, reading.files.size()); ++k)
    text += file_text(reading.files[k]) + '\n';
  if (reading.files.size() > most_files)
    text += fmt::format("and {} more files\n", reading.files.size() - most_files);
  text += times_text(inspection, time_unit) + "\n\n";
  std::vector<std::vector<std::string>> rows;
  for (const auto& channel : inspection.channels)
    rows.push_back({channel.name, channel.is_input ? "input" : name_of(channel.kind),
                    short_number(channel.mean), short_number(channel.rms),
                    short_number(channel.noise), remarks_on(channel)});
  align_left(rows, 1);
  align_left(rows, 5);
  text += text_table({"channel", "kind", "mean", "RMS", "noise σ", "remarks"}, rows);
  text += fmt::format("\n{}\n", in_words(inspection.record));
  for (const std::string& remark : inspection.experiment) text += remark + '\n';
  if (!next.empty()) text += fmt::format("next: {}\n", next);
  return text;
}

std::string inspection_json(const Inspection& inspection, const Reading& reading,
                            const std::string& time_unit, const std::string& next) {
  using Json = nlohmann::ordered_json;
  Json files = Json::array(), channels = Json::array();
  for (const auto& file : reading.files) files.push_back(json_of(file));
  for (const auto& channel : inspection.channels) channels.push_back(json_of(channel));
  const TimesInspection& times = inspection.times;
  const Json json = {{"files", files},
                     {"runs", inspection.runs},
                     {"samples", inspection.samples},
                     {"time_unit", time_unit},
                     {"times",
                      {{"begin", times.begin},
                       {"end", times.end},
                       {"step", times.step},
                       {"even", times.is_even},
                       {"jitter", times.jitter},
                       {"gaps", times.gaps},
                       {"longest_gap", times.longest_gap}}},
                     {"channels", channels},
                     {"record", name_of(inspection.record)},
                     {"experiment", inspection.experiment},
                     {"assumptions", reading.assumptions()},
                     {"next", next}};
  // Names of files need not be UTF-8, JSON must be.
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace lgn
