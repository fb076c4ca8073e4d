#include "lgn/report/text/shapes_table.h"

#include <gtest/gtest.h>

#include "tests/report/sample_model.h"

namespace lgn {
namespace {

/// Two channels that move against each other in one mode: v = (1, −0.5 + 0i) scaled to unit length.
Model against() {
  Model model = testing::sample_model("sd", 2, 1);
  model.channels = {"a", "b"};
  Mode mode;
  mode.pole = {-0.1, 2};
  mode.frequency_hz = 0.31871;
  mode.damping_ratio = 0.05;
  mode.shape = ComplexVector(2);
  mode.shape << Complex(0.8, 0), Complex(-0.4, 0);
  mode.shape_errors = ComplexVector(2);
  mode.shape_errors << Complex(0, 0), Complex(0.008, 0.016);
  model.modes = {mode};
  return model;
}

TEST(ShapesTable, GivesSizeAndPhaseBesideTheLargestEntry) {
  const Table table = shapes(against());
  ASSERT_EQ(table.rows.size(), 2u);
  EXPECT_EQ(table.rows[0][2], "1");
  EXPECT_EQ(table.rows[0][3], "0");
  // 0.4/0.8 with the error 0.008/0.8; the phase error is that across, 0.016/0.4 rad = 2.29°.
  EXPECT_EQ(table.rows[1][2], "0.500 ± 0.010");
  EXPECT_EQ(table.rows[1][3], "180.0 ± 2.3");
}

TEST(ShapesTable, LeavesOutModesThatAreNotDetermined) {
  Model model = against();
  model.modes[0].identifiable = false;
  EXPECT_TRUE(shapes(model).rows.empty());
  EXPECT_NE(shapes_table(model).find("no mode shapes"), std::string::npos);
}

TEST(ShapesTable, WritesNoErrorsWhereNoneAreKnown) {
  Model model = against();
  model.modes[0].shape_errors = {};
  EXPECT_EQ(shapes(model).rows[1][2], "0.5");
}

}  // namespace
}  // namespace lgn
