#include "lgn/flow/uniform_blocks.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "lgn/core/random.h"
#include "tests/core/machine_epsilon.h"

namespace lgn {
namespace {

using testing::epsilon;

constexpr Index samples = 37, block = 8, n = 3, runs = 2, parameters = 4;
constexpr double step = 0.2;

struct UniformBlocksTest : ::testing::Test {
  Random random{7};
  Matrix a = random.normals(n, n) - 2 * Matrix::Identity(n, n);
  Matrix starts = random.normals(n, runs);
  Matrix directions = random.normals(parameters * n, n);
  UniformFlow whole{a, step, samples};
  UniformBlocks blocks{a, step, samples, block};
  /// Each sample is that many products from the first.
  double rounding = 10 * samples * n * epsilon;
};

TEST_F(UniformBlocksTest, StatesAndMapsAreThoseOfTheWholeRecord) {
  const Matrix expected = whole.states(starts), states = blocks.states(starts);
  for (Index r = 0; r < runs; ++r)
    for (Index k = 0; k < samples; ++k)
      EXPECT_LT((states.col(r).segment(k * n, n) - expected.col(k * runs + r)).norm(),
                rounding * expected.norm());
  const Matrix maps = whole.maps();
  for (Index first = 0; first < samples; first += block) {
    const Index count = std::min(block, samples - first);
    EXPECT_LT((blocks.maps(first, count) - maps.middleRows(first * n, count * n)).norm(),
              rounding * maps.norm());
  }
}

TEST_F(UniformBlocksTest, DerivativesAreThoseOfTheWholeRecordInAnyOrder) {
  const Matrix expected = whole.derivatives(directions, whole.states(starts));
  for (const Index first : {0, 8, 16, 24, 32, 16, 0, 32}) {
    const Index count = std::min(block, samples - first);
    const Matrix found = blocks.derivatives(directions, starts, first, count);
    ASSERT_EQ(found.rows(), parameters * runs);
    ASSERT_EQ(found.cols(), count * n);
    for (Index i = 0; i < n; ++i)
      EXPECT_LT(
          (found.middleCols(i * count, count) - expected.middleCols(i * samples + first, count))
              .norm(),
          rounding * expected.norm());
  }
}

TEST(UniformBlocks, ShortRecordsAndManyStatesAreTakenWhole) {
  const Matrix a = -Matrix::Identity(2, 2);
  EXPECT_EQ(UniformBlocks::plan(a, 0.1, 10'000, 3), nullptr);
  EXPECT_NE(UniformBlocks::plan(a, 0.1, 1'000'000, 3), nullptr);
  EXPECT_EQ(UniformBlocks::plan(-Matrix::Identity(40, 40), 0.1, 1'000'000, 3), nullptr);
}

}  // namespace
}  // namespace lgn
