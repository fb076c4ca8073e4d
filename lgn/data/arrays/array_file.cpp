#include "lgn/data/arrays/array_file.h"

#include <fmt/format.h>

#include <algorithm>

#include "lgn/core/error.h"
#include "lgn/data/arrays/array_bytes_internal.h"
#include "lgn/data/arrays/array_formats_internal.h"

namespace lgn {
namespace {

void check_available(ArrayFormat format) {
  if (!is_available(format))
    throw Error(fmt::format("this lgn was built without the HDF5 library, which {} files need",
                            format_name(format)),
                "install libhdf5-dev and build it again, or use NPZ or MAT v5 (save -v7) files");
}

}  // namespace

std::optional<ArrayFormat> find_array_format(std::string_view first_bytes) {
  const auto starts = [&](std::string_view magic) { return first_bytes.starts_with(magic); };
  if (starts("\x93NUMPY")) return ArrayFormat::npy;
  if (starts("PK\3\4") || starts("PK\5\6")) return ArrayFormat::npz;
  if (starts("\x89HDF\r\n\x1a\n")) return ArrayFormat::hdf5;
  if (starts("MATLAB 7.3 MAT-file")) return ArrayFormat::mat73;
  if (starts("MATLAB 5.0 MAT-file")) return ArrayFormat::mat5;
  // The text may be anyone's; the version and the mark of the byte order are not.
  if (first_bytes.size() >= kFormatBytes) {
    using namespace std::literals;
    const std::string_view mark = first_bytes.substr(kFormatBytes - 4, 4);
    if (mark == "\0\1IM"sv || mark == "\1\0MI"sv) return ArrayFormat::mat5;
    if (mark == "\0\2IM"sv || mark == "\2\0MI"sv) return ArrayFormat::mat73;
  }
  return std::nullopt;
}

void refuse_mat4(std::string_view first_bytes) {
  constexpr std::size_t header = 20;
  if (first_bytes.size() <= header) return;
  for (const bool big_endian : {false, true}) {
    const auto word = [&](std::size_t k) {
      return array_internal::load<std::uint32_t>(first_bytes.data() + 4 * k, big_endian);
    };
    // The digits of the first are the machine, 0, the type of numbers and the kind of matrix.
    const std::uint32_t digits = word(0), length = word(4);
    const bool is_type = digits / 1000 == (big_endian ? 1U : 0U) && digits / 100 % 10 == 0 &&
                         digits / 10 % 10 <= 5 && digits % 10 <= 2;
    if (!is_type || word(3) > 1 || length < 2 || length > 64) continue;
    const std::string_view name = first_bytes.substr(header, length - 1);
    const bool is_name = std::all_of(name.begin(), name.end(), [](char c) {
      return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    });
    if (!is_name || name.empty()) continue;
    throw Error(
        "a MAT file of version 4, which is not read",
        "load it and save it again, in MATLAB and Octave with save -v7, in Python with scipy.io.savemat");
  }
}

const char* format_name(ArrayFormat format) {
  switch (format) {
    case ArrayFormat::npy:
      return "NPY";
    case ArrayFormat::npz:
      return "NPZ";
    case ArrayFormat::mat5:
      return "MAT v5";
    case ArrayFormat::mat73:
      return "MAT v7.3";
    case ArrayFormat::hdf5:
      return "HDF5";
  }
  return "";
}

bool is_available([[maybe_unused]] ArrayFormat format) {
#ifdef LGN_WITH_HDF5
  return true;
#else
  return format != ArrayFormat::mat73 && format != ArrayFormat::hdf5;
#endif
}

ArrayFile decode_arrays(std::string_view bytes, ArrayFormat format, const WantedNames& wanted) {
  check_available(format);
  ArrayFile file;
  switch (format) {
    case ArrayFormat::npy:
      array_internal::decode_npy(bytes, "", file);
      break;
    case ArrayFormat::npz:
      file = array_internal::decode_npz(bytes, wanted);
      break;
    case ArrayFormat::mat5:
      file = array_internal::decode_mat5(bytes, wanted);
      break;
#ifdef LGN_WITH_HDF5
    case ArrayFormat::mat73:
      file = array_internal::decode_hdf5(bytes, true, wanted);
      break;
    case ArrayFormat::hdf5:
      file = array_internal::decode_hdf5(bytes, false, wanted);
      break;
#else
    case ArrayFormat::mat73:
    case ArrayFormat::hdf5:
      break;
#endif
  }
  return file;
}

std::string encode_arrays(const ArrayFile& arrays, ArrayFormat format) {
  check_available(format);
  switch (format) {
    case ArrayFormat::npy:
      if (arrays.numbers.size() != 1 || !arrays.texts.empty())
        throw Error("an NPY file holds one array of numbers", "write an NPZ file");
      return array_internal::encode_npy(arrays.numbers.begin()->second);
    case ArrayFormat::npz:
      return array_internal::encode_npz(arrays);
    case ArrayFormat::mat5:
      return array_internal::encode_mat5(arrays);
#ifdef LGN_WITH_HDF5
    case ArrayFormat::mat73:
      return array_internal::encode_hdf5(arrays, true);
    case ArrayFormat::hdf5:
      return array_internal::encode_hdf5(arrays, false);
#else
    case ArrayFormat::mat73:
    case ArrayFormat::hdf5:
      break;
#endif
  }
  return {};
}

}  // namespace lgn
