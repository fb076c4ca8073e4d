#pragma once

// The header of an NPY array; not installed.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace lgn::array_internal {

struct NpyHeader {
  std::string type;  ///< as written: "<f8"; for records the whole list, from [
  bool fortran_order = false;
  std::vector<std::size_t> shape;
  std::size_t bytes = 0;  ///< the data follow after as many
};

/// Reads the header of versions 1, 2 and 3. Throws Error when it is cut off or is none.
NpyHeader read_npy_header(std::string_view file);

}  // namespace lgn::array_internal
