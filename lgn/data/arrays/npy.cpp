#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>

#include "lgn/core/error.h"
#include "lgn/data/arrays/array_bytes_internal.h"
#include "lgn/data/arrays/array_formats_internal.h"
#include "lgn/data/arrays/npy_header_internal.h"
#include "lgn/data/csv/csv_internal.h"

namespace lgn::array_internal {
namespace {

/// <f8 and its like: byte order, kind, bytes (for U, characters of four bytes).
struct ElementType {
  bool big_endian = false;
  char kind = '\0';
  std::size_t size = 0;
};

ElementType parse_type(const std::string& text) {
  ElementType type;
  if (text.size() < 3) return type;
  type.big_endian = text[0] == '>';
  const char* const end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data() + 2, end, type.size);
  if (error == std::errc() && stopped == end) type.kind = text[1];
  return type;
}

/// What stands in an array that is neither numbers nor text.
std::string other_kind(const std::string& text) {
  const char kind = text.size() > 1 ? text[1] : '\0';
  if (text.starts_with('[')) return "records with named fields";
  if (kind == 'c') return "complex numbers";
  if (kind == 'M' || kind == 'm') return "dates or durations";
  if (kind == 'O') return "Python objects";
  return "elements of type " + csv_internal::quote(text);
}

std::string take_text(const char* from, const ElementType& type) {
  std::string text;
  if (type.kind == 'S') {
    text.assign(from, type.size);
    return valid_utf8(trimmed(text));
  }
  for (std::size_t k = 0; k < type.size; ++k)
    append_utf8(text, load<std::uint32_t>(from + 4 * k, type.big_endian));
  return trimmed(text);
}

void store_header(std::string& to, const std::string& type, const std::vector<std::size_t>& shape) {
  std::string text = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}{}), }}",
                                 type, fmt::join(shape, ", "), shape.size() == 1 ? "," : "");
  // The data start at a multiple of 64 bytes, the header ends with a line break.
  constexpr std::size_t before = 10, alignment = 64;
  text.append(alignment - 1 - (before + text.size()) % alignment, ' ');
  text += '\n';
  to += "\x93NUMPY";
  to += std::string_view("\1\0", 2);
  store(to, static_cast<std::uint16_t>(text.size()));
  to += text;
}

}  // namespace

void decode_npy(std::string_view bytes, const std::string& name, ArrayFile& into) {
  const NpyHeader header = read_npy_header(bytes);
  const ElementType type = parse_type(header.type);
  const std::string_view data = bytes.substr(header.bytes);
  const std::size_t count = count_of(header.shape);
  const auto check_size = [&](std::size_t bytes_each) {
    if (count > data.size() / bytes_each)
      throw Error(fmt::format("an array of {} with {} bytes each needs more than the {} bytes that "
                              "are there",
                              shape_text(header.shape), bytes_each, data.size()),
                  "the file is damaged or cut off: write it again");
  };
  using Kind = NumberType::Kind;
  const bool is_number =
      type.kind == 'f' || type.kind == 'i' || type.kind == 'u' || type.kind == 'b';
  const NumberType number{type.kind == 'f'   ? Kind::real
                          : type.kind == 'i' ? Kind::signed_integer
                          : type.kind == 'u' ? Kind::unsigned_integer
                                             : Kind::logical,
                          type.size, type.big_endian};
  if (is_number && number.is_known()) {
    check_size(type.size);
    std::vector<double> values = decode_numbers(data.data(), count, number);
    if (header.fortran_order) values = to_row_major(std::move(values), header.shape);
    into.numbers[name] = {header.shape, std::move(values)};
  } else if ((type.kind == 'U' || type.kind == 'S') && header.shape.size() <= 1 && type.size > 0 &&
             type.size <= data.size()) {
    const std::size_t each = type.kind == 'U' ? 4 * type.size : type.size;
    check_size(each);
    auto& texts = into.texts[name];
    for (std::size_t k = 0; k < count; ++k)
      texts.push_back(take_text(data.data() + k * each, type));
  } else {
    into.unread[name] = other_kind(header.type);
  }
}

std::string encode_npy(const NumberArray& array) {
  std::string bytes;
  store_header(bytes, "<f8", array.shape);
  bytes.reserve(bytes.size() + array.values.size() * sizeof(double));
  store_doubles(bytes, array.values);
  return bytes;
}

std::string encode_npy(const std::vector<std::string>& texts) {
  std::vector<std::vector<std::uint32_t>> points;
  std::size_t width = 1;
  for (const auto& text : texts) {
    points.push_back(code_points(text));
    width = std::max(width, points.back().size());
  }
  std::string bytes;
  store_header(bytes, fmt::format("<U{}", width), {texts.size()});
  for (auto& text : points) {
    text.resize(width);
    for (const std::uint32_t c : text) store(bytes, c);
  }
  return bytes;
}

}  // namespace lgn::array_internal
