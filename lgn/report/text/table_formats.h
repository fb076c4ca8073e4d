#pragma once

#include <string>

#include "lgn/report/text/tables.h"

namespace lgn {

/// A way to write a table.
enum class TableFormat {
  text,      ///< columns for the terminal
  csv,       ///< numbers with all their digits, for programs
  markdown,  ///< a table of Markdown, for a web page or an issue
  latex      ///< a floating table of LaTeX with a caption, for a paper; needs no package
};

/// The format of that name: text, csv, markdown or latex. Throws Error for another name.
TableFormat find_table_format(const std::string& name);

/// Text as it is, in Markdown and in LaTeX: what has a meaning there is escaped.
std::string markdown_text(const std::string& text);
std::string latex_text(const std::string& text);
/// A cell such as "0.11218 ± 0.00037" or "-0.05 ± 1.2i" as mathematics of LaTeX; a dash stays one.
std::string latex_number(const std::string& cell);

/// The table in Markdown; its cells are Markdown already.
std::string markdown_table(const Table& table);
/// The same in LaTeX, as are its cells and the caption; `columns` are their alignments, such as "llr".
std::string latex_table(const Table& table, const std::string& columns, const std::string& caption);

}  // namespace lgn
