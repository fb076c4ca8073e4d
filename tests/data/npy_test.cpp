#include <fmt/format.h>
#include <gtest/gtest.h>

#include <zlib.h>

#include "lgn/data/arrays/array_bytes_internal.h"
#include "lgn/data/arrays/zip_internal.h"
#include "tests/data/array_fixture.h"

namespace lgn {
namespace {

using array_internal::store;
using testing::error_of;

/// An NPY array as NumPy lays it out.
std::string npy(const std::string& header, const std::string& data, int version = 1) {
  std::string bytes = "\x93NUMPY";
  bytes += static_cast<char>(version);
  bytes += '\0';
  if (version == 1)
    store(bytes, static_cast<std::uint16_t>(header.size()));
  else
    store(bytes, static_cast<std::uint32_t>(header.size()));
  return bytes + header + data;
}

std::string typed(const std::string& type, const std::string& shape, const std::string& data,
                  bool fortran = false) {
  return npy(fmt::format("{{'descr': '{}', 'fortran_order': {}, 'shape': {}, }}\n", type,
                         fortran ? "True" : "False", shape),
             data);
}

NumberArray read_npy(const std::string& bytes) {
  return decode_arrays(bytes, ArrayFormat::npy).numbers.at("");
}

std::string npy_complaint(const std::string& bytes) {
  return error_of([&] { decode_arrays(bytes, ArrayFormat::npy); });
}

template <class T>
std::string bytes_of(std::initializer_list<T> values, bool big_endian) {
  std::string bytes;
  for (const T value : values) {
    std::string one;
    store(one, value);
    if (big_endian) std::reverse(one.begin(), one.end());
    bytes += one;
  }
  return bytes;
}

template <class T>
void expect_type(const std::string& type, std::initializer_list<T> values) {
  const std::vector<double> expected(values.begin(), values.end());
  const std::string shape = fmt::format("({},)", values.size());
  EXPECT_EQ(read_npy(typed("<" + type, shape, bytes_of(values, false))).values, expected) << type;
  EXPECT_EQ(read_npy(typed(">" + type, shape, bytes_of(values, true))).values, expected) << type;
}

TEST(Npy, ReadsEveryTypeInBothByteOrders) {
  expect_type<double>("f8", {0.1, -1e300});
  expect_type<float>("f4", {0.1F, -1e30F});
  expect_type<std::int8_t>("i1", {-128, 127});
  expect_type<std::int16_t>("i2", {-32768, 2});
  expect_type<std::int32_t>("i4", {-2147483647, 5});
  expect_type<std::int64_t>("i8", {-(1LL << 52), 5});
  expect_type<std::uint8_t>("u1", {0, 255});
  expect_type<std::uint16_t>("u2", {1, 65535});
  expect_type<std::uint32_t>("u4", {1, 4294967295U});
  expect_type<std::uint64_t>("u8", {1, 1ULL << 53});
  EXPECT_EQ(read_npy(typed("|b1", "(3,)", std::string("\0\1\5", 3))).values,
            (std::vector<double>{0, 1, 1}));
}

// 0x3C00 is 1, 0xC000 −2, 0x0001 the smallest subnormal 2⁻²⁴, 0x7BFF the largest, 65504.
TEST(Npy, ReadsHalfPrecision) {
  const std::string data = bytes_of<std::uint16_t>({0x3C00, 0xC000, 0x0001, 0x7BFF, 0x7C00}, false);
  EXPECT_EQ(read_npy(typed("<f2", "(5,)", data)).values,
            (std::vector<double>{1, -2, std::ldexp(1, -24), 65504,
                                 std::numeric_limits<double>::infinity()}));
  EXPECT_TRUE(std::isnan(
      read_npy(typed("<f2", "(1,)", bytes_of<std::uint16_t>({0x7E00}, false))).values[0]));
}

TEST(Npy, ReadsFortranOrder) {
  const std::string data = bytes_of<double>({1, 4, 2, 5, 3, 6}, false);
  const NumberArray array = read_npy(typed("<f8", "(2, 3)", data, true));
  EXPECT_EQ(array.shape, (std::vector<std::size_t>{2, 3}));
  EXPECT_EQ(array.values, (std::vector<double>{1, 2, 3, 4, 5, 6}));
}

TEST(Npy, ReadsEveryVersionAndSpelling) {
  const std::string data = bytes_of<double>({7}, false);
  for (const int version : {1, 2, 3})
    EXPECT_EQ(
        read_npy(npy("{'descr': '<f8', 'fortran_order': False, 'shape': (1,), }\n", data, version))
            .values[0],
        7);
  EXPECT_EQ(
      read_npy(npy("{\"shape\":(1L, 1),\"fortran_order\":False,\"descr\":\"<f8\"}", data)).shape,
      (std::vector<std::size_t>{1, 1}));
  EXPECT_TRUE(
      read_npy(npy("{'descr': '<f8', 'fortran_order': False, 'shape': ()}", data)).shape.empty());
}

TEST(Npy, ReadsText) {
  std::string points;
  for (const std::uint32_t c : {0x394U, 0x78U, 0x1D6FCU, 0U}) store(points, c);
  const auto texts = decode_arrays(typed("<U2", "(2,)", points), ArrayFormat::npy).texts.at("");
  EXPECT_EQ(texts, (std::vector<std::string>{"Δx", "𝛼"}));
  EXPECT_EQ(
      decode_arrays(typed("|S3", "(2,)", std::string("ab\0xyz", 6)), ArrayFormat::npy).texts.at(""),
      (std::vector<std::string>{"ab", "xyz"}));
}

TEST(Npy, SaysWhatElseStandsThere) {
  const auto kind = [](const std::string& header) {
    return decode_arrays(npy(header, std::string(64, '\0')), ArrayFormat::npy).unread.at("");
  };
  const std::string rest = ", 'fortran_order': False, 'shape': (1,)}";
  EXPECT_EQ(kind("{'descr': '<c16'" + rest), "complex numbers");
  EXPECT_EQ(kind("{'descr': '|O'" + rest), "Python objects");
  EXPECT_EQ(kind("{'descr': '<M8[ns]'" + rest), "dates or durations");
  EXPECT_EQ(kind("{'descr': [('t', '<f8'), (']', '<f8', (2,))]" + rest),
            "records with named fields");
  EXPECT_EQ(kind("{'descr': '<f16'" + rest), "elements of type \"<f16\"");
}

TEST(Npy, RefusesWhatCannotBe) {
  const std::string eight(8, '\0');
  for (const char* shape :
       {"(2,)", "(4294967296, 4294967296)", "(18446744073709551615,)", "(1000000000000,)"})
    EXPECT_NE(npy_complaint(typed("<f8", shape, eight)), "") << shape;
  for (const char* shape : {"(-1,)", "(99999999999999999999,)", "(1", "1", "(1,,)", "(1;2)"})
    EXPECT_NE(npy_complaint(typed("<f8", shape, eight)).find("not understood"), std::string::npos)
        << shape;
  EXPECT_EQ(decode_arrays(typed("<U0", "(1000000000000,)", eight), ArrayFormat::npy).unread.at(""),
            "elements of type \"<U0\"");
  EXPECT_NE(npy_complaint(npy("{}", eight)).find("not understood"), std::string::npos);
  EXPECT_NE(npy_complaint(npy("", eight)).find("not understood"), std::string::npos);
  EXPECT_NE(npy_complaint("\x93NUMPY").find("cut off"), std::string::npos);
  EXPECT_NE(npy_complaint(npy("{}", "", 4)).find("version 4"), std::string::npos);
  EXPECT_NE(npy_complaint(std::string("\x93NUMPY\1\0\xff\xff", 10)).find("cut off"),
            std::string::npos);
  EXPECT_TRUE(decode_arrays(typed("<f8", "(0, 1000000000000)", ""), ArrayFormat::npy)
                  .numbers.at("")
                  .values.empty());
}

/// An archive with one member whose directory may lie.
std::string archive(const std::string& contents, std::uint32_t unpacked, bool deflated) {
  std::string packed = contents;
  if (deflated) {
    z_stream stream = {};
    deflateInit2(&stream, 9, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
    packed.resize(deflateBound(&stream, contents.size()));
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(contents.data()));
    stream.avail_in = static_cast<uInt>(contents.size());
    stream.next_out = reinterpret_cast<Bytef*>(packed.data());
    stream.avail_out = static_cast<uInt>(packed.size());
    deflate(&stream, Z_FINISH);
    packed.resize(stream.total_out);
    deflateEnd(&stream);
  }
  std::string zip = array_internal::zip_of({{"x.npy", packed}});
  const auto put = [&](std::size_t at, auto value) {
    std::string bytes;
    store(bytes, value);
    zip.replace(at, bytes.size(), bytes);
  };
  const std::size_t entry = zip.find("PK\1\2");
  put(entry + 10, static_cast<std::uint16_t>(deflated ? 8 : 0));
  put(entry + 16, static_cast<std::uint32_t>(crc32_z(
                      0, reinterpret_cast<const Bytef*>(contents.data()), contents.size())));
  put(entry + 24, unpacked);
  return zip;
}

TEST(Npz, ReadsStoredAndDeflatedMembers) {
  const std::string data = typed("<f8", "(2,)", bytes_of<double>({1, 2}, false));
  const auto size = static_cast<std::uint32_t>(data.size());
  for (const bool deflated : {false, true})
    EXPECT_EQ(decode_arrays(archive(data, size, deflated), ArrayFormat::npz).numbers.at("x").values,
              (std::vector<double>{1, 2}));
}

TEST(Npz, RefusesMembersThatLie) {
  const std::string data = typed("<f8", "(2,)", bytes_of<double>({1, 2}, false));
  const auto size = static_cast<std::uint32_t>(data.size());
  const auto complain = [](const std::string& zip) {
    return error_of([&] { decode_arrays(zip, ArrayFormat::npz); });
  };
  for (const bool deflated : {false, true})
    for (const std::uint32_t lie : {0U, size - 1, size + 1, 4000000000U})
      EXPECT_NE(complain(archive(data, lie, deflated)), "") << lie;
  std::string encrypted = archive(data, size, false);
  encrypted[encrypted.find("PK\1\2") + 8] = 1;
  EXPECT_NE(complain(encrypted).find("encrypted"), std::string::npos);
  std::string other = archive(data, size, false);
  other[other.find("PK\1\2") + 10] = 12;
  EXPECT_NE(complain(other).find("method 12"), std::string::npos);
  EXPECT_NE(complain(std::string("PK\3\4", 4)).find("ZIP archive"), std::string::npos);
}

// 1.5 GiB of zeros deflate to about 1.5 MB, a thousandth.
TEST(Npz, RefusesBombs) {
  EXPECT_NE(error_of([] {
              array_internal::check_unpacked(std::size_t{3} << 29, 1500000);
            }).find("hostile"),
            std::string::npos);
  EXPECT_EQ(error_of([] { array_internal::check_unpacked(std::size_t{3} << 29, 1 << 25); }), "");
}

}  // namespace
}  // namespace lgn
