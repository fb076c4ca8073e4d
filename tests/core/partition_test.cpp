#include "lgn/core/partition.h"

#include <gtest/gtest.h>

#include "lgn/core/stop.h"
#include "lgn/identify/regression/weak_form.h"

namespace lgn {
namespace {

TEST(Partition, OfOnePartIsTheWhole) {
  const Partition& one = *one_part();
  const Vector a = Vector::LinSpaced(6, 1, 6), b = Vector::LinSpaced(6, -1, 4);
  EXPECT_EQ(one.own(6).count, 6);
  EXPECT_EQ(one.own(6).whole, 6);
  EXPECT_EQ(one.dot(a, b), a.dot(b));
  EXPECT_EQ(one.norm_of_states(a), a.norm());
  EXPECT_EQ(one.count(2, 6), 4);
  EXPECT_EQ(one.median(a, 1, 4), 3);
  EXPECT_EQ(one.scattered(one.gathered(a, 2), 2), a);
  EXPECT_EQ(one.with_parameters(Vector::Zero(2)), one_part());
  Random random(1);
  Vector signs = Vector::Zero(6);
  one.draw_signs(random, signs, 2, 5);
  EXPECT_EQ(signs.cwiseAbs().sum(), 3);
  EXPECT_EQ(signs[0] + signs[1] + signs[5], 0);
}

/// Ends work at the stop point that is so many ones away.
class EndsAfter : public Partition {
 public:
  explicit EndsAfter(int points) : left_(points) {}
  void stop_point() const override {
    if (left_-- == 0) throw Stopped();
  }
  void stop_point(double /*work*/) const override { stop_point(); }
  int left() const { return left_; }

 private:
  mutable int left_;
};

TEST(Partition, EndsTheWeakFormAtAWindow) {
  const Vector times = Vector::LinSpaced(41, 0, 40);
  const Dataset data({"x"}, {Trajectory("1", times, times.transpose())});
  const EndsAfter third(3), never(1000);
  EXPECT_THROW(weak_form(data, 10, 3, 1, third), Stopped);
  EXPECT_EQ(weak_form(data, 10, 3, 1, never).states, weak_form(data, 10, 3).states);
  EXPECT_LT(never.left(), 1000);
}

TEST(StopManner, SaysWhetherThereIsAnAnswer) {
  EXPECT_FALSE(can_be_done_without());
  EXPECT_TRUE(unless_stopped([] { EXPECT_TRUE(can_be_done_without()); }));
  EXPECT_FALSE(can_be_done_without());
}

}  // namespace
}  // namespace lgn
