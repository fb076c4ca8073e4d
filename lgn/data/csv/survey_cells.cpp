#include <algorithm>

#include "lgn/data/csv/csv_internal.h"
#include "lgn/data/csv/csv_number_internal.h"
#include "lgn/data/csv/survey_cells_internal.h"
#include "lgn/data/csv/text_survey_internal.h"

namespace lgn::csv_internal {
namespace {

/// 12,5 and -0,5e3 and 1.012,5: decimals after a comma, digits on both sides of it.
bool is_comma_number(std::string_view text) {
  const std::size_t comma = text.find(',');
  if (comma == text.npos || comma + 1 >= text.size() || !is_digit(text[comma + 1])) return false;
  double value = 0;
  return parse_number(text, ',', value) == NumberKind::present ||
         parse_grouped_number(text, ',', value);
}

}  // namespace

std::vector<SurveyCell> split(std::string_view line, char separator) {
  std::vector<SurveyCell> cells;
  const bool by_blanks = separator == ' ';
  const auto ends = [&](char c) { return by_blanks ? is_blank(c) : c == separator; };
  line = separator == '\t' ? line : without_blanks(line);
  std::size_t at = 0;
  for (;;) {
    while (at < line.size() && is_blank(line[at]) && (by_blanks || line[at] != separator)) ++at;
    const bool quoted = at < line.size() && line[at] == '"';
    std::size_t end = at;
    bool open = false;
    for (; end < line.size() && (open || !ends(line[end])); ++end)
      if (quoted && line[end] == '"') open = !open;
    std::string_view text = without_blanks(line.substr(at, end - at));
    if (quoted && text.size() > 1 && text.back() == '"') text = text.substr(1, text.size() - 2);
    cells.push_back({text, quoted});
    if (end >= line.size()) break;
    at = end + 1;
  }
  if (cells.size() > 1 && cells.back().text.empty() && !cells.back().quoted) cells.pop_back();
  return cells;
}

std::vector<std::string> names_with_blanks(std::string_view line, std::size_t width) {
  std::vector<std::string> names;
  for (const SurveyCell& cell : split(line, ' ')) {
    const bool is_unit = !names.empty() && !cell.quoted && !cell.text.empty() &&
                         (cell.text.front() == '(' || cell.text.front() == '[');
    if (is_unit)
      names.back() += " " + std::string(cell.text);
    else
      names.emplace_back(cell.text);
  }
  if (names.size() == width) return names;
  names.clear();
  for (line = without_blanks(line); !line.empty(); line = without_blanks(line)) {
    const std::size_t end = std::min({line.find("  "), line.find('\t'), line.size()});
    names.emplace_back(without_blanks(line.substr(0, end)));
    line.remove_prefix(end);
  }
  return names.size() == width ? names : std::vector<std::string>();
}

CellKind kind_of(const SurveyCell& cell) {
  double value = 0;
  switch (parse_number(cell.text, '.', value)) {
    case NumberKind::present:
    case NumberKind::out_of_range:
      return CellKind::number;
    case NumberKind::missing:
    case NumberKind::infinite:
      return CellKind::empty;
    case NumberKind::malformed:
      break;
  }
  if (is_comma_number(cell.text)) return CellKind::comma_number;
  if (parse_grouped_number(cell.text, '.', value)) return CellKind::number;
  if (parse_time_stamp(cell.text, DateOrder::unknown)) return CellKind::stamp;
  return CellKind::word;
}

bool is_value(CellKind kind) {
  return kind == CellKind::number || kind == CellKind::comma_number || kind == CellKind::stamp;
}

bool is_comma_decimal(const SurveyCell& cell, char separator) {
  if (kind_of(cell) != CellKind::comma_number) return false;
  double value = 0;
  return separator != ',' || (cell.quoted && !parse_grouped_number(cell.text, '.', value));
}

SplitLine count_cells(std::string_view line, char separator) {
  SplitLine found;
  for (const SurveyCell& cell : split(line, separator)) {
    ++found.cells;
    const CellKind kind = kind_of(cell);
    found.values += is_value(kind);
    found.words += kind == CellKind::word;
  }
  return found;
}

}  // namespace lgn::csv_internal
