#pragma once

#include <string>
#include <string_view>

#include "lgn/core/error.h"
#include "lgn/data/arrays/array_file.h"
#include "lgn/data/arrays/arrays_dataset.h"
#include "lgn/data/csv/csv.h"

namespace lgn::fuzz {

/// Reads bytes that may be anything as a file of the format, up to a dataset; an Error is as good as
/// data.
inline void read_arrays(std::string_view bytes, ArrayFormat format) {
  try {
    dataset_of(decode_arrays(bytes, format));
  } catch (const Error&) {
  }
}

/// The same for a file that is read as CSV, whatever it holds.
inline void read_text(const std::string& path) {
  try {
    read_csv({path});
  } catch (const Error&) {
  }
}

}  // namespace lgn::fuzz
