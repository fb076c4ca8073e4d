#pragma once

#include <string>

#include "lgn/model/model.h"
#include "lgn/report/text/table_formats.h"

namespace lgn {

/// The modes of a model, conjugate pairs in one row with Im λ ≥ 0.
///
/// Markdown and LaTeX have the cells of the terminal's table: every value to the digits that its
/// standard error allows. Their caption says what a reader needs to trust or repeat it: structure,
/// method, amount of data, noise, version and checksum of the data. CSV has one line per row with
/// the names of the model file, `se_` before a name for its standard error; what is not known is
/// empty, and numbers read back to the same bits.
std::string modes_in(TableFormat format, const Model& model);

}  // namespace lgn
