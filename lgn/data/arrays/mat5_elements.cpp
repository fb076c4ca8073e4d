#include <algorithm>

#include "lgn/core/error.h"
#include "lgn/data/arrays/array_bytes_internal.h"
#include "lgn/data/arrays/mat5_internal.h"

namespace lgn::array_internal {
namespace {

[[noreturn]] void damaged(const char* what) {
  throw Error(what, "the file is damaged or cut off: save it again");
}

}  // namespace

MatElement MatElements::next() {
  constexpr std::size_t tag_bytes = 8, small_bytes = 4;
  if (rest_.size() < tag_bytes) damaged("the tag of an element is cut off");
  const auto first = load<std::uint32_t>(rest_.data(), big_endian_);
  // Up to four bytes are packed into the tag itself, their count into its upper half.
  if (const std::uint32_t small = first >> 16; small != 0) {
    if (small > small_bytes) damaged("a small element has more bytes than fit");
    const MatElement element{MatType{first & 0xFFFFU}, rest_.substr(small_bytes, small)};
    rest_.remove_prefix(tag_bytes);
    return element;
  }
  const std::size_t size = load<std::uint32_t>(rest_.data() + small_bytes, big_endian_);
  rest_.remove_prefix(tag_bytes);
  if (size > rest_.size()) damaged("an element is cut off");
  const MatElement element{MatType{first}, rest_.substr(0, size)};
  const std::size_t padding = element.type == MatType::compressed ? 0 : (8 - size % 8) % 8;
  rest_.remove_prefix(std::min(rest_.size(), size + padding));
  return element;
}

MatArrayHeader take_array_header(MatElements& elements) {
  MatArrayHeader header;
  const bool big_endian = elements.big_endian();
  const MatElement flags = elements.next();
  if (flags.type != MatType::uint32 || flags.data.size() != 8) damaged("an array has no flags");
  const auto bits = load<std::uint32_t>(flags.data.data(), big_endian);
  constexpr std::uint32_t complex_bit = 0x800;
  header.kind = MatClass{bits & 0xFFU};
  header.is_complex = (bits & complex_bit) != 0;
  // Opaque objects have no dimensions: their name comes next.
  MatElement element = elements.next();
  if (header.kind != MatClass::opaque) {
    constexpr std::size_t most_dimensions = 32;
    if (element.type != MatType::int32 || element.data.size() % 4 != 0 || element.data.size() < 8 ||
        element.data.size() > 4 * most_dimensions)
      damaged("an array has no dimensions");
    for (std::size_t at = 0; at < element.data.size(); at += 4) {
      const auto size = load<std::int32_t>(element.data.data() + at, big_endian);
      if (size < 0) damaged("a dimension is negative");
      header.shape.push_back(static_cast<std::size_t>(size));
    }
    element = elements.next();
  }
  if (element.type != MatType::int8 && element.type != MatType::uint8 &&
      element.type != MatType::utf8)
    damaged("an array has no name");
  header.name = element.data;
  return header;
}

}  // namespace lgn::array_internal
