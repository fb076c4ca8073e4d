#include <gtest/gtest.h>

#include "lgn/data/arrays/arrays_dataset.h"
#include "lgn/data/data_file.h"
#include "tests/data/array_fixture.h"
#include "tests/data/csv_fixture.h"

namespace lgn {
namespace {

using testing::error_of;
using testing::expect_same;
using testing::sample_data;

TEST(ArrayFormats, TellThemselvesByTheirFirstBytes) {
  const ArrayFile arrays = arrays_of(sample_data(false, false));
  for (const ArrayFormat format : testing::named_formats())
    EXPECT_EQ(find_array_format(encode_arrays(arrays, format).substr(0, kFormatBytes)), format)
        << format_name(format);
  const ArrayFile table = table_of(sample_data(false, false));
  EXPECT_EQ(find_array_format(encode_arrays(table, ArrayFormat::npy)), ArrayFormat::npy);
  for (const char* text : {"", "t,x\n0,1\n", "PK", "MATLAB", "# NUMPY"})
    EXPECT_EQ(find_array_format(text), std::nullopt) << text;
}

TEST(ArrayFormats, KeepEveryNumberAndName) {
  for (const bool several : {false, true})
    for (const bool driven : {false, true}) {
      const Dataset data = sample_data(several, driven);
      for (const ArrayFormat format : testing::named_formats()) {
        SCOPED_TRACE(format_name(format));
        expect_same(dataset_of(decode_arrays(encode_arrays(arrays_of(data), format), format)),
                    data);
      }
    }
}

TEST(ArrayFormats, KeepArraysOfEveryRank) {
  ArrayFile arrays;
  arrays.numbers["vector"] = {{4}, {1, 2, 3, 4}};
  arrays.numbers["matrix"] = {{2, 3}, {1, 2, 3, 4, 5, 6}};
  arrays.numbers["cube"] = {{2, 3, 2}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}};
  arrays.numbers["hyper"] = {{1, 2, 1, 3}, {1, 2, 3, 4, 5, 6}};
  arrays.numbers["empty"] = {{0, 3}, {}};
  arrays.texts["words"] = {"", "a", "longer than the others", "ü"};
  for (const ArrayFormat format : testing::named_formats()) {
    SCOPED_TRACE(format_name(format));
    const ArrayFile back = decode_arrays(encode_arrays(arrays, format), format);
    EXPECT_EQ(back.texts, arrays.texts);
    ASSERT_EQ(back.numbers.size(), arrays.numbers.size());
    for (const auto& [name, array] : arrays.numbers) {
      EXPECT_EQ(back.numbers.at(name).values, array.values) << name;
      // MATLAB knows no vectors: they are columns.
      if (name != "vector" || !back.is_matlab) {
        EXPECT_EQ(back.numbers.at(name).shape, array.shape) << name;
      }
    }
  }
}

TEST(ArrayFormats, ReadOnlyWhatIsWanted) {
  ArrayFile arrays;
  arrays.numbers["wanted"] = {{2}, {1, 2}};
  arrays.numbers["other"] = {{2}, {3, 4}};
  arrays.texts["names"] = {"a"};
  for (const ArrayFormat format : testing::named_formats()) {
    SCOPED_TRACE(format_name(format));
    const ArrayFile back = decode_arrays(encode_arrays(arrays, format), format,
                                         [](const std::string& name) { return name == "wanted"; });
    EXPECT_EQ(back.numbers.size(), 1u);
    EXPECT_EQ(back.numbers.at("wanted").values, arrays.numbers["wanted"].values);
    EXPECT_TRUE(back.texts.empty());
    EXPECT_TRUE(back.unread.contains("other"));
    EXPECT_TRUE(back.unread.contains("names"));
  }
}

// Whatever is cut off or turned over: an Error or other numbers, but nothing worse. Prefixes and
// single bytes, all of them for these small files (each fifth where a process is started).
TEST(ArrayFormats, SurviveDamage) {
  const ArrayFile arrays = arrays_of(sample_data(true, true));
  for (const ArrayFormat format : testing::named_formats()) {
    SCOPED_TRACE(format_name(format));
    const bool is_hdf5 = format == ArrayFormat::hdf5 || format == ArrayFormat::mat73;
    const std::string whole = encode_arrays(arrays, format);
    const std::size_t step = is_hdf5 ? 101 : 3;
    const auto read = [&](const std::string& bytes) {
      try {
        dataset_of(decode_arrays(bytes, format));
      } catch (const Error& error) {
        EXPECT_STRNE(error.what(), "");
      }
    };
    for (std::size_t size = 0; size < whole.size(); size += step) read(whole.substr(0, size));
    for (std::size_t at = 0; at < whole.size(); at += step) {
      std::string damaged = whole;
      damaged[at] = static_cast<char>(~damaged[at]);
      read(damaged);
    }
  }
}

TEST(ArrayFormats, SayWhatIsMissingInTheBuild) {
  for (const ArrayFormat format : {ArrayFormat::mat73, ArrayFormat::hdf5}) {
    if (is_available(format)) continue;
    EXPECT_NE(error_of([&] { decode_arrays("", format); }).find("libhdf5-dev"), std::string::npos);
    EXPECT_NE(error_of([&] { encode_arrays({}, format); }).find("libhdf5-dev"), std::string::npos);
  }
}

}  // namespace
}  // namespace lgn
