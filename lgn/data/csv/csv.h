#pragma once

#include <string>
#include <vector>

#include "lgn/core/setting.h"
#include "lgn/data/dataset.h"

namespace lgn {

/// How to read a CSV file; the defaults read what `write_csv` writes.
struct CsvOptions {
  /// Name of the time column; empty: `t` or `time`, in any case.
  std::string time = {};
  /// Columns that are inputs. Without a value: columns named u, u1, u2, …; {"none"}: no column is.
  std::vector<std::string> inputs = {};
  /// Measured channels to keep, in this order; empty: all.
  std::vector<std::string> channels = {};
  /// Who named them, for messages.
  std::string channels_from = setting("channels");
  /// Numbers are written 0,5 (only with ; or tab between cells).
  bool decimal_comma = false;
  /// Only the times matter: the file needs no channel.
  bool times_only = false;
};

/// Reads one or more CSV files ("-": standard input); several files are several runs of one system.
///
/// The format: a header row, a time column, one column per channel; an optional column `trajectory`
/// whose labels split rows into runs; `,` `;` or tab between cells (found from the header), quotes
/// as in RFC 4180, comment lines that start with #, an optional byte-order mark, LF or CRLF line
/// ends; an empty cell, `nan` or `NA` is a missing sample. Files may order their columns
/// differently; names must agree.
///
/// Rows of different runs may alternate. A run is labelled as in its `trajectory` column, else "1";
/// with several files, "file:label" and "file" (the name without its folder). Cells of columns that
/// are not kept may hold any text.
///
/// One pass in blocks; memory: the numbers read, plus one block. Throws Error with file, line and
/// column when the file is no such table, a cell is no finite number, a time or an input is
/// missing, times do not increase within a run, a run has one sample, or files do not have the same
/// columns.
Dataset read_csv(const std::vector<std::string>& paths, const CsvOptions& options = {});

/// The times of a CSV file with one run; other columns are allowed and ignored.
Vector read_times(const std::string& path, const CsvOptions& options = {});

/// The data as CSV text that `read_csv` reads back to the same numbers (shortest form that
/// round-trips). A column `trajectory` is written when there is more than one run; labels that
/// repeat get " (2)", … so that runs stay apart. "-": standard output. Throws Error when a channel
/// is named t or trajectory, a name is no UTF-8 text, or the file cannot be written.
void write_csv(const Dataset& data, const std::string& path);

}  // namespace lgn
