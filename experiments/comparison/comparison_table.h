#pragma once

#include <string>

#include "experiments/comparison/comparison.h"
#include "lgn/report/text/table_formats.h"

namespace lgn::studies {

/// The comparison as a table, a row per method in the order in which they were asked for. An arrow
/// marks the best, bold type in Markdown and LaTeX, whose captions say what the numbers rest on and
/// what is to be said about single methods. In CSV numbers read back to the same bits, and what
/// does not exist is empty.
std::string comparison_in(TableFormat format, const Comparison& comparison);

/// The same as JSON (schema lgn-comparison/1); what does not exist is null.
std::string comparison_json(const Comparison& comparison);

}  // namespace lgn::studies
