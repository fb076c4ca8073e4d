#include "lgn/data/csv/text_survey_internal.h"

#include <algorithm>
#include <array>
#include <span>

#include "lgn/data/csv/csv_internal.h"
#include "lgn/data/csv/survey_rows_internal.h"

namespace lgn::csv_internal {
namespace {

constexpr std::array<char, 4> kSeparators = {'\t', ';', ',', ' '};

/// Neighbouring lines with as many cells, each with a value.
struct Stretch {
  std::size_t begin = 0, end = 0, width = 0;
  double score = 0;
};

class Survey {
 public:
  Survey(std::string_view text, bool whole, const ReadOptions& options)
      : options_(options), lines_(lines_of(text, whole)) {
    commas_separate_ = !options.decimal_comma || has_quoted_decimals();
  }

  TextSurvey result() {
    if (!plain_table()) find_table();
    if (found_.header_line > 0) check_units();
    if (!options_.columns.empty()) drop_header();
    found_.point = options_.decimal_comma ? ',' : '.';
    if (first_ != kNone) survey_rows(std::span(lines_).subspan(first_), options_, found_);
    find_clock();
    return std::move(found_);
  }

 private:
  bool has_quoted_decimals() const;
  bool plain_table();
  void find_table();
  void check_units();
  void drop_header();
  void find_clock();

