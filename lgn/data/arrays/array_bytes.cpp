#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <limits>

#include "lgn/core/error.h"
#include "lgn/data/arrays/array_bytes_internal.h"

namespace lgn::array_internal {
namespace {

/// IEEE 754 binary16.
double from_half(std::uint16_t bits) {
  const int exponent = (bits >> 10) & 0x1F;
  const int fraction = bits & 0x3FF;
  double value = 0;
  if (exponent == 0x1F)
    value = fraction == 0 ? std::numeric_limits<double>::infinity()
                          : std::numeric_limits<double>::quiet_NaN();
  else if (exponent == 0)
    value = std::ldexp(fraction, -24);
  else
    value = std::ldexp(fraction + 0x400, exponent - 25);
  return (bits & 0x8000) != 0 ? -value : value;
}

template <class T>
void convert(const char* from, bool big_endian, std::vector<double>& to) {
  for (double& value : to) {
    value = static_cast<double>(load<T>(from, big_endian));
    from += sizeof(T);
  }
}

/// Reorders so that the element at the k-th place of one order goes to its place in the other.
/// `shape` is that of the array whose last index runs fastest in the result.
std::vector<double> reorder(const std::vector<double>& from,
                            const std::vector<std::size_t>& shape) {
  const std::size_t rank = shape.size();
  std::vector<double> to(from.size());
  if (from.empty()) return to;
  std::vector<std::size_t> strides(rank, 1), index(rank, 0);
  for (std::size_t k = rank - 1; k > 0; --k) strides[k - 1] = strides[k] * shape[k];
  std::size_t place = 0;
  for (const double value : from) {
    to[place] = value;
    for (std::size_t k = 0; k < rank; ++k) {
      place += strides[k];
      if (++index[k] < shape[k]) break;
      place -= strides[k] * shape[k];
      index[k] = 0;
    }
  }
  return to;
}

bool is_order_free(const std::vector<std::size_t>& shape) {
  return std::count_if(shape.begin(), shape.end(), [](std::size_t n) { return n != 1; }) <= 1;
}

}  // namespace

void store_doubles(std::string& to, const std::vector<double>& values) {
  if constexpr (std::endian::native == std::endian::little)
    to.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(double));
  else
    for (const double value : values) store(to, value);
}

bool NumberType::is_known() const {
  if (kind == Kind::logical) return size == 1;
  if (kind == Kind::real) return size == 2 || size == 4 || size == 8;
  return size == 1 || size == 2 || size == 4 || size == 8;
}

std::vector<double> decode_numbers(const char* from, std::size_t count, const NumberType& type) {
  std::vector<double> to(count);
  const bool big = type.big_endian;
  switch (type.kind) {
    case NumberType::Kind::real:
      if (type.size == 8 && big == (std::endian::native == std::endian::big)) {
        if (count > 0) std::memcpy(to.data(), from, count * sizeof(double));
      } else if (type.size == 8) {
        convert<double>(from, big, to);
      } else if (type.size == 4) {
        convert<float>(from, big, to);
      } else {
        for (std::size_t k = 0; k < count; ++k)
          to[k] = from_half(load<std::uint16_t>(from + 2 * k, big));
      }
      break;
    case NumberType::Kind::signed_integer:
      if (type.size == 8) convert<std::int64_t>(from, big, to);
      if (type.size == 4) convert<std::int32_t>(from, big, to);
      if (type.size == 2) convert<std::int16_t>(from, big, to);
      if (type.size == 1) convert<std::int8_t>(from, big, to);
      break;
    case NumberType::Kind::unsigned_integer:
      if (type.size == 8) convert<std::uint64_t>(from, big, to);
      if (type.size == 4) convert<std::uint32_t>(from, big, to);
      if (type.size == 2) convert<std::uint16_t>(from, big, to);
      if (type.size == 1) convert<std::uint8_t>(from, big, to);
      break;
    case NumberType::Kind::logical:
      for (std::size_t k = 0; k < count; ++k) to[k] = from[k] != 0 ? 1 : 0;
      break;
  }
  return to;
}

std::size_t count_of(const std::vector<std::size_t>& shape) {
  // Sixteen bytes for each stay within what a signed size can count.
  constexpr std::size_t most = std::size_t{1} << 59;
  std::size_t count = 1;
  for (const std::size_t n : shape) {
    if (n == 0) return 0;
    if (n > most / count)
      throw Error(fmt::format("an array of {} elements cannot be", shape_text(shape)),
                  "the file is damaged");
    count *= n;
  }
  return count;
}

std::size_t most_unpacked(std::size_t packed) {
  constexpr std::size_t harmless = std::size_t{1} << 30, ratio = 100;
  return std::max(harmless, ratio * packed);
}

void check_unpacked(std::size_t unpacked, std::size_t packed) {
  if (unpacked > most_unpacked(packed))
    throw Error(fmt::format("{} bytes would unpack to {}", packed, unpacked),
                "measured data do not compress as well: the file is damaged or hostile; if it is "
                "neither, store it uncompressed");
}

std::string shape_text(const std::vector<std::size_t>& shape) {
  if (shape.empty()) return "a single number";
  return fmt::format("{}", fmt::join(shape, " × "));
}

std::vector<double> to_row_major(std::vector<double> column_major,
                                 const std::vector<std::size_t>& shape) {
  if (is_order_free(shape)) return column_major;
  return reorder(column_major, shape);
}

std::vector<double> to_column_major(const std::vector<double>& row_major,
                                    const std::vector<std::size_t>& shape) {
  if (is_order_free(shape)) return row_major;
  // Read backwards, row-major order is column-major order of the reversed shape.
  return reorder(row_major, {shape.rbegin(), shape.rend()});
}

}  // namespace lgn::array_internal
