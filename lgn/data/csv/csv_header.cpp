#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "lgn/core/setting.h"
#include "lgn/data/csv/csv_internal.h"
#include "lgn/data/csv/csv_number_internal.h"

namespace lgn::csv_internal {
namespace {

void refuse_binary(const Line& line) {
  const std::string_view text(line.begin, line.end);
  const std::size_t bad = first_unprintable(text);
  if (bad == text.size()) return;
  const char* at = line.begin + bad;
  if (*at == '\r')
    line.fail(at, "a carriage return inside the header", "end lines with LF or CRLF");
  line.fail(
      at,
      fmt::format("the header is not UTF-8 text (byte 0x{:02x})", static_cast<unsigned char>(*at)),
      "export the data as CSV text, encoded in UTF-8");
}

/// The names of the columns of one file, and what they mean.
class Header {
 public:
  Header(const TextSurvey& survey, const std::string& file, const ReadOptions& options)
      : survey_(survey), options_(options) {
    const std::string& text = survey.header;
    const std::size_t number = survey.header_line > 0 ? survey.header_line : survey.first_row;
    line_ = {&file, number, text.data(), text.data() + text.size()};
    if (!options.columns.empty())
      take_given();
    else if (survey.header_line > 0)
      split();
    else
      names_.assign(survey.columns.size(), {});
  }

  Columns columns(Layout& layout, FileReading& reading);

 private:
  void split();
  void take_given();
  void drop_unnamed(FileReading& reading);
  void assign(const std::vector<std::size_t>& found, const std::vector<std::string>& agreed,
              const char* kind, const Layout& layout, Index offset, Columns& columns) const;
  const char* start_of(std::size_t column) const {
    return column < starts_.size() ? starts_[column] : nullptr;
  }

