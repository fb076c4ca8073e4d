#pragma once

// The elements that MAT files of versions 5 to 7 consist of (MathWorks, "MAT-File Format", chapter
// 1); not installed.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lgn::array_internal {

/// Bytes before the first element: a text, the version, and two letters that tell the byte order.
inline constexpr std::size_t kMatHeaderBytes = 128;

/// Types of elements.
enum class MatType : std::uint32_t {
  int8 = 1,
  uint8 = 2,
  int16 = 3,
  uint16 = 4,
  int32 = 5,
  uint32 = 6,
  single_real = 7,
  double_real = 9,
  int64 = 12,
  uint64 = 13,
  matrix = 14,
  compressed = 15,
  utf8 = 16,
  utf16 = 17,
  utf32 = 18
};

/// Classes of arrays.
enum class MatClass : std::uint32_t {
  cell = 1,
  structure = 2,
  object = 3,
  characters = 4,
  sparse = 5,
  double_real = 6,  ///< from here to uint64 numbers
  uint64 = 15,
  function = 16,
  opaque = 17
};

struct MatElement {
  MatType type = MatType::int8;
  std::string_view data;
};

/// Elements one after the other. Every length is checked against what is there.
class MatElements {
 public:
  MatElements(std::string_view bytes, bool big_endian) : rest_(bytes), big_endian_(big_endian) {}

  bool is_empty() const { return rest_.empty(); }
  bool big_endian() const { return big_endian_; }
  /// The next element; throws Error when it is cut off.
  MatElement next();

 private:
  std::string_view rest_;
  bool big_endian_;
};

/// What an array says of itself before its numbers.
struct MatArrayHeader {
  MatClass kind = MatClass::opaque;
  bool is_complex = false;
  std::vector<std::size_t> shape;
  std::string name;
};

/// Takes the header of an array from its elements. Throws Error when it is damaged.
MatArrayHeader take_array_header(MatElements& elements);

}  // namespace lgn::array_internal
