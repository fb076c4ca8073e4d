#include <fmt/format.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include "lgn/data/arrays/array_bytes_internal.h"
#include "lgn/data/arrays/arrays_dataset.h"
#include "lgn/data/arrays/mat5_internal.h"
#include "tests/data/array_fixture.h"

namespace lgn {
namespace {

using array_internal::MatClass;
using array_internal::MatType;
using testing::error_of;

/// Builds files piece by piece, in either byte order.
class MatBuilder {
 public:
  explicit MatBuilder(bool big_endian) : big_endian_(big_endian) {}

  template <class T>
  std::string number(T value) const {
    std::string bytes;
    array_internal::store(bytes, value);
    if (big_endian_) std::reverse(bytes.begin(), bytes.end());
    return bytes;
  }
  std::string element(MatType type, const std::string& data) const {
    std::string bytes = number(static_cast<std::uint32_t>(type)) +
                        number(static_cast<std::uint32_t>(data.size())) + data;
    if (type != MatType::compressed) bytes.append((8 - bytes.size() % 8) % 8, '\0');
    return bytes;
  }
  /// Up to four bytes inside the tag.
  std::string small(MatType type, const std::string& data) const {
    const auto tag =
        static_cast<std::uint32_t>(data.size() << 16) | static_cast<std::uint32_t>(type);
    std::string bytes = number(tag) + data;
    bytes.resize(8, '\0');
    return bytes;
  }
  std::string array(MatClass kind, const std::vector<std::int32_t>& shape, const std::string& name,
                    const std::string& contents, std::uint32_t flags = 0) const {
    std::string sizes;
    for (const std::int32_t n : shape) sizes += number(n);
    return element(MatType::matrix,
                   element(MatType::uint32, number(static_cast<std::uint32_t>(kind) | flags) +
                                                number(std::uint32_t{0})) +
                       element(MatType::int32, sizes) + small(MatType::int8, name) + contents);
  }
  std::string file(const std::string& elements) const {
    std::string header = "MATLAB 5.0 MAT-file";
    header.resize(124, ' ');
    return header + number(std::uint16_t{0x0100}) + (big_endian_ ? "MI" : "IM") + elements;
  }