  const TextSurvey& survey_;
  const ReadOptions& options_;
  Line line_;
  std::vector<std::string> names_;
  std::vector<const char*> starts_;
};

void Header::split() {
  refuse_binary(line_);
  if (!survey_.header_names.empty()) {
    names_ = survey_.header_names;
    return;
  }
  std::string unquoted;
  if (survey_.has_row_names) {
    names_.emplace_back();
    starts_.push_back(line_.begin);
  }
  const char separator = survey_.header_separator;
  for (const char* at = skip_blanks(line_.begin + survey_.header_begin, line_.end, separator);;) {
    const Cell cell = take_cell(line_, at, separator, unquoted);
    names_.emplace_back(cell.text);
    starts_.push_back(at);
    at = skip_separator(cell.next, line_.end, separator);
    if (cell.next == line_.end || (separator == ' ' && at == line_.end)) break;
  }
  if (options_.decimal_comma && names_.size() == 1 && names_[0].find(',') != std::string::npos)
    line_.fail(nullptr, "a comma separates the columns, so it cannot be the decimal point",
               "separate cells by ; or tab, or leave out " + setting("decimal_comma"));
}

void Header::take_given() {
  const auto& given = options_.columns;
  if (!survey_.columns.empty() && given.size() != survey_.columns.size()) {
    const Line row{line_.file, survey_.first_row, nullptr, nullptr};
    row.fail(nullptr,
             fmt::format("{} columns, but {} names {}", survey_.columns.size(), setting("columns"),
                         given.size()),
             "name every column from the first to the last; - skips one");
  }
  for (const auto& name : given) names_.push_back(name == "-" ? std::string() : name);
}

/// Columns without a name, such as an index or what a separator at the end of every row leaves.
void Header::drop_unnamed(FileReading& reading) {
  if (names_.size() == survey_.columns.size() + 1 && names_.back().empty()) names_.pop_back();
  if (survey_.header_line == 0 || !options_.columns.empty()) return;
  for (std::size_t c = 0; c < names_.size(); ++c) {
    if (!names_[c].empty()) continue;
    const bool seen = c < survey_.columns.size();
    const ColumnSurvey column = seen ? survey_.columns[c] : ColumnSurvey{};
    if (seen && column.numbers + column.stamps + column.words == 0) continue;
    const bool is_index = c == 0 && names_.size() > 1;
    if (!is_index)
      line_.fail(start_of(c), fmt::format("column {} of {} has no name", c + 1, names_.size()),
                 c + 1 == names_.size() ? "name it, or remove the separator that ends every row"
                                        : "name every column in the header");
    reading.assumptions.emplace_back("column 1 has no name and is not used");
  }
  if (std::all_of(names_.begin(), names_.end(), [](const auto& name) { return name.empty(); }))
    line_.fail(nullptr, "no column has a name",
               "name them in the header, or with " + setting("columns"));
}

/// Gives each column found the place of its name in `agreed`; both hold the same names, or it
/// throws.
void Header::assign(const std::vector<std::size_t>& found, const std::vector<std::string>& agreed,
                    const char* kind, const Layout& layout, Index offset, Columns& columns) const {
  const std::string help =
      "files of one system have the same columns; select with " + setting("channels");
  std::unordered_map<std::string_view, Index> slots;
  slots.reserve(agreed.size());
  for (const auto& name : agreed) slots.emplace(name, offset + static_cast<Index>(slots.size()));
  for (const std::size_t c : found) {
    const auto slot = slots.find(columns.names[c]);
    if (slot == slots.end())
      line_.fail(
          start_of(c),
          fmt::format("{} {} is not in {}", kind, quote(columns.names[c]), layout.first_file),
          help);
    columns.slots[c] = slot->second;
    slots.erase(slot);
  }
  if (slots.empty()) return;
  const auto first = std::min_element(
      slots.begin(), slots.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  line_.fail(nullptr,
             fmt::format("no {} {}, which {} has", kind, quote(first->first), layout.first_file),
             help);
}

Columns Header::columns(Layout& layout, FileReading& reading) {
  drop_unnamed(reading);
  const bool is_clocked = !options_.dt.empty() || !options_.rate.empty();
  if (names_.size() == 1 && survey_.header_line > 0 && !options_.times_only && !is_clocked &&
      !survey_.clock && options_.columns.empty())
    line_.fail(
        start_of(0),
        fmt::format("the header has one column, {}: there is no channel beside the time",
                    quote(names_[0])),
        "the first row names the columns, separated by , ; tab or blanks; without a time, give " +
            setting("dt") + " or " + setting("rate"));
  ColumnFacts facts;
  facts.names = names_;
  facts.named = survey_.header_line > 0 || !options_.columns.empty();
  facts.is_clocked = is_clocked;
  facts.has_clock = survey_.clock.has_value();
  facts.first_in_time_unit = !survey_.units.empty() && find_time_unit(survey_.units[0]).has_value();
  for (std::size_t c = 0; c < names_.size(); ++c) {
    const bool seen = c < survey_.columns.size();
    facts.stamps.push_back(seen && survey_.columns[c].is_stamps());
    facts.worded.push_back(seen && survey_.columns[c].numbers == 0 && survey_.columns[c].words > 2);
    facts.increases.push_back(seen && survey_.rows > 1 &&
                              survey_.columns[c].numbers == survey_.rows &&
                              survey_.columns[c].increases);
  }
  ColumnRoles roles =
      find_roles(std::move(facts), options_,
                 [&](std::size_t c, const std::string& problem, const std::string& help) {
                   line_.fail(c == kNoColumn ? nullptr : start_of(c), problem, help);
                 });
  reading.assumptions.insert(reading.assumptions.end(), roles.assumptions.begin(),
                             roles.assumptions.end());

  const bool is_first = layout.channels.empty();
  if (is_first)
    layout = {roles.names_of(roles.channels), roles.names_of(roles.inputs), *line_.file};
  Columns columns;
  columns.time = roles.time;
  columns.slots.assign(roles.names.size(), Columns::kIgnored);
  columns.names = std::move(roles.names);
  if (roles.time != kNoColumn) columns.slots[roles.time] = 0;
  if (roles.label != kNoColumn) columns.slots[roles.label] = Columns::kLabel;
  if (is_first) {
    Index slot = 1;
    for (const auto* found : {&roles.channels, &roles.inputs})
      for (const std::size_t c : *found) columns.slots[c] = slot++;
  } else {
    const Index after_channels = 1 + static_cast<Index>(layout.channels.size());
    assign(roles.channels, layout.channels, "channel", layout, 1, columns);
    assign(roles.inputs, layout.inputs, "input", layout, after_channels, columns);
  }
  return columns;
}

}  // namespace

Columns find_columns(const TextSurvey& survey, const std::string& file, const ReadOptions& options,
                     Layout& layout, FileReading& reading) {
  return Header(survey, file, options).columns(layout, reading);
}

}  // namespace lgn::csv_internal
