#pragma once

// Which named columns are channels and which are inputs, in files without a header row; not
// installed.

#include <string>
#include <vector>

#include "lgn/data/csv/csv_internal.h"

namespace lgn::array_internal {

/// For each channel and each input of the layout, the column that holds it.
struct ColumnChoice {
  std::vector<std::size_t> channels, inputs;
};

/// Chooses among columns: `measured` comes first, then `driven`, which are inputs unless the
/// options say otherwise. Settles `layout` if it is empty. Throws Error when names repeat, are
/// empty, are missing, or are not those of the layout.
ColumnChoice choose_columns(const std::vector<std::string>& measured,
                            const std::vector<std::string>& driven, const ReadOptions& options,
                            const std::string& file, csv_internal::Layout& layout);

/// The columns of a table in the order of the layout, which is settled if it is empty. Throws Error
/// when names are not those of the layout.
ColumnChoice agree_on(const csv_internal::ColumnRoles& roles, const std::string& file,
                      csv_internal::Layout& layout);

}  // namespace lgn::array_internal
