#include "lgn/data/csv/survey_rows_internal.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

#include "lgn/data/csv/csv_internal.h"
#include "lgn/data/csv/csv_number_internal.h"

namespace lgn::csv_internal {
namespace {

/// Units that instruments write under names, but for those of time, each between bars.
constexpr std::string_view kUnits =
    "|V|mV|kV|uV|Volt|Volts|A|mA|uA|kA|Ampere|Amps|W|kW|J|T|mT|Ohm|\xCE\xA9|dB"
    "|m|mm|cm|um|\xC2\xB5m|km|m/s|mm/s|cm/s|m/s2|m/s^2|m/s\xC2\xB2|g|kg"
    "|N|kN|mN|Nm|N m|N*m|Pa|kPa|MPa|hPa|bar|mbar|psi|l/s"
    "|C|K|F|degC|\xC2\xB0"
    "C|deg|\xC2\xB0|rad|rad/s|deg/s|\xC2\xB0/s|rpm|1/min|Hz|kHz|%|1|-|a.u.|";

bool is_unit(std::string_view text) {
  if (find_time_unit(text) && text != "d") return true;
  return text.find('|') == text.npos && kUnits.find("|" + std::string(text) + "|") != kUnits.npos;
}

double resolution_of(std::string_view number, char point) {
  const std::size_t exponent_at = std::min(number.find_first_of("eE"), number.size());
  const std::size_t point_at = number.substr(0, exponent_at).find(point);
  const double decimals =
      point_at == number.npos ? 0 : static_cast<double>(exponent_at - point_at - 1);
  double exponent = 0;
  if (exponent_at < number.size()) parse_number(number.substr(exponent_at + 1), '.', exponent);
  return std::pow(10.0, exponent - decimals);
}

void note_stamp(const SurveyCell& cell, ColumnSurvey& column, std::optional<TimeStamp>& first) {
  const auto stamp = parse_time_stamp(cell.text, DateOrder::unknown);
  if (!stamp) return;
  ++column.stamps;
  if (column.sample.empty()) column.sample = cell.text;
  column.has_date = column.has_date || stamp->has_date;
  const double resolution =
      stamp->has_clock ? std::pow(10.0, -static_cast<double>(stamp->decimals)) : 86400;
  if (column.resolution == 0 || resolution < column.resolution) column.resolution = resolution;
  if (stamp->evident != DateOrder::unknown) column.evident = stamp->evident;
  if (!first) first = stamp;
  // Within one day the order does not matter.
  const auto day = [](const TimeStamp& s) {
    return (s.seconds - ((s.seconds % 86400) + 86400) % 86400);
  };
  if (stamp->needs_order && stamp->has_date && day(*stamp) != day(*first))
    column.orders_differ = true;
}

/// The marks that a comment or a header may start with.
std::string_view without_mark(std::string_view text, bool& marked) {
  marked = is_comment_line(text);
  if (!marked) {
    // A quote that is closed nowhere is a mark, too.
    marked = text.starts_with('"') && std::count(text.begin(), text.end(), '"') == 1;
    return marked ? without_blanks(text.substr(1)) : text;
  }
  const std::size_t begin = std::min(text.find_first_not_of("#%/"), text.size());
  return without_blanks(text.substr(begin));
}

}  // namespace

std::vector<SurveyLine> lines_of(std::string_view text, bool whole) {
  std::vector<SurveyLine> lines;
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::size_t newline = text.find('\n');
    // A last line without its end may go on, unless there is nothing else to look at.
    if (newline == text.npos && !whole && !lines.empty()) return lines;
    std::string_view line = text.substr(0, newline);
    text.remove_prefix(newline == text.npos ? text.size() : newline + 1);
    if (line.ends_with('\r')) line.remove_suffix(1);
    const std::string_view inner = without_blanks(line);
    if (inner.empty()) continue;
    SurveyLine found{number, {}, line, false};
    found.text = without_mark(inner, found.is_comment);
    lines.push_back(found);
  }
  return lines;
}

bool is_units_row(const std::vector<SurveyCell>& cells) {
  std::size_t known = 0;
  for (const SurveyCell& cell : cells) {
    std::string_view text = cell.text;
    if (text.empty()) continue;
    const bool bracketed = text.size() > 2 && ((text.front() == '(' && text.back() == ')') ||
                                               (text.front() == '[' && text.back() == ']'));
    if (bracketed) text = without_blanks(text.substr(1, text.size() - 2));
    if (!is_unit(text) && !bracketed) return false;
    ++known;
  }
  return known > 0;
}

void survey_rows(std::span<const SurveyLine> lines, const ReadOptions& options, TextSurvey& found) {
  constexpr std::size_t most_rows = 20000;
  const std::size_t width = split(lines[0].text, found.separator).size();
  found.columns.resize(width);
  std::vector<std::optional<TimeStamp>> first(width);
  // Points that could group digits count as such where commas leave no doubt.
  std::size_t points = 0, grouping_points = 0;
  bool evident_commas = false;
  for (const SurveyLine& line : lines) {
    if (found.rows >= most_rows) break;
    if (line.is_comment) continue;
    const std::vector<SurveyCell> cells = split(line.text, found.separator);
    ++found.rows;
    // A single cell in quotes may be a slip; a row of them is how they were written.
    const bool is_evident =
        found.separator != ',' ||
        std::all_of(cells.begin(), cells.end(), [](const SurveyCell& cell) { return cell.quoted; });
    for (std::size_t c = 0; c < std::min(width, cells.size()); ++c) {
      ColumnSurvey& column = found.columns[c];
      const CellKind kind = kind_of(cells[c]);
      const bool by_comma =
          is_comma_decimal(cells[c], found.separator) ||
          (options.decimal_comma && kind == CellKind::comma_number && cells[c].quoted);
      if (kind == CellKind::stamp) {
        note_stamp(cells[c], column, first[c]);
      } else if (kind == CellKind::number || by_comma) {
        double value = 0;
        const char point = by_comma ? ',' : '.';
        const bool plain = parse_number(cells[c].text, point, value) == NumberKind::present;
        const bool has_point = cells[c].text.find('.') != cells[c].text.npos;
        ++column.numbers;
        evident_commas = evident_commas || (by_comma && is_evident);
        if (by_comma)
          found.has_groups = found.has_groups || has_point;
        else if (has_point && parse_grouped_number(cells[c].text, ',', value))
          ++grouping_points;
        else
          points += has_point;
        if (!plain) continue;
        if (column.last && !(value > *column.last)) column.increases = false;
        if (column.last && value != *column.last + 1) column.counts = false;
        column.last = value;
        const double resolution = resolution_of(cells[c].text, point);
        if (column.resolution == 0 || resolution < column.resolution)
          column.resolution = resolution;
      } else if (kind == CellKind::word) {
        ++column.words;
      }
    }
  }
  if (!found.has_groups) points += grouping_points;
  found.has_points = points > 0;
  found.found_comma = !options.decimal_comma && evident_commas && points == 0;
  if (found.found_comma) found.point = ',';
}

}  // namespace lgn::csv_internal
