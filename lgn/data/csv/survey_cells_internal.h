#pragma once

// The cells of a line of text as a survey sees them, before anything is settled; not installed.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace lgn::csv_internal {

inline bool is_blank(char c) { return c == ' ' || c == '\t'; }

struct SurveyCell {
  std::string_view text;
  bool quoted = false;
};

/// Splits without complaint; quotes that are not closed last to the end. A last cell that is empty
/// belongs to a separator that ends the line.
std::vector<SurveyCell> split(std::string_view line, char separator);

/// Names between blanks that hold some themselves: units in brackets belong to the word before, or two
/// blanks separate. Empty where neither makes as many as there are columns.
std::vector<std::string> names_with_blanks(std::string_view line, std::size_t width);

enum class CellKind : unsigned char { empty, number, comma_number, stamp, word };

/// What a cell could be, whatever its column.
CellKind kind_of(const SurveyCell& cell);
/// Whether a cell of that kind holds a number or a time.
bool is_value(CellKind kind);

/// What one separator makes of one line.
struct SplitLine {
  std::size_t cells = 0, values = 0, words = 0;
};

/// Counts the cells of a line and what they hold.
SplitLine count_cells(std::string_view line, char separator);

/// Whether decimals stand after a comma: between commas only in quotes, where 1,234 is a number in
/// groups and 0,5 is not.
bool is_comma_decimal(const SurveyCell& cell, char separator);

}  // namespace lgn::csv_internal
