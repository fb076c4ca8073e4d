#pragma once

#include <string>
#include <vector>

#include "lgn/data/dataset.h"
#include "lgn/data/read_options.h"
#include "lgn/data/reading.h"

namespace lgn {

/// Reads one or more text files ("-": standard input); several files are several runs of one system.
///
/// The format that lgn writes: a header row, a time column, one column per channel; an optional
/// column `trajectory` whose labels split rows into runs; `,` `;` or tab between cells, quotes
/// as in RFC 4180, comment lines that start with #, an optional byte-order mark, LF or CRLF line
/// ends; an empty cell, `nan` or `NA` is a missing sample. Files may order their columns
/// differently; names must agree.
///
/// What else is understood, and listed in `reading` as taken for granted: blanks between cells;
/// headers after %, #, // or ", or none; a preamble before the table, whose sample interval is used
/// where there is no time, or where the times agree with it to their rounding; a row of units; units in
/// the name of the time, which are applied; dates and clock times, which become seconds since the
/// first; decimal commas; numbers in groups (1,234.5); -, --, #N/A, null, inf and their like as missing
/// samples; UTF-16 and Latin-1; files packed by gzip or zstd.
///
/// Rows of different runs may alternate. A run is labelled as in its `trajectory` column, else "1";
/// with several files, "file:label" and "file" (the name without its folder). Cells of columns that
/// are not kept may hold any text.
///
/// One pass in blocks; memory: the numbers read, plus one block. Throws Error with file, line and
/// column when the file is no such table, a cell is no finite number, a time or an input is
/// missing, times do not increase within a run, a run has one sample, or files do not have the same
/// columns.
Dataset read_csv(const std::vector<std::string>& paths, const ReadOptions& options = {},
                 Reading* reading = nullptr);

/// The times of a text file with one run; other columns are allowed and ignored.
Vector read_times(const std::string& path, const ReadOptions& options = {});

/// The data as CSV text that `read_csv` reads back to the same numbers (shortest form that
/// round-trips). A column `trajectory` is written when there is more than one run; labels that
/// repeat get " (2)", … so that runs stay apart. "-": standard output. Throws Error when a channel
/// is named t or trajectory, a name is no UTF-8 text, or the file cannot be written.
void write_csv(const Dataset& data, const std::string& path);

}  // namespace lgn
