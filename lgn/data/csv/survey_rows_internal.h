#pragma once

// The lines of a text as a survey sees them, and what rows of a table say about its columns; private to the survey.

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "lgn/data/csv/survey_cells_internal.h"
#include "lgn/data/csv/text_survey_internal.h"

namespace lgn::csv_internal {

/// One line that is not blank.
struct SurveyLine {
  std::size_t number = 0;
  std::string_view text;   ///< without the marks of a comment and blanks around it
  std::string_view whole;  ///< as it stands in the file
  bool is_comment = false;
};

/// The lines of a text; a last one without its end may go on, and is left out unless there is nothing else or this is the whole.
std::vector<SurveyLine> lines_of(std::string_view text, bool whole);

/// Whether the cells of a row are units, in brackets or not, and at least one is there.
bool is_units_row(const std::vector<SurveyCell>& cells);

/// Fills in what the rows of a table say: its columns, how decimals are written, and how many rows were looked at. Takes the separator
/// that was found.
void survey_rows(std::span<const SurveyLine> lines, const ReadOptions& options, TextSurvey& found);

}  // namespace lgn::csv_internal
