#pragma once

#include <string>

#include "lgn/report/model.h"

namespace lgn {

/// A way to write the modes of a model.
enum class ModesFormat {
  text,      ///< the table of the terminal, modes_table (tables.h)
  csv,       ///< numbers with all their digits, for programs
  markdown,  ///< a table of Markdown, for a web page or an issue
  latex      ///< a floating table of LaTeX with a caption, for a paper; needs no package
};

/// The format of that name: text, csv, markdown or latex. Throws Error for another name.
ModesFormat find_modes_format(const std::string& name);

/// The modes of a model, conjugate pairs in one row with Im λ ≥ 0.
///
/// Markdown and LaTeX have the cells of the terminal's table: every value to the digits that its
/// standard error allows. Their caption says what a reader needs to trust or repeat it: structure,
/// method, amount of data, noise, version and checksum of the data. CSV has one line per row with
/// the names of the model file, `se_` before a name for its standard error; what is not known is
/// empty, and numbers read back to the same bits.
std::string modes_in(ModesFormat format, const Model& model);

}  // namespace lgn
