#include <gtest/gtest.h>

#include "lgn/core/error.h"
#include "lgn/data/arrays/arrays_dataset.h"
#include "lgn/data/data_file.h"
#include "tests/data/array_fixture.h"
#include "tests/data/csv_fixture.h"

namespace lgn {
namespace {

using testing::TextFile;
using Names = std::vector<std::string>;
using Numbers = std::map<std::string, NumberArray>;

const NumberArray kTimes{{4}, {0, 1, 2, 3}};
const NumberArray kX{{4}, {1, 4, 1, 9}};
const NumberArray kColumn{{4, 1}, {2, 7, 1, 8}};
const NumberArray kRow{{1, 4}, {3, 1, 4, 1}};
const NumberArray kTable{{4, 2}, {1, 5, 2, 6, 3, 7, 4, 8}};

struct Read {
  Dataset data;
  std::string assumed;
};

Read read_arrays(const Numbers& numbers, ArrayFormat format, const ReadOptions& options = {}) {
  ArrayFile arrays;
  arrays.numbers = numbers;
  arrays.texts["note"] = {"by hand"};
  Reading reading;
  Dataset data = read_data({TextFile(encode_arrays(arrays, format)).path()}, options, &reading);
  return {std::move(data), reading.line()};
}

std::string arrays_refused(const Numbers& numbers, ArrayFormat format,
                           const ReadOptions& options = {}) {
  return testing::error_of([&] { read_arrays(numbers, format, options); });
}

bool says(const std::string& text, const std::string& part) { return text.find(part) != text.npos; }

TEST(ArrayVectors, AreChannelsByTheirNames) {
  for (const ArrayFormat format : testing::named_formats()) {
    SCOPED_TRACE(format_name(format));
    const Read read = read_arrays(
        {{"t", kTimes}, {"x", kX}, {"y", kColumn}, {"z", kRow}, {"odd", {{3}, {1, 2, 3}}}}, format);
    EXPECT_EQ(read.data.channels(), (Names{"x", "y", "z"}));
    EXPECT_EQ(read.data.runs()[0].states(), (Matrix{{1, 4, 1, 9}, {2, 7, 1, 8}, {3, 1, 4, 1}}));
    EXPECT_TRUE(says(read.assumed, "\"y\", \"z\" are channels; not used: \"odd\" ("))
        << read.assumed;
    EXPECT_TRUE(says(read.assumed, "\"note\" (text)")) << read.assumed;
  }
}

TEST(ArrayVectors, StandBesideTablesAndInputs) {
  const Numbers numbers{{"t", kTimes}, {"x", kTable}, {"y", kColumn}, {"u", kX}, {"u2", kRow}};
  const Read read = read_arrays(numbers, ArrayFormat::npz);
  EXPECT_EQ(read.data.channels(), (Names{"x1", "x2", "y"}));
  EXPECT_EQ(read.data.inputs(), (Names{"u", "u2"}));
  EXPECT_EQ(read.data.runs()[0].inputs(), (Matrix{{1, 4, 1, 9}, {3, 1, 4, 1}}));
  EXPECT_EQ(read_arrays(numbers, ArrayFormat::npz, {.inputs = {"y"}, .channels = {"x2", "u2"}})
                .data.channels(),
            (Names{"x2", "u2"}));
  // Without x: the only table that fits, or the vectors alone.
  EXPECT_EQ(
      read_arrays({{"t", kTimes}, {"d", kTable}, {"y", kX}}, ArrayFormat::mat5).data.channels(),
      (Names{"x1", "x2", "y"}));
  EXPECT_EQ(
      read_arrays({{"time", kTimes}, {"a", kX}, {"b", kRow}}, ArrayFormat::mat5).data.channels(),
      (Names{"a", "b"}));
  EXPECT_EQ(read_arrays({{"t", kTimes}, {"y", kX}}, ArrayFormat::npz).data.channels(), Names{"y"});
  // x alone is called as ever, and several runs have no vectors beside them.
  EXPECT_EQ(read_arrays({{"t", kTimes}, {"x", kX}}, ArrayFormat::npz).data.channels(), Names{"x1"});
  const Read runs = read_arrays(
      {{"t", kTimes}, {"x", {{2, 4, 1}, {1, 2, 3, 4, 5, 6, 7, 8}}}, {"y", kX}}, ArrayFormat::npz);
  EXPECT_EQ(runs.data.channels(), Names{"x1"});
  EXPECT_TRUE(says(runs.assumed, "\"y\" (4)")) << runs.assumed;
}

TEST(ArrayVectors, AreCountedWhereThereAreNoTimes) {
  const Numbers numbers{{"a", kX}, {"b", kColumn}};
  const Read read = read_arrays(numbers, ArrayFormat::npz, {.rate = "4"});
  EXPECT_EQ(read.data.channels(), (Names{"a", "b"}));
  EXPECT_EQ(read.data.runs()[0].times()[2], 0.5);
  EXPECT_TRUE(says(arrays_refused(numbers, ArrayFormat::npz), "`dt`"));
  EXPECT_EQ(read_arrays(numbers, ArrayFormat::npz, {.rate = "4", .variable = "b"}).data.channels(),
            Names{"b"});
  EXPECT_TRUE(says(arrays_refused({{"t", kTimes}, {"d", kTable}, {"e", kTable}}, ArrayFormat::npz),
                   "\"d\" (4 × 2), \"e\" (4 × 2)"));
}

TEST(ArrayVectors, MayHaveThreeDimensions) {
  const auto read = [](NumberArray array) {
    ArrayFile arrays;
    arrays.numbers["y"] = std::move(array);
    return dataset_of(arrays, {.dt = "1", .variable = "y"});
  };
  EXPECT_EQ(read({{4, 1, 1}, kX.values}).runs()[0].states(), (Matrix{{1, 4, 1, 9}}));
  EXPECT_THROW(read({{0, 1, 1}, {}}), Error);
}

TEST(ArrayVectors, AreNoneWhereADimensionIsEmpty) {
  ArrayFile arrays;
  arrays.numbers["y"] = {{4, 2, 2, 0}, {}};
  EXPECT_THROW(dataset_of(arrays, {}), Error);
  EXPECT_THROW(dataset_of(arrays, {.dt = "1"}), Error);
}

TEST(ArrayGroups, AreReadWhereTimesStandInThem) {
  if (!is_available(ArrayFormat::hdf5)) GTEST_SKIP() << "built without HDF5";
  const Numbers one{{"run/t", kTimes}, {"run/x", kTable}, {"run/deep/z", kX}, {"other/y", kX}};
  const Read read = read_arrays(one, ArrayFormat::hdf5);
  EXPECT_EQ(read.data.channels(), (Names{"x1", "x2"}));
  EXPECT_TRUE(says(read.assumed, "\"run\" is read")) << read.assumed;
  EXPECT_TRUE(says(read.assumed, "\"deep/z\" (4)")) << read.assumed;
  EXPECT_TRUE(says(read.assumed, "outside it: \"other/y\" (4), \"note\" (text)")) << read.assumed;
  EXPECT_EQ(read_arrays(one, ArrayFormat::hdf5, {.dt = "1", .variable = "other/y"}).data.channels(),
            Names{"other/y"});
  EXPECT_EQ(read_arrays(one, ArrayFormat::hdf5, {.variable = "/run/x"}).data.dimension(), 2);
  const Numbers two{{"a/t", kTimes}, {"a/x", kX}, {"b/t", kTimes}, {"b/y", kRow}};
  const std::string said = arrays_refused(two, ArrayFormat::hdf5);
  EXPECT_TRUE(says(said, "2 groups hold times")) << said;
  EXPECT_TRUE(says(said, "\"b/y\" (1 × 4)")) << said;
  EXPECT_EQ(read_arrays(two, ArrayFormat::hdf5, {.variable = "b"}).data.channels(), Names{"y"});
  EXPECT_EQ(read_arrays({{"grp/data", kTable}}, ArrayFormat::hdf5, {.dt = "1"}).data.dimension(),
            2);
  // Structs of MAT v7.3 are groups.
  ArrayFile arrays;
  arrays.numbers = {{"s/t", {{1, 4}, kTimes.values}}, {"s/x", kRow}};
  const std::string bytes = encode_arrays(arrays, ArrayFormat::hdf5);
  const ArrayFile back = decode_arrays(bytes, ArrayFormat::mat73);
  EXPECT_EQ(back.numbers.at("s.x").shape, (std::vector<std::size_t>{4, 1}));
  EXPECT_EQ(dataset_of(back).runs()[0].states(), (Matrix{{3, 1, 4, 1}}));
  EXPECT_EQ(dataset_of(back, {.variable = "s/x"}).channels(), Names{"x"});
}

TEST(ArrayGroups, WhatStandsBesideMayBeDamaged) {
  ArrayFile arrays;
  arrays.numbers = {{"other", kX}, {"t", kTimes}, {"x", kX}};
  std::string bytes = encode_arrays(arrays, ArrayFormat::npz);
  const std::size_t at = bytes.find("\x93NUMPY");
  ASSERT_NE(at, bytes.npos);
  bytes[at] = '?';
  EXPECT_EQ(read_data({TextFile(bytes).path()}).channels(), Names{"x1"});
}

TEST(ArrayFiles, OfOldKindsAreNamed) {
  using namespace std::string_literals;
  const auto refused = [](const std::string& bytes) {
    return testing::error_of([&] { read_data({TextFile(bytes).path()}); });
  };
  // A 2 × 1 matrix t of doubles, as MATLAB's save -v4 writes it.
  const std::string mat4 =
      "\0\0\0\0\2\0\0\0\1\0\0\0\0\0\0\0\2\0\0\0t\0"s + std::string(8, '\0') + "\0\0\0\0\0\0\xF0?"s;
  EXPECT_TRUE(says(refused(mat4), "version 4")) << refused(mat4);
  EXPECT_TRUE(says(refused(mat4), "save -v7")) << refused(mat4);
  EXPECT_TRUE(says(refused("\xFD\x37zXZ\0\0\4"s), "unxz")) << refused("\xFD\x37zXZ\0\0\4"s);
  EXPECT_TRUE(says(refused("BZh91AY"), "bzip2"));
}

}  // namespace
}  // namespace lgn
