#include "lgn/core/thread_limit.h"

#include <gtest/gtest.h>

#include "lgn/core/linear_algebra.h"

extern "C" int openblas_get_num_threads() __attribute__((weak));

namespace lgn {
namespace {

TEST(ThreadLimit, GivesBackWhatItWasLent) {
  if (openblas_get_num_threads == nullptr) GTEST_SKIP() << "this BLAS does not tell its threads";
  set_threads(2);
  const int before = openblas_get_num_threads();  // fewer where it was built for fewer
  {
    const ThreadLimit one(1);
    EXPECT_EQ(openblas_get_num_threads(), 1);
  }
  EXPECT_EQ(openblas_get_num_threads(), before);
  set_threads(1);
}

}  // namespace
}  // namespace lgn
