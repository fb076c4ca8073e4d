#pragma once

// What the beginning of a text file tells about the whole of it; private to the reader of text files
// and its tests.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lgn/data/csv/time_stamp_internal.h"
#include "lgn/data/read_options.h"
#include "lgn/data/time_units_internal.h"

namespace lgn::csv_internal {

/// What the cells of a column look like.
struct ColumnSurvey {
  std::size_t numbers = 0, stamps = 0, words = 0;
  bool increases = true;  ///< strictly, as far as there are numbers
  bool counts = true;     ///< by one from row to row
  double resolution = 0;  ///< of numbers as written: 0.001 for 0.125; of stamps, in seconds
  std::optional<double> last = std::nullopt;
  std::string sample = {};  ///< a cell that is a stamp
  bool has_date = false;
  DateOrder evident = DateOrder::unknown;
  bool orders_differ = false;  ///< the order of day and month changes what the stamps mean

  bool is_stamps() const { return stamps > 0 && numbers == 0; }
};

/// How a text file is to be read.
struct TextSurvey {
  char separator = ',';  ///< a blank stands for any number of blanks and tabs
  char point = '.';
  bool found_comma = false;      ///< that decimals stand after a comma was found, not said
  bool has_points = false;       ///< decimals stand after a point
  bool has_groups = false;       ///< digits stand in groups, as in 1.234,5
  std::size_t first_row = 1;     ///< number of the line that the table starts with
  std::size_t first_line = 0;    ///< number of the first line that is neither blank nor a comment
  std::size_t header_line = 0;   ///< its number; 0: there is none
  std::string header;            ///< its text, as it stands in the file
  std::size_t header_begin = 0;  ///< where the names start in it, after a mark such as %
  char header_separator = ',';
  std::vector<std::string> header_names;  ///< where no separator alone makes names of it
  bool has_row_names = false;             ///< a first column that the header does not name
  std::size_t units_line = 0;
  std::vector<std::string> units;
  std::vector<ColumnSurvey> columns;  ///< as many as rows have cells, but for a last empty one
  std::size_t rows = 0;               ///< that were looked at
  std::optional<SampleClock> clock;   ///< that a preamble tells, in seconds
};

/// Looks at the first lines of a text; `whole` says that there are no others.
///
/// The separator is the one of tab, ; , and blanks that splits the most rows into as many cells, most
/// of them numbers or times; the header is the line above them whose words are as many, after a mark
/// of comments if it must be; what stands above is a preamble. Linear in the text.
TextSurvey survey_text(std::string_view text, bool whole, const ReadOptions& options);

/// Whether the rows leave open which of two dates a date is, so that more of the text should be seen.
bool needs_more_dates(const TextSurvey& survey);

/// "tab", "blanks", or the character.
std::string separator_name(char separator);

}  // namespace lgn::csv_internal
