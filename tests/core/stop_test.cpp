#include "lgn/core/stop.h"

#include <gtest/gtest.h>

#include <thread>

namespace lgn {
namespace {

TEST(Stop, NobodyAsksWhereThereIsNoScope) {
  EXPECT_NO_THROW(stop_point());
  EXPECT_FALSE(stop_requested());
  EXPECT_TRUE(unless_stopped([] { stop_point(); }));
}

TEST(Stop, WorkWithAnAnswerEndsAtOnce) {
  StopScope scope;
  scope.request();
  int done = 0;
  EXPECT_FALSE(unless_stopped([&] {
    done = 1;
    stop_point();
    done = 2;
  }));
  EXPECT_EQ(done, 1);
  EXPECT_TRUE(stop_requested());
}

TEST(Stop, WorkWithoutAnAnswerHasAnAllowance) {
  StopScope scope(0, {}, 1e9);
  scope.request();
  EXPECT_NO_THROW(stop_point());
  StopScope strict(0, {}, -1);
  EXPECT_THROW(stop_point(), Stopped);
  EXPECT_NO_THROW(to_the_end([] { stop_point(); }));
}

TEST(Stop, TimeAndQuestionsAsk) {
  {
    const StopScope scope(1e-9);
    EXPECT_TRUE(scope.requested());
  }
  bool asked = false;
  const StopScope scope(0, [&] { return asked; });
  EXPECT_TRUE(unless_stopped([] { stop_point(); }));
  asked = true;
  EXPECT_FALSE(unless_stopped([] { stop_point(); }));
}

TEST(Stop, ScopesNest) {
  StopScope outer;
  {
    const StopScope inner;
    outer.request();
    EXPECT_TRUE(inner.requested());
  }
  EXPECT_FALSE(unless_stopped([] { stop_point(); }));
}

TEST(Stop, LimitsOfWorkCountAndEndOnlyWhatCanBeDoneWithout) {
  const double before = work_done();
  const WorkLimit limit(1e6);
  stop_point(2e6);
  EXPECT_EQ(work_done() - before, 2e6);
  EXPECT_TRUE(limit.reached());
  EXPECT_NO_THROW(stop_point());
  EXPECT_FALSE(unless_stopped([] { stop_point(); }));
  EXPECT_FALSE(stop_requested());
}

TEST(Stop, OtherThreadsObeyWhenTheyShare) {
  StopScope scope;
  scope.request();
  const SharedStop shared;
  bool alone = false, together = true;
  std::thread([&] {
    alone = unless_stopped([] { stop_point(); });
    const SharedStop::Use use(shared);
    together = unless_stopped([] { stop_point(); });
  }).join();
  EXPECT_TRUE(alone);
  EXPECT_FALSE(together);
}

}  // namespace
}  // namespace lgn
