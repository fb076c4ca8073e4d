#pragma once

// Bytes to numbers and text, shared by the readers and writers of array files; not installed.

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "lgn/data/arrays/array_file.h"

namespace lgn::array_internal {

/// A number at `from` in the given byte order.
template <class T>
T load(const char* from, bool big_endian) {
  static_assert(std::is_trivially_copyable_v<T>);
  std::array<char, sizeof(T)> bytes;
  std::memcpy(bytes.data(), from, sizeof(T));
  if (big_endian != (std::endian::native == std::endian::big))
    std::reverse(bytes.begin(), bytes.end());
  return std::bit_cast<T>(bytes);
}

/// Appends the number in little-endian order.
template <class T>
void store(std::string& to, T value) {
  auto bytes = std::bit_cast<std::array<char, sizeof(T)>>(value);
  if constexpr (std::endian::native == std::endian::big) std::reverse(bytes.begin(), bytes.end());
  to.append(bytes.data(), bytes.size());
}

/// Appends doubles in little-endian order.
void store_doubles(std::string& to, const std::vector<double>& values);

/// How one number is stored.
struct NumberType {
  enum class Kind { real, signed_integer, unsigned_integer, logical };
  Kind kind = Kind::real;
  std::size_t size = 8;
  bool big_endian = false;

  /// Whether decode_numbers knows it: real 2, 4, 8; integers 1, 2, 4, 8; logical 1.
  bool is_known() const;
};

/// Converts `count` numbers that stand one after the other.
std::vector<double> decode_numbers(const char* from, std::size_t count, const NumberType& type);

/// Number of elements. Throws Error when it is beyond what could ever be stored.
std::size_t count_of(const std::vector<std::size_t>& shape);

/// What a file of that size may unpack to: 1 GiB, or 100 times its size.
std::size_t most_unpacked(std::size_t packed);

/// Throws Error for what only a hostile file would do: unpack to more than that.
void check_unpacked(std::size_t unpacked, std::size_t packed);

/// "3 × 4", or "a single number".
std::string shape_text(const std::vector<std::size_t>& shape);

/// Changes the order of elements: the first index runs fastest in column-major order.
std::vector<double> to_row_major(std::vector<double> column_major,
                                 const std::vector<std::size_t>& shape);
std::vector<double> to_column_major(const std::vector<double>& row_major,
                                    const std::vector<std::size_t>& shape);

/// Unicode code points as UTF-8; no code point becomes U+FFFD.
void append_utf8(std::string& text, std::uint32_t code_point);
std::string from_utf16(const std::vector<std::uint16_t>& units);
/// UTF-8 text as code points; what is not UTF-8 becomes U+FFFD.
std::vector<std::uint32_t> code_points(std::string_view text);
std::vector<std::uint16_t> to_utf16(std::string_view text);
/// The same text where it is UTF-8.
std::string valid_utf8(std::string_view text);

/// Without spaces and zeros at the end, with which fixed widths are filled.
std::string trimmed(std::string text);

}  // namespace lgn::array_internal
