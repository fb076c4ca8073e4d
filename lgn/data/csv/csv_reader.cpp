#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>
#include <unordered_map>
#include <utility>

#include "lgn/core/error.h"
#include "lgn/core/setting.h"
#include "lgn/data/csv/csv.h"
#include "lgn/data/csv/csv_internal.h"
#include "lgn/data/csv/csv_number_internal.h"
#include "lgn/data/csv/run_builder_internal.h"
#include "lgn/data/csv/text_times_internal.h"

namespace lgn::csv_internal {
namespace {

/// Reads one file as its survey says: row after row into the run that the row belongs to.
class FileReader {
 public:
  FileReader(InputFile file, const TextSurvey& survey, std::size_t block_bytes,
             const ReadOptions& options, const FilePlace& place)
      : lines_(std::move(file), block_bytes), survey_(survey), options_(options), place_(place) {
    fast_point_ = survey.point == survey.separator ? '\0' : survey.point;
    columns_ = find_columns(survey, lines_.name(), options, place.layout, place.reading);
    times_ = TextTimes(survey, columns_, options, lines_.name(), place.reading);
    lines_.start_at(survey.first_row);
  }

  void read();

 private:
  RunBuilder& read_row(Line line);
  double read_stamp(const Line& line, const char*& at, std::size_t column);
  const char* read_padded(const Line& line, const char* at, std::size_t column, double& value);
  const char* read_careful(const Line& line, const char* from, std::size_t column, double& value);
  void check_row(const Line& line, const RunBuilder& run) const;
  RunBuilder& run_labelled(const Line& line, const Cell& label, const char* at);
  void note_word(std::string_view word);
  std::size_t count_cells(const Line& line, const char*& extra) const;
  [[noreturn]] void fail_width(const Line& line) const;
  [[noreturn]] void fail_cell(const Line& line, const char* at, std::size_t column,
                              const std::string& problem, const std::string& help) const;
  const char* start_of(const Line& line, std::size_t column) const;