  char separator_of_header(std::string_view line) const;
  Stretch best_stretch(char separator) const;
  void trim(Stretch& stretch, char separator) const;
  bool find_header(std::size_t first, std::size_t width);
  bool header_with_separators(std::size_t index, std::size_t width, std::string_view separators);
  bool take_gapped_header(std::size_t index, std::size_t width);
  bool has_time_name(const std::vector<SurveyCell>& cells) const;
  void set_header(std::size_t index, char separator);
  std::size_t before(std::size_t index) const { return index == 0 ? kNone : index - 1; }
  std::size_t next_plain(std::size_t index) const {
    while (index < lines_.size() && lines_[index].is_comment) ++index;
    return index;
  }

  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  const ReadOptions& options_;
  std::vector<SurveyLine> lines_;
  std::size_t header_ = kNone, first_ = kNone;  ///< places in lines_
  bool commas_separate_ = true;
  TextSurvey found_;
};

/// Whether first lines hold "0,5","1,2": then a comma separates though it is the decimal point, too.
bool Survey::has_quoted_decimals() const {
  constexpr std::size_t most = 1000;
  for (std::size_t k = 0; k < std::min(most, lines_.size()); ++k) {
    const auto cells = split(lines_[k].text, ',');
    if (cells.size() > 1 && std::any_of(cells.begin(), cells.end(), [](const SurveyCell& cell) {
          return cell.quoted && kind_of(cell) == CellKind::comma_number;
        }))
      return true;
  }
  return false;
}

/// The most frequent of tab, ; and , outside quotes. A tie goes to the one that names hold least
/// often.
char Survey::separator_of_header(std::string_view line) const {
  constexpr std::array<char, 3> candidates = {'\t', ';', ','};
  std::array<std::size_t, 3> counts = {};
  bool quoted = false;
  for (const char c : line) {
    if (c == '"') quoted = !quoted;
    if (quoted) continue;
    for (std::size_t k = 0; k < candidates.size(); ++k) counts[k] += c == candidates[k];
  }
  if (!commas_separate_) counts[2] = 0;
  const auto most = std::max_element(counts.begin(), counts.end());
  if (*most == 0) return commas_separate_ ? ',' : ';';
  return candidates[static_cast<std::size_t>(most - counts.begin())];
}

bool Survey::has_time_name(const std::vector<SurveyCell>& cells) const {
  return std::any_of(cells.begin(), cells.end(), [&](const SurveyCell& cell) {
    return is_time_name(split_unit(cell.text).name) || cell.text == "trajectory" ||
           (!options_.time.empty() && cell.text == options_.time);
  });
}

void Survey::set_header(std::size_t index, char separator) {
  header_ = index;
  const SurveyLine& line = lines_[index];
  found_.header_line = line.number;
  found_.header = line.whole;
  found_.header_separator = separator;
  found_.header_begin =
      line.is_comment ? static_cast<std::size_t>(line.text.data() - line.whole.data()) : 0;
}

/// The usual case: names in the first line that is no comment, and rows from the next on.
bool Survey::plain_table() {
  const std::size_t header = next_plain(0);
  if (header == lines_.size()) return true;
  found_.first_line = lines_[header].number;
  const std::string_view line = lines_[header].text;
  const char separator = separator_of_header(lines_[header].whole);
  const std::vector<SurveyCell> names = split(line, separator);
  const std::size_t row = next_plain(header + 1);
  found_.separator = separator;
  if (row == lines_.size()) {
    const bool is_row = std::all_of(names.begin(), names.end(), [](const SurveyCell& cell) {
      return is_value(kind_of(cell)) || cell.text.empty();
    });
    if (is_row) return false;
    set_header(header, separator);
    found_.first_row = lines_[header].number + 1;
    return true;
  }
  const SplitLine first = count_cells(lines_[row].text, separator);
  if (first.cells != names.size() || first.values == 0) return false;
  std::size_t named = 0;
  for (const SurveyCell& name : names) named += kind_of(name) == CellKind::word;
  const bool is_table = (named == names.size() && first.words == 0) ||
                        (named > 0 && has_time_name(names)) ||
                        (2 * named > names.size() && first.words == 0);
  if (!is_table || (separator == ',' && names.size() == 1 && first.cells == 1 && first.words > 0))
    return false;
  set_header(header, separator);
  first_ = row;
  found_.first_row = lines_[row].number;
  return true;
}

Stretch Survey::best_stretch(char separator) const {
  Stretch best, now;
  for (std::size_t k = 0; k < lines_.size(); ++k) {
    if (lines_[k].is_comment) continue;
    const SplitLine line = count_cells(lines_[k].text, separator);
    const double part = static_cast<double>(line.values) /
                        static_cast<double>(std::max<std::size_t>(line.cells, 1));
    if (line.values == 0 || line.cells != now.width) now = {k, k, line.cells, 0};
    if (line.values == 0) continue;
    now.end = k + 1;
    now.score += part;
    if (now.score > best.score) best = now;
  }
  return best;
}

/// Leaves out first lines with words where the others have numbers.
void Survey::trim(Stretch& stretch, char separator) const {
  const auto kinds_at = [&](std::size_t index) {
    std::vector<CellKind> kinds;
    for (const SurveyCell& cell : split(lines_[index].text, separator))
      kinds.push_back(kind_of(cell));
    kinds.resize(stretch.width, CellKind::empty);
    return kinds;
  };
  constexpr std::size_t most = 1000;
  const std::vector<CellKind> last = kinds_at(stretch.end - 1);
  std::size_t begin = stretch.begin, looked_at = 0;
  for (std::size_t k = stretch.begin; k + 1 < stretch.end && looked_at < most; ++k, ++looked_at) {
    if (lines_[k].is_comment) continue;
    const std::vector<CellKind> kinds = kinds_at(k);
    bool odd = false;
    for (std::size_t c = 0; c < kinds.size(); ++c)
      odd = odd || (kinds[c] == CellKind::word && is_value(last[c]));
    if (!odd) break;
    begin = k + 1;
  }
  stretch.begin = next_plain(begin);
}

void Survey::find_table() {
  char best_separator = ',';
  Stretch best;
  for (const char separator : kSeparators) {
    if (separator == ',' && !commas_separate_) continue;
    const Stretch stretch = best_stretch(separator);
    const bool is_wide = stretch.width > 1, best_is_wide = best.width > 1;
    if (stretch.score == 0 || (best_is_wide && !is_wide)) continue;
    if (stretch.score > best.score || (is_wide && !best_is_wide)) {
      best = stretch;
      best_separator = separator;
    }
  }
  const std::size_t plain = next_plain(0);
  if (best.score == 0) {
    // No row at all: what stands first is the header, and the rows will be complained about.
    set_header(plain, found_.separator);
    found_.first_row = lines_[plain].number + 1;
    return;
  }
  const std::size_t untrimmed = best.begin;
  trim(best, best_separator);
  // Names and rows that are split differently: what the names say counts, so that the rows are wrong.
  if (untrimmed == next_plain(plain + 1) && found_.separator != best_separator) {
    const auto names = split(lines_[plain].text, found_.separator);
    if (names.size() > 1 && split(lines_[plain].text, best_separator).size() != best.width &&
        has_time_name(names)) {
      set_header(plain, found_.separator);
      found_.first_row = lines_[untrimmed].number;
      first_ = untrimmed;
      return;
    }
  }
  found_.separator = best_separator;
  // Names in the first line of all are those of the table, whatever follows them.
  const auto top = split(lines_[plain].text, best_separator);
  const auto is_word = [](const SurveyCell& cell) { return kind_of(cell) == CellKind::word; };
  if (plain < best.begin && top.size() == best.width && has_time_name(top) &&
      std::all_of(top.begin(), top.end(), is_word)) {
    set_header(plain, best_separator);
    first_ = next_plain(plain + 1);
    const bool is_units = is_units_row(split(lines_[first_].text, best_separator));
    if (is_units && first_ < best.begin) first_ = next_plain(first_ + 1);
    found_.first_row = lines_[first_].number;
    return;
  }
  first_ = best.begin;
  found_.first_row = lines_[first_].number;
  find_header(first_, best.width);
}

/// A line of names above the table; comments may hold it.
bool Survey::find_header(std::size_t first, std::size_t width) {
  std::size_t near = before(first);
  if (near == kNone) return false;
  if (!lines_[near].is_comment) {
    const std::vector<SurveyCell> cells = split(lines_[near].text, found_.separator);
    const SplitLine counted = count_cells(lines_[near].text, found_.separator);
    // Rows of blanks may have names between commas.
    if (found_.separator == ' ' && header_with_separators(near, width, "\t;,")) return true;
    if (found_.separator == ' ' && cells.size() != width && take_gapped_header(near, width))
      return true;
    const bool names = counted.words > counted.values || has_time_name(cells);
    if (names && cells.size() + 1 == width &&
        split(lines_[first].text, found_.separator)[0].quoted) {
      set_header(near, found_.separator);
      return found_.has_row_names = true;
    }
    if (names && (cells.size() == width || has_time_name(cells))) {
      set_header(near, found_.separator);
      return true;
    }
    return false;
  }
  if (found_.separator == ' ' && split(lines_[near].text, ' ').size() > width &&
      take_gapped_header(near, width))
    return true;
  // The nearest comment that names a time, else the nearest with as many words as there are columns.
  std::size_t fitting = kNone;
  for (std::size_t k = near;; --k) {
    if (!lines_[k].is_comment) break;
    if (header_with_separators(k, width, "\t;, ")) {
      const bool timed = has_time_name(split(lines_[k].text, found_.header_separator));
      if (fitting == kNone || timed) fitting = k;
      if (timed) break;
    }
    if (k == 0) break;
  }
  found_.header_line = 0;
  header_ = kNone;
  return fitting != kNone && header_with_separators(fitting, width, "\t;, ");
}

/// Takes the line for the header where one of these separators makes as many names of it.
bool Survey::header_with_separators(std::size_t index, std::size_t width,
                                    std::string_view separators) {
  for (const char separator : separators) {
    const std::vector<SurveyCell> cells = split(lines_[index].text, separator);
    if (cells.size() != width) continue;
    const auto is_name = [](const SurveyCell& cell) { return kind_of(cell) == CellKind::word; };
    if (!std::all_of(cells.begin(), cells.end(), is_name)) continue;
    set_header(index, separator);
    return true;
  }
  return false;
}

bool Survey::take_gapped_header(std::size_t index, std::size_t width) {
  std::vector<std::string> names = names_with_blanks(lines_[index].text, width);
  const auto is_name = [](const std::string& name) {
    return kind_of({name, false}) == CellKind::word;
  };
  if (names.empty() || !std::all_of(names.begin(), names.end(), is_name)) return false;
  set_header(index, ' ');
  found_.header_names = std::move(names);
  return true;
}

/// The line under the names may hold units instead of numbers; then the table starts below it.
void Survey::check_units() {
  const std::size_t width = split(lines_[header_].text, found_.header_separator).size();
  const auto cells_of = [&](std::size_t index) {
    return split(lines_[index].text,
                 lines_[index].is_comment ? found_.header_separator : found_.separator);
  };
  const auto take = [&](std::size_t index, const std::vector<SurveyCell>& cells) {
    found_.units_line = lines_[index].number;
    found_.units.clear();
    for (const SurveyCell& cell : cells) {
      std::string_view text = cell.text;
      if (text.size() > 2 && (text.front() == '(' || text.front() == '['))
        text = without_blanks(text.substr(1, text.size() - 2));
      found_.units.emplace_back(text);
    }
  };
  // What was taken for the header may be the units, with the names above.
  if (header_ > 0) {
    const auto here = cells_of(header_), above = cells_of(header_ - 1);
    if (above.size() == here.size() && is_units_row(here) && !is_units_row(above) &&
        lines_[header_ - 1].is_comment == lines_[header_].is_comment &&
        !clock_in_line(lines_[header_ - 1].text)) {
      take(header_, here);
      set_header(header_ - 1, found_.header_separator);
      return;
    }
  }
  const std::size_t below = header_ + 1;
  if (below < lines_.size() && below < first_) {
    const auto cells = cells_of(below);
    if (cells.size() == width && is_units_row(cells)) take(below, cells);
  }
}

/// Names that were given stand in place of the header.
void Survey::drop_header() {
  if (found_.header_line > 0 && first_ == kNone) found_.first_row = found_.header_line + 1;
}

void Survey::find_clock() {
  const std::size_t end = header_ != kNone ? std::min(header_, first_) : first_;
  for (std::size_t k = 0; k < lines_.size() && k < end; ++k) {
    if (const auto clock = clock_in_line(lines_[k].text)) found_.clock = clock;
    if (k + 1 >= std::min(end, lines_.size())) continue;
    // Names in one line, and their values under them in the next.
    const auto names = split(lines_[k].text, found_.separator),
               values = split(lines_[k + 1].text, found_.separator);
    for (std::size_t c = 1; c < std::min(names.size(), values.size()); ++c)
      if (kind_of(names[c]) == CellKind::word && kind_of(values[c]) == CellKind::number)
        if (const auto clock =
                clock_in_line(std::string(names[c].text) + "=" + std::string(values[c].text)))
          found_.clock = clock;
  }
}

}  // namespace

TextSurvey survey_text(std::string_view text, bool whole, const ReadOptions& options) {
  return Survey(text, whole, options).result();
}

bool needs_more_dates(const TextSurvey& survey) {
  return std::any_of(survey.columns.begin(), survey.columns.end(), [](const ColumnSurvey& column) {
    return column.is_stamps() && column.has_date && column.evident == DateOrder::unknown;
  });
}

std::string separator_name(char separator) {
  if (separator == '\t') return "tab";
  if (separator == ' ') return "blanks";
  return std::string(1, separator);
}

}  // namespace lgn::csv_internal
