#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lgn {

/// Numbers in row-major order (the last index runs fastest), whatever their order and type in a
/// file. No shape is a single number.
struct NumberArray {
  std::vector<std::size_t> shape;
  std::vector<double> values;
};

/// What a file of named arrays holds. What stands in groups is named by its path: grp/x in HDF5, s.x
/// for the field of a MATLAB struct.
struct ArrayFile {
  std::map<std::string, NumberArray> numbers;
  std::map<std::string, std::vector<std::string>> texts;
  /// Names that were not read, and what stands there: "a link", "complex numbers".
  std::map<std::string, std::string> unread;
  /// The file is MATLAB's, where the last index may count the runs.
  bool is_matlab = false;
};

/// mat5 are MAT files of versions 5 to 7, compressed or not; mat73 those of version 7.3, which are
/// HDF5 inside. An npy file is one array, whose name is empty here.
enum class ArrayFormat { npy, npz, mat5, mat73, hdf5 };

/// As many first bytes of a file tell its format.
inline constexpr std::size_t kFormatBytes = 128;

/// The format that these first bytes announce; none for text and for what is not known.
std::optional<ArrayFormat> find_array_format(std::string_view first_bytes);

/// Throws Error for a MAT file of version 4, which is not read: its first bytes are an array's sizes.
void refuse_mat4(std::string_view first_bytes);

/// "NPZ", "MAT v7.3", …
const char* format_name(ArrayFormat format);

/// Whether this build reads and writes the format: HDF5 and MAT v7.3 need the HDF5 library.
bool is_available(ArrayFormat format);

/// Which names are read; without one, all.
using WantedNames = std::function<bool(const std::string&)>;

/// Reads a whole file from memory: real numbers of every size and byte order, logical values, and
/// lists of text (`<U` and `S` arrays; cells of char and char matrices; HDF5 strings). Other names
/// become `unread`.
///
/// Throws Error when the bytes are not of that format, are cut off, contradict themselves, would
/// unpack to more than 1 GiB and 100 times their size, or when a wanted array cannot be told.
/// HDF5 is decoded in a process of its own, so that a hostile file which stops that library does
/// not stop the caller; links to other files are not followed.
ArrayFile decode_arrays(std::string_view bytes, ArrayFormat format, const WantedNames& wanted = {});

/// The file as bytes: numbers as doubles, text as UTF-8, or in the format's own encoding of
/// Unicode; what is not UTF-8 becomes U+FFFD. Throws Error where the format cannot hold the arrays.
std::string encode_arrays(const ArrayFile& arrays, ArrayFormat format);

}  // namespace lgn
