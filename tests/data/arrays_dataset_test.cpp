#include "lgn/data/arrays/arrays_dataset.h"

#include <gtest/gtest.h>

#include <numeric>

#include "tests/data/array_fixture.h"
#include "tests/data/csv_fixture.h"

namespace lgn {
namespace {

using testing::error_of;
using testing::expect_same;
using testing::sample_data;
using Shape = std::vector<std::size_t>;

/// 0, 1, 2, … in that shape: every place has its own number.
NumberArray counted(const Shape& shape) {
  NumberArray array{shape, {}};
  array.values.resize(
      std::accumulate(shape.begin(), shape.end(), std::size_t{1}, std::multiplies{}));
  std::iota(array.values.begin(), array.values.end(), 0.);
  return array;
}

ArrayFile file(const Shape& times, const Shape& x, bool is_matlab = false) {
  ArrayFile arrays;
  arrays.numbers["t"] = counted(times);
  arrays.numbers["x"] = counted(x);
  arrays.is_matlab = is_matlab;
  return arrays;
}

std::string arrays_complaint(const ArrayFile& arrays, const ReadOptions& options = {}) {
  return error_of([&] { dataset_of(arrays, options); });
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != text.npos; }

TEST(ArraysDataset, AgreedOrders) {
  const Dataset one = dataset_of(file({4}, {4, 2}));
  EXPECT_EQ(one.channels(), (std::vector<std::string>{"x1", "x2"}));
  EXPECT_EQ(one.runs()[0].states()(1, 2), 5);
  EXPECT_EQ(one.runs()[0].label(), "1");
  const Dataset several = dataset_of(file({4}, {3, 4, 2}));
  ASSERT_EQ(several.runs().size(), 3u);
  EXPECT_EQ(several.runs()[2].states()(1, 3), 23);
  EXPECT_EQ(several.runs()[2].label(), "3");
  EXPECT_EQ(dataset_of(file({3, 4}, {3, 4, 2})).runs()[1].times()[0], 4);
  EXPECT_EQ(dataset_of(file({4}, {4})).runs()[0].states()(0, 3), 3);
  // Square arrays are what was agreed.
  EXPECT_EQ(dataset_of(file({4}, {4, 4})).runs()[0].states()(1, 0), 1);
  EXPECT_EQ(dataset_of(file({4}, {4, 4, 4})).runs()[1].states()(0, 0), 16);
}

TEST(ArraysDataset, OrdersThatLeaveNoDoubt) {
  for (const Shape& times : {Shape{4}, Shape{1, 4}, Shape{4, 1}}) {
    EXPECT_EQ(dataset_of(file(times, {2, 4})).runs()[0].states()(1, 2), 6) << "[channel, sample]";
    EXPECT_EQ(dataset_of(file(times, {4, 2})).runs()[0].states()(1, 2), 5) << "[sample, channel]";
    EXPECT_EQ(dataset_of(file(times, {4, 2, 3}, true)).runs()[2].states()(1, 3), 23)
        << "[sample, channel, run]";
    EXPECT_EQ(dataset_of(file(times, {3, 2, 4})).runs()[2].states()(1, 3), 23)
        << "[run, channel, sample]";
  }
  EXPECT_EQ(dataset_of(file({4, 3}, {4, 2, 3}, true)).runs()[1].times()[1], 4) << "t [sample, run]";
  EXPECT_EQ(dataset_of(file({3, 4}, {3, 4})).runs()[2].states()(0, 1), 9) << "one channel";
}

TEST(ArraysDataset, NamesDecide) {
  ArrayFile runs_of_one = file({4}, {3, 4});
  runs_of_one.texts["channels"] = {"v"};
  EXPECT_EQ(dataset_of(runs_of_one).runs().size(), 3u);
  ArrayFile labelled = file({4}, {3, 4});
  labelled.texts["runs"] = {"a", "b", "c"};
  EXPECT_EQ(dataset_of(labelled).runs()[1].label(), "b");
  EXPECT_EQ(dataset_of(labelled).channels().size(), 1u);
  ArrayFile channels = file({4}, {4, 4});
  channels.texts["channels"] = {"a", "b", "c"};
  EXPECT_TRUE(has(arrays_complaint(channels), "of 3 channels")) << arrays_complaint(channels);
  EXPECT_TRUE(
      has(arrays_complaint(file({4}, {4, 4, 2}, true)), "could be [run, sample, channel] and"))
      << arrays_complaint(file({4}, {4, 4, 2}, true));
  ArrayFile named = file({4}, {4, 4, 2}, true);
  named.texts["channels"] = {"a", "b"};
  EXPECT_EQ(dataset_of(named).runs().size(), 4u);
}

TEST(ArraysDataset, TimesMayBePadded) {
  ArrayFile arrays = file({2, 4}, {2, 4, 1});
  arrays.numbers["t"].values[7] = kGap;
  const Dataset data = dataset_of(arrays);
  EXPECT_EQ(data.runs()[0].samples(), 4);
  EXPECT_EQ(data.runs()[1].samples(), 3);
  arrays.numbers["t"].values[5] = kGap;
  EXPECT_TRUE(has(arrays_complaint(arrays), "time 2 of 3 is missing")) << arrays_complaint(arrays);
}

TEST(ArraysDataset, Inputs) {
  ArrayFile arrays = file({4}, {3, 4, 2});
  arrays.numbers["u"] = counted({3, 4, 1});
  EXPECT_EQ(dataset_of(arrays).inputs(), (std::vector<std::string>{"u"}));
  EXPECT_EQ(dataset_of(arrays).runs()[1].inputs()(0, 0), 4);
  arrays.numbers["u"] = counted({3, 4});
  EXPECT_EQ(dataset_of(arrays).runs()[1].inputs()(0, 1), 5);
  arrays.numbers["u"] = counted({4, 2});
  EXPECT_TRUE(has(arrays_complaint(arrays), "u is 4 × 2, which do not fit"))
      << arrays_complaint(arrays);
  ArrayFile two = file({4}, {4, 2});
  two.numbers["u"] = counted({4, 2});
  EXPECT_EQ(dataset_of(two).inputs(), (std::vector<std::string>{"u1", "u2"}));
  ReadOptions none;
  none.inputs = {"none"};
  EXPECT_EQ(dataset_of(two, none).channels(), (std::vector<std::string>{"x1", "x2", "u1", "u2"}));
  ReadOptions chosen;
  chosen.inputs = {"x2"};
  chosen.channels = {"u2", "x1"};
  const Dataset data = dataset_of(two, chosen);
  EXPECT_EQ(data.channels(), chosen.channels);
  EXPECT_EQ(data.runs()[0].states()(0, 1), 3);
  EXPECT_EQ(data.runs()[0].inputs()(0, 1), 3);
}

TEST(ArraysDataset, OptionsChooseByName) {
  ArrayFile arrays = file({4}, {4, 3});
  arrays.texts["channels"] = {"a", "b", "c"};
  arrays.numbers["clock"] = arrays.numbers["t"];
  arrays.numbers["clock"].values[0] = -5;
  ReadOptions options;
  options.time = "clock";
  options.channels = {"c", "a"};
  const Dataset data = dataset_of(arrays, options);
  EXPECT_EQ(data.channels(), options.channels);
  EXPECT_EQ(data.runs()[0].times()[0], -5);
  EXPECT_EQ(data.runs()[0].states()(0, 0), 2);
  options.channels = {"d"};
  EXPECT_TRUE(has(arrays_complaint(arrays, options), "no channel \"d\", which `channels` names"));
  options.channels = {"a", "a"};
  EXPECT_TRUE(has(arrays_complaint(arrays, options), "once more"));
  ArrayFile capital;
  capital.numbers["T"] = counted({4});
  capital.numbers["X"] = counted({4, 3});
  EXPECT_EQ(dataset_of(capital).dimension(), 3);
}

TEST(ArraysDataset, SaysWhatIsWrong) {
  ArrayFile arrays;
  EXPECT_TRUE(has(arrays_complaint(arrays), "no array x")) << arrays_complaint(arrays);
  EXPECT_TRUE(has(arrays_complaint(arrays), "the file holds no array"));
  arrays.numbers["y"] = arrays.numbers["z"] = counted({2, 3});
  EXPECT_TRUE(has(arrays_complaint(arrays), "no array x, and several others"));
  EXPECT_TRUE(has(arrays_complaint(arrays), "\"y\" (2 × 3)"));
  arrays.numbers.erase("z");
  arrays.numbers["t"] = counted({4});
  EXPECT_TRUE(has(arrays_complaint(arrays), "t is 4, y is 2 × 3, which do not fit"));
  arrays.unread["x"] = "complex numbers";
  EXPECT_TRUE(has(arrays_complaint(arrays), "\"x\" holds complex numbers"));
  EXPECT_TRUE(has(arrays_complaint(file({4}, {5, 2})), "t is 4, x is 5 × 2, which do not fit"));
  EXPECT_TRUE(has(arrays_complaint(file({2, 2, 2}, {5, 2})), "times are [sample]"));
  EXPECT_TRUE(has(arrays_complaint(file({1}, {1, 2})), "only 1 sample"));
  EXPECT_NE(arrays_complaint(file({0}, {0, 2})), "");
  EXPECT_NE(arrays_complaint(file({4}, {0, 4, 2})), "");
  EXPECT_NE(arrays_complaint(file({4}, {4, 0})), "");
  ArrayFile objects = file({4}, {4, 2});
  objects.unread["channels"] = "an object";
  EXPECT_TRUE(has(arrays_complaint(objects), "cellstr")) << arrays_complaint(objects);
  ArrayFile twice = file({4}, {4, 2});
  twice.texts["channels"] = {"a", "a"};
  EXPECT_TRUE(has(arrays_complaint(twice), "two channels are named \"a\""));
}

// A hundred bytes may say that nothing has a billion channels: their names would fill the memory.
TEST(ArraysDataset, NothingHasNoChannels) {
  for (const Shape& x : {Shape{0, 1000000000}, Shape{1000000000, 0, 2}})
    EXPECT_TRUE(has(arrays_complaint(file({0}, x)), "x is empty"));
}

TEST(ArraysDataset, TablesHoldTimesInTheFirstColumn) {
  for (const bool several : {false, true}) {
    const Dataset data = sample_data(several, false);
    const Dataset back = dataset_of(table_of(data));
    ASSERT_EQ(back.runs().size(), data.runs().size());
    for (std::size_t k = 0; k < data.runs().size(); ++k) {
      EXPECT_TRUE(testing::same_matrix(back.runs()[k].times(), data.runs()[k].times()));
      EXPECT_TRUE(testing::same_matrix(back.runs()[k].states(), data.runs()[k].states()));
    }
  }
  EXPECT_TRUE(has(error_of([] { table_of(sample_data(false, true)); }), "inputs"));
  ArrayFile vector;
  vector.numbers[""] = counted({5});
  EXPECT_TRUE(has(arrays_complaint(vector), "[sample, column]"));
  vector.numbers[""] = counted({0, 3});
  EXPECT_TRUE(has(arrays_complaint(vector), "[sample, column]"));
}

}  // namespace
}  // namespace lgn
