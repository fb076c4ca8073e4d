#include "lgn/report/plot/envelope.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "lgn/core/random.h"

namespace lgn {
namespace {

const double nan = std::numeric_limits<double>::quiet_NaN();

TEST(Envelope, LeavesShortSignalsAsTheyAre) {
  const Vector values{{3, nan, 1}};
  EXPECT_EQ(envelope(values, 3).size(), 3);
  EXPECT_EQ(envelope(values, 3)[2], 1);
  EXPECT_EQ(envelope_times(values, 4).size(), 3);
}

TEST(Envelope, KeepsTheExtremesInTheirOrder) {
  const Vector values{{0, 5, 1, /**/ 2, -3, 7, /**/ 1, 1, 1}};
  EXPECT_EQ(envelope(values, 6), (Vector{{0, 5, -3, 7, 1, 1}}));
}

TEST(Envelope, KeepsTheExtremesOfEveryPartAtItsTime) {
  Random random(3);
  const Index samples = 1003, most = 100;
  const Vector values = random.normals(samples), times = Vector::LinSpaced(samples, 5, 7);
  const Vector kept = envelope(values, most), when = envelope_times(times, most);
  ASSERT_EQ(kept.size(), most);
  ASSERT_EQ(when.size(), most);
  EXPECT_EQ(kept.minCoeff(), values.minCoeff());
  EXPECT_EQ(kept.maxCoeff(), values.maxCoeff());
  for (Index k = 1; k < most; ++k) EXPECT_GT(when[k], when[k - 1]);
  // Points stand within a part of 2/50 of where their values were.
  for (Index k = 0; k < most; ++k) {
    const auto near = (times.array() - when[k]).abs() <= 2.0 / 50;
    EXPECT_TRUE((near && (values.array() == kept[k])).any()) << k;
  }
}

TEST(Envelope, MissingSamplesCountWhereThereIsNoOther) {
  const Vector kept = envelope(Vector{{nan, 4, nan, nan, nan, nan}}, 4);
  EXPECT_EQ(kept[0], 4);
  EXPECT_EQ(kept[1], 4);
  EXPECT_TRUE(std::isnan(kept[2]));
  EXPECT_TRUE(std::isnan(kept[3]));
}

}  // namespace
}  // namespace lgn
