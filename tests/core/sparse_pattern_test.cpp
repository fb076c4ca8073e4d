#include "lgn/core/sparse_pattern.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "lgn/core/error.h"
#include "lgn/core/random.h"
#include "lgn/core/worker_threads.h"

namespace lgn {
namespace {

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

/// Random places, some twice, with states that couple to none.
std::vector<std::pair<Index, Index>> random_places(Index n, Index count, std::uint64_t seed) {
  Random random(seed);
  const auto state = [&] {
    return static_cast<Index>(random.uniform() * static_cast<double>(n - 1));
  };
  std::vector<std::pair<Index, Index>> places;
  for (Index k = 0; k < count; ++k) {
    const Index row = state();
    places.emplace_back(row, state());
  }
  return places;
}

TEST(SparsePattern, HoldsThePlacesTheirTwinsAndTheDiagonal) {
  const Index n = 40;
  const auto places = random_places(n, 60, 1);
  const SparsePattern pattern = SparsePattern::around(n, places);
  std::set<std::pair<Index, Index>> expected;
  for (const auto& [i, j] : places) expected.insert({{i, j}, {j, i}});
  for (Index i = 0; i < n; ++i) expected.insert({i, i});
  ASSERT_EQ(pattern.entries(), static_cast<Index>(expected.size()));
  Index e = 0;
  for (const auto& [i, j] : expected) {
    EXPECT_EQ(pattern.find(i, j), e);
    EXPECT_EQ(pattern.twin[at(e)], pattern.find(j, i));
    if (i == j) {
      EXPECT_EQ(pattern.diagonal[at(i)], e);
    }
    ++e;
  }
  EXPECT_THROW(SparsePattern::around(3, {{0, 3}}), Error);
  EXPECT_THROW(SparsePattern::around(3, {{-1, 0}}), Error);
}

TEST(SparsePattern, ReorderingMovesEveryEntryWithItsStates) {
  const SparsePattern pattern = SparsePattern::around(40, random_places(40, 60, 2));
  const std::vector<Index> order = pattern.near_order();
  std::vector<Index> sorted = order, all(40);
  std::sort(sorted.begin(), sorted.end());
  std::iota(all.begin(), all.end(), Index{0});
  ASSERT_EQ(sorted, all);
  const auto [moved, entry] = pattern.reordered(order);
  ASSERT_EQ(moved.entries(), pattern.entries());
  for (Index k = 0; k < 40; ++k)
    for (Index e = moved.start[at(k)]; e < moved.start[at(k) + 1]; ++e)
      EXPECT_EQ(entry[at(e)], pattern.find(order[at(k)], order[at(moved.column[at(e)])]));
}

TEST(SparsePattern, NearOrderUntanglesAShuffledChain) {
  // A chain in random order: in the order of a walk from its end neighbours stand side by side.
  const Index n = 200;
  Random random(3);
  std::vector<Index> shuffled(at(n));
  std::iota(shuffled.begin(), shuffled.end(), Index{0});
  for (Index k = n - 1; k > 0; --k)
    std::swap(shuffled[at(k)],
              shuffled[at(static_cast<Index>(random.uniform() * static_cast<double>(k + 1)))]);
  std::vector<std::pair<Index, Index>> places;
  for (Index k = 0; k + 1 < n; ++k) places.emplace_back(shuffled[at(k)], shuffled[at(k + 1)]);
  const SparsePattern pattern = SparsePattern::around(n, places);
  const SparsePattern near = pattern.reordered(pattern.near_order()).pattern;
  for (Index i = 0; i < n; ++i)
    for (Index e = near.start[at(i)]; e < near.start[at(i) + 1]; ++e)
      EXPECT_LE(std::abs(near.column[at(e)] - i), 1);
}

TEST(WorkerThreads, CoverALoopOnceWhateverTheirNumber) {
  for (const int threads : {1, 2, 3, 5}) {
    WorkerThreads workers(threads);
    EXPECT_EQ(workers.threads(), threads);
    for (const Index count : {0, 1, 2, 7, 1000}) {
      std::vector<int> visits(at(count), 0);
      for (int round = 0; round < 20; ++round)
        workers.over(count, 1, [&](Index begin, Index end) {
          for (Index i = begin; i < end; ++i) ++visits[at(i)];
        });
      EXPECT_EQ(visits, std::vector<int>(at(count), 20));
    }
  }
}

}  // namespace
}  // namespace lgn
