#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "lgn/core/error.h"
#include "lgn/data/arrays/array_bytes_internal.h"
#include "lgn/data/arrays/array_formats_internal.h"
#include "lgn/data/arrays/inflate_internal.h"
#include "lgn/data/arrays/mat5_internal.h"
#include "lgn/data/csv/csv_internal.h"

namespace lgn::array_internal {
namespace {

[[noreturn]] void damaged(const std::string& what) {
  throw Error(what, "the file is damaged or cut off: save it again");
}

/// How the numbers of an element are stored, whatever the class of the array: MATLAB saves doubles
/// that are whole numbers as such.
std::optional<NumberType> number_type(MatType type, bool big_endian) {
  using Kind = NumberType::Kind;
  switch (type) {
    case MatType::int8:
      return NumberType{Kind::signed_integer, 1, big_endian};
    case MatType::uint8:
      return NumberType{Kind::unsigned_integer, 1, big_endian};
    case MatType::int16:
      return NumberType{Kind::signed_integer, 2, big_endian};
    case MatType::uint16:
      return NumberType{Kind::unsigned_integer, 2, big_endian};
    case MatType::int32:
      return NumberType{Kind::signed_integer, 4, big_endian};
    case MatType::uint32:
      return NumberType{Kind::unsigned_integer, 4, big_endian};
    case MatType::int64:
      return NumberType{Kind::signed_integer, 8, big_endian};
    case MatType::uint64:
      return NumberType{Kind::unsigned_integer, 8, big_endian};
    case MatType::single_real:
      return NumberType{Kind::real, 4, big_endian};
    case MatType::double_real:
      return NumberType{Kind::real, 8, big_endian};
    default:
      return std::nullopt;
  }
}

NumberArray take_numbers(const MatArrayHeader& header, MatElements& elements) {
  const std::size_t count = count_of(header.shape);
  const MatElement element = elements.next();
  const auto type = number_type(element.type, elements.big_endian());
  if (!type)
    damaged(fmt::format("its numbers are stored as type {}", static_cast<unsigned>(element.type)));
  if (count != element.data.size() / type->size || element.data.size() % type->size != 0)
    damaged(fmt::format("{} bytes are not the numbers of an array of {}", element.data.size(),
                        shape_text(header.shape)));
  return {header.shape,
          to_row_major(decode_numbers(element.data.data(), count, *type), header.shape)};
}

/// The units of a char array: UTF-16, or code points where the file has UTF-8 or UTF-32.
std::vector<std::uint32_t> take_units(const MatElement& element, bool big_endian) {
  std::vector<std::uint32_t> units;
  const auto each = [&]<class T>(T) {
    for (std::size_t at = 0; at + sizeof(T) <= element.data.size(); at += sizeof(T))
      units.push_back(load<T>(element.data.data() + at, big_endian));
  };
  switch (element.type) {
    case MatType::utf8:
      return code_points(element.data);
    case MatType::int8:
    case MatType::uint8:
      each(std::uint8_t{});
      break;
    case MatType::uint16:
    case MatType::utf16:
      each(std::uint16_t{});
      break;
    case MatType::uint32:
    case MatType::utf32:
      each(std::uint32_t{});
      break;
    default:
      damaged("text is stored as numbers");
  }
  return units;
}

/// The rows of a char array, without the spaces that fill them.
std::vector<std::string> take_rows(const MatArrayHeader& header, MatElements& elements) {
  const MatElement element = elements.next();
  const std::vector<std::uint32_t> units = take_units(element, elements.big_endian());
  const std::size_t rows = header.shape[0], count = count_of(header.shape);
  if (count == 0) return {std::string()};
  // UTF-8 may count bytes, so that a single row has fewer characters than its size says.
  const std::size_t columns = rows == 1 ? units.size() : count / rows;
  if (units.size() > count || rows * columns != units.size())
    damaged(fmt::format("{} characters are not a char array of {}", units.size(),
                        shape_text(header.shape)));
  std::vector<std::string> texts;
  for (std::size_t r = 0; r < rows; ++r) {
    std::vector<std::uint16_t> row;
    std::string text;
    const bool is_utf16 = element.type != MatType::utf8 && element.type != MatType::utf32 &&
                          element.type != MatType::uint32;
    for (std::size_t c = 0; c < columns; ++c) {
      const std::uint32_t unit = units[c * rows + r];
      if (is_utf16)
        row.push_back(static_cast<std::uint16_t>(unit));
      else
        append_utf8(text, unit);
    }
    texts.push_back(trimmed(is_utf16 ? from_utf16(row) : text));
  }
  return texts;
}

/// A cell array of char arrays, one text from each; nothing when a cell holds something else.
std::optional<std::vector<std::string>> take_cells(const MatArrayHeader& header,
                                                   MatElements& elements) {
  const std::size_t count = count_of(header.shape);
  std::vector<std::string> texts;
  for (std::size_t k = 0; k < count; ++k) {
    const MatElement element = elements.next();
    if (element.type != MatType::matrix) damaged("a cell holds no array");
    MatElements inside(element.data, elements.big_endian());
    if (inside.is_empty()) return std::nullopt;
    const MatArrayHeader cell = take_array_header(inside);
    if (cell.kind != MatClass::characters) return std::nullopt;
    const auto rows = take_rows(cell, inside);
    if (rows.size() != 1) return std::nullopt;
    texts.push_back(rows.front());
  }
  return texts;
}

void take_array(const MatArrayHeader& header, MatElements& elements, int depth, ArrayFile& file);

/// The fields of a single struct, each under its path: s.x.
void take_struct(const MatArrayHeader& header, MatElements& elements, int depth, ArrayFile& file) {
  constexpr int deepest = 8;
  if (count_of(header.shape) != 1 || depth == deepest) {
    file.unread[header.name] = depth == deepest
                                   ? "a struct in structs"
                                   : "an array of structs, " + shape_text(header.shape);
    return;
  }
  const MatElement width = elements.next(), names = elements.next();
  if (width.type != MatType::int32 || width.data.size() != 4 || names.type != MatType::int8)
    damaged("a struct has no names of fields");
  const auto size = load<std::int32_t>(width.data.data(), elements.big_endian());
  if (names.data.empty()) return;
  if (size <= 0 || names.data.size() % static_cast<std::size_t>(size) != 0)
    damaged("the names of a struct's fields are cut off");
  const auto bytes = static_cast<std::size_t>(size);
  for (std::size_t at = 0; at < names.data.size(); at += bytes) {
    const std::string_view padded = names.data.substr(at, bytes);
    const MatElement element = elements.next();
    if (element.type != MatType::matrix) damaged("a field holds no array");
    MatElements inside(element.data, elements.big_endian());
    if (inside.is_empty()) continue;
    MatArrayHeader field = take_array_header(inside);
    field.name = fmt::format("{}.{}", header.name, padded.substr(0, padded.find('\0')));
    take_array(field, inside, depth + 1, file);
  }
}

void take_array(const MatArrayHeader& header, MatElements& elements, int depth, ArrayFile& file) {
  const auto unread = [&](const char* what) { file.unread[header.name] = what; };
  const bool is_number = header.kind >= MatClass::double_real && header.kind <= MatClass::uint64;
  if (header.is_complex)
    unread("complex numbers");
  else if (is_number)
    file.numbers[header.name] = take_numbers(header, elements);
  else if (header.kind == MatClass::characters)
    file.texts[header.name] = take_rows(header, elements);
  else if (header.kind == MatClass::sparse)
    unread("a sparse matrix");
  else if (header.kind == MatClass::structure)
    take_struct(header, elements, depth, file);
  else if (header.kind != MatClass::cell)
    unread("an object, such as a table or a string array");
  else if (auto texts = take_cells(header, elements))
    file.texts[header.name] = std::move(*texts);
  else
    unread("a cell array of other things than text");
}

void read_array(std::string_view data, bool big_endian, const WantedNames& wanted,
                ArrayFile& file) {
  MatElements elements(data, big_endian);
  const MatArrayHeader header = take_array_header(elements);
  if (wanted && !wanted(header.name)) {
    file.unread[header.name] = "an array";
    return;
  }
  try {
    take_array(header, elements, 0, file);
  } catch (const Error& error) {
    throw Error(fmt::format("variable {}: {}", csv_internal::quote(header.name), error.problem()),
                error.help());
  }
}

/// An array under zlib. Its header is looked at first: what is not wanted is not unpacked.
void read_compressed(std::string_view packed, bool big_endian, const WantedNames& wanted,
                     ArrayFile& file) {
  constexpr std::size_t tag_bytes = 8, header_bytes = 1024;
  InflateStream stream(packed);
  const std::string tag = stream.take(tag_bytes);
  const auto type = load<std::uint32_t>(tag.data(), big_endian);
  if (MatType{type} != MatType::matrix) damaged("a compressed element holds no array");
  const std::size_t size = load<std::uint32_t>(tag.data() + 4, big_endian);
  std::string data = stream.take(std::min(size, header_bytes));
  if (wanted && size > data.size()) {
    MatElements beginning(data, big_endian);
    const MatArrayHeader header = take_array_header(beginning);
    if (!wanted(header.name)) {
      file.unread[header.name] = "an array";
      return;
    }
  }
  data += stream.take(size - data.size());
  read_array(data, big_endian, wanted, file);
}

}  // namespace

ArrayFile decode_mat5(std::string_view bytes, const WantedNames& wanted) {
  if (bytes.size() < kMatHeaderBytes) damaged("the header is cut off");
  const std::string_view order = bytes.substr(kMatHeaderBytes - 2, 2);
  if (order != "IM" && order != "MI") damaged("the header tells no byte order");
  const bool big_endian = order == "MI";
  ArrayFile file;
  file.is_matlab = true;
  MatElements elements(bytes.substr(kMatHeaderBytes), big_endian);
  while (!elements.is_empty()) {
    const MatElement element = elements.next();
    if (element.type == MatType::compressed)
      read_compressed(element.data, big_endian, wanted, file);
    else if (element.type == MatType::matrix)
      read_array(element.data, big_endian, wanted, file);
    else
      damaged(fmt::format("an element of type {} stands where an array should",
                          static_cast<unsigned>(element.type)));
  }
  return file;
}

}  // namespace lgn::array_internal
