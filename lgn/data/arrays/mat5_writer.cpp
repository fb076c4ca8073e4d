#include <fmt/format.h>

#include <limits>

#include "lgn/core/error.h"
#include "lgn/data/arrays/array_bytes_internal.h"
#include "lgn/data/arrays/array_formats_internal.h"
#include "lgn/data/arrays/mat5_internal.h"
#include "lgn/data/csv/csv_internal.h"
#include "lgn/version.h"

namespace lgn::array_internal {
namespace {

void pad(std::string& to) { to.append((8 - to.size() % 8) % 8, '\0'); }

void store_tag(std::string& to, MatType type, std::size_t size) {
  store(to, static_cast<std::uint32_t>(type));
  store(to, static_cast<std::uint32_t>(size));
}

/// Up to the name; what an array holds follows.
void store_header(std::string& to, MatClass kind, const std::vector<std::size_t>& shape,
                  const std::string& name) {
  store_tag(to, MatType::uint32, 8);
  store(to, static_cast<std::uint32_t>(kind));
  store(to, std::uint32_t{0});
  store_tag(to, MatType::int32, 4 * shape.size());
  for (const std::size_t n : shape) store(to, static_cast<std::int32_t>(n));
  pad(to);
  store_tag(to, MatType::int8, name.size());
  to += name;
  pad(to);
}

/// Puts the size in front, once it is known.
void store_matrix(std::string& to, const std::string& name, const std::string& contents) {
  constexpr std::size_t most = std::numeric_limits<std::int32_t>::max();
  if (contents.size() > most)
    throw Error(fmt::format("{} is larger than the 2 GiB of an array in a MAT v5 file",
                            csv_internal::quote(name)),
                "write it as HDF5, NPZ or MAT v7.3");
  store_tag(to, MatType::matrix, contents.size());
  to += contents;
}

void store_numbers(std::string& to, const std::string& name, const NumberArray& array) {
  // There are at least two dimensions; a vector is a column.
  std::vector<std::size_t> shape = array.shape;
  shape.resize(std::max<std::size_t>(shape.size(), 2), 1);
  std::string contents;
  const std::size_t bytes = array.values.size() * sizeof(double);
  contents.reserve(bytes + 256);
  store_header(contents, MatClass::double_real, shape, name);
  store_tag(contents, MatType::double_real, bytes);
  store_doubles(contents, to_column_major(array.values, shape));
  store_matrix(to, name, contents);
}

void store_text(std::string& to, const std::string& text) {
  const std::vector<std::uint16_t> units = to_utf16(text);
  std::string contents;
  store_header(contents, MatClass::characters, {units.empty() ? 0U : 1U, units.size()}, "");
  store_tag(contents, MatType::uint16, 2 * units.size());
  for (const std::uint16_t unit : units) store(contents, unit);
  pad(contents);
  store_matrix(to, text, contents);
}

}  // namespace

std::string encode_mat5(const ArrayFile& arrays) {
  std::string bytes = fmt::format("MATLAB 5.0 MAT-file, written by lgn {}", version);
  bytes.resize(kMatHeaderBytes - 12, ' ');
  bytes.append(8, '\0');
  store(bytes, std::uint16_t{0x0100});
  bytes += "IM";
  for (const auto& [name, array] : arrays.numbers) store_numbers(bytes, name, array);
  for (const auto& [name, texts] : arrays.texts) {
    std::string contents;
    store_header(contents, MatClass::cell, {1, texts.size()}, name);
    for (const auto& text : texts) store_text(contents, text);
    store_matrix(bytes, name, contents);
  }
  return bytes;
}

}  // namespace lgn::array_internal
