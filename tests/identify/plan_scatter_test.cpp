#include <gtest/gtest.h>

#include "experiments/identification/plan.h"

namespace lgn::studies {
namespace {

TEST(PlanScatter, IsThatOfMaximumLikelihood) {
  const auto found = study_plan(200, true);
  ASSERT_EQ(found.size(), 10u);
  // The root mean square of 400 normal numbers, two for each record of one mode, is known to 1/√800 = 3.5%: three of these.
  for (const PlanCheck& record : found) EXPECT_NEAR(record.ratio, 1, 0.106) << record.record;
}

}  // namespace
}  // namespace lgn::studies