 private:
  bool big_endian_;
};

std::string packed(const std::string& bytes) {
  uLongf size = compressBound(bytes.size());
  std::string result(size, '\0');
  compress(reinterpret_cast<Bytef*>(result.data()), &size,
           reinterpret_cast<const Bytef*>(bytes.data()), bytes.size());
  result.resize(size);
  return result;
}

ArrayFile read(const std::string& bytes) { return decode_arrays(bytes, ArrayFormat::mat5); }
std::string mat_complaint(const std::string& bytes) {
  return error_of([&] { read(bytes); });
}

TEST(Mat5, ReadsCompressedArraysInBothByteOrders) {
  for (const bool big_endian : {false, true}) {
    const MatBuilder mat(big_endian);
    // MATLAB stores doubles that are small whole numbers as bytes.
    const std::string x =
        mat.array(MatClass::double_real, {2, 3}, "x", mat.element(MatType::uint8, "\1\2\3\4\5\6"));
    const std::string y = mat.array(MatClass::double_real, {1, 1}, "y",
                                    mat.element(MatType::double_real, mat.number(0.5)));
    const ArrayFile file = read(mat.file(
        mat.element(MatType::compressed, packed(x)) + y +
        mat.element(
            MatType::compressed,
            packed(x.substr(0, 0) +
                   mat.array(MatClass::double_real, {1, 2}, "z",
                             mat.small(MatType::int16, mat.number(std::int16_t{-3}) +
                                                           mat.number(std::int16_t{4})))))));
    EXPECT_EQ(file.numbers.at("x").values, (std::vector<double>{1, 3, 5, 2, 4, 6}));
    EXPECT_EQ(file.numbers.at("y").values, (std::vector<double>{0.5}));
    EXPECT_EQ(file.numbers.at("z").values, (std::vector<double>{-3, 4}));
  }
}

TEST(Mat5, ReadsTextInEveryEncoding) {
  const MatBuilder mat(false);
  const auto text = [&](MatType type, std::int32_t rows, std::int32_t columns,
                        const std::string& data) {
    return read(mat.file(
                    mat.array(MatClass::characters, {rows, columns}, "s", mat.element(type, data))))
        .texts.at("s");
  };
  using Texts = std::vector<std::string>;
  EXPECT_EQ(text(MatType::utf8, 1, 3, "Δx"), Texts{"Δx"}) << "size in bytes";
  EXPECT_EQ(text(MatType::utf8, 1, 2, "Δx"), Texts{"Δx"}) << "size in characters";
  EXPECT_EQ(text(MatType::uint8, 2, 2, "acb "), (Texts{"ab", "c"}));
  std::string units;
  for (const std::uint16_t unit : array_internal::to_utf16("𝛼b")) units += mat.number(unit);
  EXPECT_EQ(text(MatType::uint16, 1, 3, units), Texts{"𝛼b"});
  EXPECT_EQ(text(MatType::utf32, 1, 1, mat.number(std::uint32_t{0x394})), Texts{"Δ"});
}

TEST(Mat5, SaysWhatElseStandsThere) {
  const MatBuilder mat(false);
  const auto kind = [&](MatClass of, std::uint32_t flags = 0, std::int32_t count = 1) {
    return read(mat.file(mat.array(of, {1, count}, "a",
                                   mat.element(MatType::double_real, mat.number(1.)), flags)))
        .unread.at("a");
  };
  EXPECT_EQ(kind(MatClass::double_real, 0x800), "complex numbers");
  EXPECT_EQ(kind(MatClass::sparse), "a sparse matrix");
  EXPECT_EQ(kind(MatClass::structure, 0, 2), "an array of structs, 1 × 2");
  EXPECT_EQ(kind(MatClass::function), "an object, such as a table or a string array");
}

TEST(Mat5, ReadsTheFieldsOfStructs) {
  for (const bool big_endian : {false, true}) {
    const MatBuilder mat(big_endian);
    const auto vector = [&](const std::string& bytes) {
      return mat.array(MatClass::double_real, {1, 4}, "", mat.element(MatType::uint8, bytes));
    };
    const auto record = [&](const std::string& name, std::string fields,
                            const std::string& values) {
      return mat.array(MatClass::structure, {1, 1}, name,
                       mat.small(MatType::int32, mat.number(std::int32_t{8})) +
                           mat.element(MatType::int8, fields) + values);
    };
    using namespace std::string_literals;
    const std::string times("\0\1\2\3", 4);
    const std::string inner = record("", "y\0\0\0\0\0\0\0"s, vector("\5\6\7\5"));
    const std::string bytes = mat.file(
        record("s", "t\0\0\0\0\0\0\0x\0\0\0\0\0\0\0more\0\0\0\0empty\0\0\0"s,
               vector(times) + vector("\1\4\1\5") + inner + mat.element(MatType::matrix, "")));
    const ArrayFile file = read(bytes);
    EXPECT_EQ(file.numbers.at("s.x").values, (std::vector<double>{1, 4, 1, 5}));
    EXPECT_EQ(file.numbers.at("s.more.y").values, (std::vector<double>{5, 6, 7, 5}));
    EXPECT_EQ(dataset_of(file).runs()[0].states(), (Matrix{{1, 4, 1, 5}}));
    EXPECT_EQ(dataset_of(file, {.dt = "1", .variable = "s.more.y"}).runs()[0].times()[3], 3);
    for (std::size_t k = 128; k < bytes.size(); ++k) mat_complaint(bytes.substr(0, k));
  }
}

TEST(Mat5, RefusesWhatCannotBe) {
  const MatBuilder mat(false);
  const auto says = [&](const std::string& elements, const std::string& part) {
    const std::string said = mat_complaint(mat.file(elements));
    EXPECT_NE(said.find(part), said.npos) << said;
  };
  const std::string one = mat.element(MatType::double_real, mat.number(1.));
  says(mat.array(MatClass::double_real, {-1, 1}, "a", one), "negative");
  says(mat.array(MatClass::double_real, {2147483647, 2147483647, 2147483647}, "a", one),
       "cannot be");
  says(mat.array(MatClass::double_real, {100000, 100000}, "a", one), "are not the numbers");
  says(mat.array(MatClass::double_real, {1, 1}, "a", mat.element(MatType::utf8, "x")), "type 16");
  says(mat.array(MatClass::cell, {1, 1000000000}, "a", ""), "cut off");
  says(mat.array(MatClass::characters, {1, 1000000000, 1000000000}, "a", one), "text is stored");
  says(mat.array(MatClass::double_real, {1}, "a", one), "no dimensions");
  says(one, "type 9");
  says(mat.element(MatType::matrix, ""), "cut off");
  says(mat.element(MatType::compressed, "no stream"), "damaged");
  const std::string lie = mat.number(std::uint32_t{14}) + mat.number(std::uint32_t{0xFFFFFFF0});
  says(mat.element(MatType::compressed, packed(lie)), "compressed");
  EXPECT_NE(mat_complaint("MATLAB 5.0 MAT-file").find("cut off"), std::string::npos);
  EXPECT_NE(mat_complaint(std::string(200, ' ')).find("byte order"), std::string::npos);
}

}  // namespace
}  // namespace lgn