  LineReader lines_;
  const TextSurvey& survey_;
  const ReadOptions& options_;
  const FilePlace& place_;
  Columns columns_;
  TextTimes times_;
  /// The point of numbers outside quotes: none where it separates cells.
  char fast_point_ = '.';
  std::vector<double> sample_;  ///< the time, the channels, the inputs
  /// A deque, because elements stay in place as it grows: the map looks into their keys.
  std::deque<RunBuilder> runs_;
  std::unordered_map<std::string_view, RunBuilder*> run_of_label_;
  /// Rows of a run mostly stand together, which spares most look-ups.
  RunBuilder* last_run_ = nullptr;
  std::string unquoted_, unquoted_label_;
  std::vector<std::string> words_;  ///< that were taken for missing samples
};

const char* FileReader::start_of(const Line& line, std::size_t column) const {
  std::string unquoted;
  const char* at = skip_blanks(line.begin, line.end, survey_.separator);
  for (std::size_t c = 0; c < column; ++c)
    at = skip_separator(take_cell(line, at, survey_.separator, unquoted).next, line.end,
                        survey_.separator);
  return at;
}

/// Counts cells; `extra` becomes the start of the first that there is no column for.
std::size_t FileReader::count_cells(const Line& line, const char*& extra) const {
  std::string unquoted;
  std::size_t found = 0;
  extra = line.end;
  for (const char* at = skip_blanks(line.begin, line.end, survey_.separator);;) {
    if (found++ == columns_.names.size()) extra = at;
    const char* const next = take_cell(line, at, survey_.separator, unquoted).next;
    if (next == line.end) return found;
    at = skip_separator(next, line.end, survey_.separator);
  }
}

void FileReader::fail_width(const Line& line) const {
  const char* extra = nullptr;
  const std::size_t found = count_cells(line, extra);
  const char separator = survey_.separator;
  const bool is_named = survey_.header_line > 0 && options_.columns.empty();
  const std::string who = is_named                   ? "as in the header"
                          : options_.columns.empty() ? "as in the rows before"
                                                     : "as named by " + setting("columns");
  std::string help =
      separator == ' ' ? "blanks separate cells; a cell that holds some needs quotes"
                       : fmt::format("{}, {} separates cells; a cell that holds it needs quotes",
                                     is_named ? who : "here",
                                     separator == '\t' ? "tab" : fmt::format("\"{}\"", separator));
  if (is_named && found > columns_.names.size()) {
    std::vector<std::string> names(found - columns_.names.size(), "-");
    constexpr std::size_t most_shown = 12;
    names.insert(names.end(), columns_.names.begin(), columns_.names.end());
    help += found <= most_shown
                ? fmt::format("; {} names all of them",
                              setting("columns", fmt::format("{}", fmt::join(names, ","))))
                : fmt::format("; {} names all of them", setting("columns"));
  }
  line.fail(extra,
            fmt::format("{} cell{} in this row, expected {} {}", found, found == 1 ? "" : "s",
                        columns_.names.size(), who),
            help);
}

/// A bad cell is often only the sign of a row that is not split as the header is: say that first.
void FileReader::fail_cell(const Line& line, const char* at, std::size_t column,
                           const std::string& problem, const std::string& help) const {
  const char* extra = nullptr;
  if (count_cells(line, extra) != columns_.names.size()) fail_width(line);
  line.fail(at, fmt::format("column {}: {}", quote(columns_.names[column]), problem), help);
}

void FileReader::note_word(std::string_view word) {
  constexpr std::size_t most = 4;
  if (words_.size() < most && std::find(words_.begin(), words_.end(), word) == words_.end())
    words_.emplace_back(word);
}

/// Reads any cell, at the price of looking at it more than once.
const char* FileReader::read_careful(const Line& line, const char* from, std::size_t column,
                                     double& value) {
  const Cell cell = take_cell(line, from, survey_.separator, unquoted_);
  const NumberKind kind = parse_number(cell.text, survey_.point, value);
  if (kind == NumberKind::missing && is_missing_word(cell.text)) note_word(cell.text);
  if (kind == NumberKind::present || kind == NumberKind::missing) return cell.next;
  const std::string shown = quote(cell.text);
  if (kind == NumberKind::infinite) {
    if (column == columns_.time)
      fail_cell(line, from, column, shown + " is infinite", "every row needs a time");
    note_word(cell.text);
    return cell.next;
  }
  if (kind == NumberKind::out_of_range)
    fail_cell(line, from, column, shown + " is beyond the range of a double",
              "check the cell, or use another unit");
  // Groups of digits, where a comma, or a point beside decimal commas, can be nothing else.
  const bool has_point = survey_.has_points || cell.text.find('.') != cell.text.npos;
  const bool may_group = survey_.point == ','
                             ? survey_.has_groups || cell.text.find(',') != cell.text.npos
                         : survey_.separator == ',' ? cell.quoted
                                                    : has_point;
  if (may_group && parse_grouped_number(cell.text, survey_.point, value)) {
    note_word("\x1f");
    return cell.next;
  }
  std::string help = "write a number, or leave the cell empty where a sample is missing";
  if (options_.decimal_comma)
    help = "with " + setting("decimal_comma") + " numbers are written 0,5";
  else if (survey_.point == ',')
    help = "numbers are written 0,5 in the rows before";
  else if ((survey_.separator != ',' || cell.quoted) &&
           parse_number(cell.text, ',', value) == NumberKind::present)
    help = "read numbers written 0,5 with " + setting("decimal_comma");
  fail_cell(line, from, column, shown + " is not a number", help);
}

double FileReader::read_stamp(const Line& line, const char*& at, std::size_t column) {
  const char* const from = at;
  const Cell cell = take_cell(line, at, survey_.separator, unquoted_);
  at = cell.next;
  std::string problem, help;
  const double time = times_.of_stamp(cell.text, problem, help);
  if (!problem.empty()) fail_cell(line, from, column, problem, help);
  return time;
}

RunBuilder& FileReader::run_labelled(const Line& line, const Cell& label, const char* at) {
  if (last_run_ != nullptr && label.text == last_run_->key()) return *last_run_;
  const auto place = run_of_label_.find(label.text);
  if (place != run_of_label_.end()) return *(last_run_ = place->second);
  const auto column = static_cast<std::size_t>(
      std::find(columns_.slots.begin(), columns_.slots.end(), Columns::kLabel) -
      columns_.slots.begin());
  if (label.text.empty() && !label.quoted)
    line.fail(at, fmt::format("column {}: the label is missing", quote(columns_.names[column])),
              "every row needs the label of its run");
  if (first_unprintable(label.text) != label.text.size())
    line.fail(at, fmt::format("the label {} is not UTF-8 text", quote(label.text)),
              "export the data as CSV text, encoded in UTF-8");
  // A count that an instrument wrote with all digits is shown with those that it needs.
  std::string shown(label.text);
  double number = 0;
  if (shown.size() > 12 && parse_number(shown, survey_.point, number) == NumberKind::present)
    shown = fmt::format("{}", number);
  last_run_ = &runs_.emplace_back(place_.layout, std::string(label.text), place_.prefix + shown,
                                  line.number);
  run_of_label_.emplace(last_run_->key(), last_run_);
  return *last_run_;
}

/// Checks what needs the whole row: its place in the run, and gaps where none may be.
void FileReader::check_row(const Line& line, const RunBuilder& run) const {
  const double time = sample_[0];
  const auto fail = [&](std::size_t column, const std::string& problem, const std::string& help) {
    fail_cell(line, start_of(line, column), column, problem, help);
  };
  if (std::isnan(time)) fail(columns_.time, "the time is missing", "every row needs a time");
  if (run.samples() > 0 && !(time > run.last_time()) &&
      !(times_.may_repeat() && time == run.last_time())) {
    std::string help = "times must increase within a run; a column trajectory tells runs apart";
    if (time == run.last_time())
      help += fmt::format(
          "; where times are rounded so that they repeat, give the time between samples"
          " with {} or {}",
          setting("dt"), setting("rate"));
    fail(columns_.time, fmt::format("the time {} follows {}", time, run.last_time()), help);
  }
  for (std::size_t k = 1 + place_.layout.channels.size(); k < sample_.size(); ++k) {
    if (!std::isnan(sample_[k])) continue;
    const auto slot =
        std::find(columns_.slots.begin(), columns_.slots.end(), static_cast<Index>(k));
    fail(static_cast<std::size_t>(slot - columns_.slots.begin()), "the input is missing",
         "inputs need every sample: fill the gap, or list other inputs with " + setting("inputs"));
  }
}

/// A number between blanks, or anything else.
const char* FileReader::read_padded(const Line& line, const char* at, std::size_t column,
                                    double& value) {
  const char separator = survey_.separator;
  const char* from = at;
  while (*from == ' ') ++from;
  const char* stop = parse_number_fast(from, line.end, fast_point_, value);
  if (stop != nullptr && *stop == ' ' && separator != ' ')
    while (*stop == ' ') ++stop;
  const bool whole = stop != nullptr && (stop == line.end || *stop == separator ||
                                         (separator == ' ' && *stop == '\t'));
  return whole ? stop : read_careful(line, at, column, value);
}

RunBuilder& FileReader::read_row(Line line) {
  const char separator = survey_.separator, point = fast_point_;
  const std::size_t width = columns_.slots.size();
  const Index* const slots = columns_.slots.data();
  if (separator == ' ')
    while (line.end != line.begin && (line.end[-1] == ' ' || line.end[-1] == '\t')) --line.end;
  const char* const end = line.end;
  const char* at = skip_blanks(line.begin, end, separator);
  const char* label_at = nullptr;
  Cell label;
  for (std::size_t c = 0; c < width; ++c) {
    if (c > 0) {
      if (at == end) fail_width(line);
      at = skip_separator(at, end, separator);
    }
    if (const Index slot = slots[c]; slot >= 0) {
      double& value = sample_[static_cast<std::size_t>(slot)];
      const char* const stop = parse_number_fast(at, end, point, value);
      const bool whole = stop != nullptr && (stop == end || *stop == separator);
      at = whole ? stop : read_padded(line, at, c, value);
    } else if (slot == Columns::kLabel) {
      label_at = at;
      label = take_cell(line, at, separator, unquoted_label_);
      at = label.next;
    } else if (slot == Columns::kStamp) {
      sample_[0] = read_stamp(line, at, c);
    } else {
      at = take_cell(line, at, separator, unquoted_).next;
    }
  }
  // A separator may end the row.
  if (at != end && at + 1 != end) fail_width(line);

  if (label_at == nullptr && runs_.empty())
    runs_.emplace_back(place_.layout, std::string(), place_.label, line.number);
  RunBuilder& run = label_at == nullptr ? runs_.front() : run_labelled(line, label, label_at);
  if (!times_.as_read()) sample_[0] = times_.time_of(sample_[0], run.samples());
  check_row(line, run);
  return run;
}

void FileReader::read() {
  Line line;
  sample_.resize(1 + place_.layout.channels.size() + place_.layout.inputs.size());
  while (lines_.next(line)) read_row(line).append(sample_.data());
  if (runs_.empty())
    throw Error("no data row after the header", "the file needs at least two rows of numbers",
                Location{lines_.name(), lines_.lines(), 0});
  times_.finish(runs_, place_.reading);
  std::vector<std::string> missing;
  for (const auto& word : words_)
    if (word != "\x1f") missing.push_back(quote(word));
  if (!missing.empty())
    place_.reading.assumptions.push_back(fmt::format("{} {} a missing sample",
                                                     fmt::join(missing, ", "),
                                                     missing.size() == 1 ? "is" : "are each"));
  if (missing.size() < words_.size())
    place_.reading.assumptions.emplace_back(survey_.point == ','
                                                ? "points group digits, as in 1.234,5"
                                                : "commas group digits, as in 1,234.5");
  // Exact for a single file, geometric growth for many.
  auto& runs = place_.runs;
  if (const std::size_t total = runs.size() + runs_.size(); total > runs.capacity())
    runs.reserve(std::max(total, 2 * runs.capacity()));
  for (; !runs_.empty(); runs_.pop_front()) runs.push_back(runs_.front().finish(lines_.name()));
}

/// Throws Error for a zero byte, which no text holds.
void refuse_zeros(std::string_view text, const std::string& name) {
  const std::size_t zero = text.find('\0');
  if (zero == text.npos) return;
  const std::string_view before = text.substr(0, zero);
  const auto line = static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n')) + 1;
  const std::size_t newline = before.rfind('\n');
  throw Error("a zero byte: this is no text file", "export the data as CSV text, encoded in UTF-8",
              Location{name, line, zero - (newline == before.npos ? 0 : newline + 1) + 1});
}

/// Looks at as much of the file as it takes to know its first rows.
TextSurvey survey_file(InputFile& file, const ReadOptions& options) {
  constexpr std::size_t enough_lines = 8, enough_for_dates = std::size_t{1} << 24;
  for (std::size_t bytes = kSurveyBytes;; bytes *= 4) {
    const std::string_view text = file.peek(bytes);
    const bool whole = text.size() < bytes, is_last = whole || bytes >= kMostSurveyBytes;
    refuse_zeros(text, file.name());
    const auto lines = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
    if (!is_last && lines < enough_lines) continue;
    if (std::all_of(text.begin(), text.end(), [](char c) { return c == ' ' || c == '\n'; }) &&
        !is_last)
      continue;
    TextSurvey survey = survey_text(text, whole, options);
    const bool is_settled =
        bytes >= enough_for_dates || !options.date_order.empty() || !needs_more_dates(survey);
    if (is_last || is_settled) return survey;
  }
}

/// What the survey found, as users are told.
void describe(const TextSurvey& survey, const ReadOptions& options, FileReading& reading) {
  reading.format = "text";
  reading.separator = separator_name(survey.separator);
  reading.decimal_comma = survey.point == ',';
  reading.header_line = options.columns.empty() ? survey.header_line : 0;
  reading.units_line = survey.units_line;
  const std::size_t begin = survey.header_line > 0 ? survey.header_line : survey.first_row;
  const bool is_marked = survey.header_line > 0 && survey.header_begin > 0;
  reading.preamble_lines =
      survey.first_line > 0 && survey.first_line < begin && !is_marked ? begin - 1 : 0;
  auto& assumed = reading.assumptions;
  if (!reading.compression.empty()) assumed.push_back("packed by " + reading.compression);
  if (reading.encoding != "UTF-8") assumed.push_back(reading.encoding + " text");
  if (survey.separator == ' ') assumed.emplace_back("blanks separate columns");
  if (reading.preamble_lines > 0)
    assumed.push_back(fmt::format("the table starts at line {}", begin));
  if (survey.header_begin > 0 && options.columns.empty())
    assumed.push_back(fmt::format("line {} names the columns", survey.header_line));
  if (survey.units_line > 0)
    assumed.push_back(fmt::format("line {} holds units", survey.units_line));
  if (survey.found_comma) assumed.emplace_back("numbers are written 0,5");
}

}  // namespace

void read_csv_file(InputFile file, std::size_t block_bytes, const ReadOptions& options,
                   const FilePlace& place) {
  place.reading.encoding = file.decode_text();
  const TextSurvey survey = survey_file(file, options);
  if (survey.first_line == 0 && survey.columns.empty()) {
    const bool is_empty = file.peek(1).empty();
    throw Error(is_empty ? "the file is empty" : "no header: only comments or blank lines",
                "the first row names the columns, such as t,x1,x2", Location{file.name(), 0, 0});
  }
  describe(survey, options, place.reading);
  FileReader reader(std::move(file), survey, block_bytes, options, place);
  reader.read();
}

}  // namespace lgn::csv_internal
