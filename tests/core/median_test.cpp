#include "lgn/core/median.h"

#include <gtest/gtest.h>

#include <cmath>

namespace lgn {
namespace {

TEST(Median, IsTheMiddleValue) {
  EXPECT_EQ(median({3, 1, 2}), 2);
  EXPECT_EQ(median({4, 1, 3, 2}), 3);  // the upper of two
  EXPECT_EQ(median({7}), 7);
  EXPECT_TRUE(std::isnan(median({})));
}

}  // namespace
}  // namespace lgn
