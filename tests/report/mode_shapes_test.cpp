#include "lgn/report/plot/mode_shapes.h"

#include <gtest/gtest.h>

#include "tests/report/markup.h"
#include "tests/report/sample_model.h"

namespace lgn {
namespace {

using Indices = std::vector<Index>;

TEST(ModeShapes, NamesShowRows) {
  const auto rows = channel_rows({"v10", "i1", "v2", "i3", "v1", "i2"});
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].name, "i");
  EXPECT_EQ(rows[0].channels, (Indices{1, 5, 3}));
  EXPECT_EQ(rows[1].name, "v");
  EXPECT_EQ(rows[1].channels, (Indices{4, 2, 0}));
  EXPECT_EQ(channel_rows({"x1 [m]", "x2 [m]", "x3 [m]"})[0].name, "x [m]");
}

TEST(ModeShapes, OtherNamesShowNone) {
  EXPECT_TRUE(channel_rows({"q", "p", "speed"}).empty());
  EXPECT_TRUE(channel_rows({"x1", "x2"}).empty());
  EXPECT_TRUE(channel_rows({"x1", "x2", "x3", "a", "b", "c"}).empty());
  EXPECT_TRUE(channel_rows({"9999999999999999999999", "8888888888888888888888", "7"}).empty());
}

TEST(ModeShapes, ConjugatesAreShownOnce) {
  const Model model = testing::sample_model("sd", 5, 4);
  const auto modes = shaped_modes(model);
  for (const Index k : modes) {
    EXPECT_GE(model.modes[static_cast<std::size_t>(k)].pole.imag(), 0);
    EXPECT_TRUE(testing::well_formed(shape_plot(model, k).svg()));
  }
  std::size_t all = 0;
  for (const Index k : modes)
    all += model.modes[static_cast<std::size_t>(k)].oscillates() ? 2u : 1u;
  EXPECT_EQ(all, 5u);
}

TEST(ModeShapes, AShapeIsScaledToItsLargestEntry) {
  const Model model = testing::sample_model("sd", 4, 4);
  const Plot plot = shape_plot(model, shaped_modes(model)[0]);
  double largest = 0;
  for (const auto& series : plot.series())
    largest = std::max(largest, series.y.cwiseAbs().maxCoeff());
  EXPECT_NEAR(largest, 1, 1e-14);  // the largest entry is real
}

}  // namespace
}  // namespace lgn
