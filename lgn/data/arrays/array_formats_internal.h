#pragma once

// One reader and one writer for each format of arrays; not installed.

#include <string>
#include <string_view>

#include "lgn/data/arrays/array_file.h"

namespace lgn::array_internal {

/// Puts one NPY array under `name`, wherever it belongs.
void decode_npy(std::string_view bytes, const std::string& name, ArrayFile& into);
std::string encode_npy(const NumberArray& array);
std::string encode_npy(const std::vector<std::string>& texts);

ArrayFile decode_npz(std::string_view bytes, const WantedNames& wanted);
std::string encode_npz(const ArrayFile& arrays);

ArrayFile decode_mat5(std::string_view bytes, const WantedNames& wanted);
std::string encode_mat5(const ArrayFile& arrays);

/// `is_matlab`: MAT v7.3, with its order of dimensions and its marks for text.
ArrayFile decode_hdf5(std::string_view bytes, bool is_matlab, const WantedNames& wanted);
std::string encode_hdf5(const ArrayFile& arrays, bool is_matlab);

}  // namespace lgn::array_internal
