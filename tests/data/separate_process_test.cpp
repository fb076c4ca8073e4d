#include <gtest/gtest.h>

#include <cstdlib>
#include <stdexcept>

#include "lgn/data/arrays/separate_process_internal.h"
#include "tests/data/array_fixture.h"

namespace lgn {
namespace {

using array_internal::ChildLimits;
using array_internal::decode_in_child;
using testing::error_of;

constexpr ChildLimits kLimits{1, std::size_t{1} << 30};

std::string child_complaint(const std::function<ArrayFile()>& decode) {
  return error_of([&] { decode_in_child(decode, kLimits, Error("otherwise")); });
}

TEST(SeparateProcess, SendsWhatWasDecoded) {
  ArrayFile file;
  file.numbers["x"] = {{2, 2}, {1, 2, 3, 4}};
  file.texts["channels"] = {"Δx", ""};
  file.unread["group"] = "a group";
  file.is_matlab = true;
  const ArrayFile got = decode_in_child([&] { return file; }, kLimits, Error("otherwise"));
  EXPECT_EQ(got.numbers.at("x").shape, file.numbers.at("x").shape);
  EXPECT_EQ(got.numbers.at("x").values, file.numbers.at("x").values);
  EXPECT_EQ(got.texts, file.texts);
  EXPECT_EQ(got.unread, file.unread);
  EXPECT_TRUE(got.is_matlab);
}

TEST(SeparateProcess, SendsErrors) {
  EXPECT_EQ(child_complaint([]() -> ArrayFile { throw Error("what is wrong"); }), "what is wrong");
}

TEST(SeparateProcess, OutlivesItsChild) {
  EXPECT_EQ(child_complaint([]() -> ArrayFile { std::abort(); }), "otherwise");
  EXPECT_EQ(child_complaint([]() -> ArrayFile { throw std::runtime_error("other"); }), "otherwise");
  EXPECT_EQ(child_complaint([]() -> ArrayFile {
              volatile bool ended = false;
              while (!ended) continue;
              return {};
            }),
            "otherwise");
}

// Four times what it may have, and touched: a machine with less would not survive it.
TEST(SeparateProcess, LimitsMemory) {
  EXPECT_EQ(child_complaint([]() -> ArrayFile {
              ArrayFile file;
              file.numbers["x"].values.assign(4 * kLimits.bytes / sizeof(double), 1);
              return file;
            }),
            "otherwise");
}

}  // namespace
}  // namespace lgn
