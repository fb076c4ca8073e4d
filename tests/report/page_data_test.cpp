#include "lgn/report/page/page_data.h"

#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>

#include "tests/report/sample_model.h"

namespace lgn {
namespace {

using Json = nlohmann::json;

std::vector<unsigned char> decode(const std::string& text) {
  static const std::string letters =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::vector<unsigned char> bytes;
  unsigned bits = 0;
  int held = 0;
  for (const char c : text) {
    if (c == '=') break;
    bits = bits << 6 | static_cast<unsigned>(letters.find(c));
    held += 6;
    if (held >= 8) {
      held -= 8;
      bytes.push_back(static_cast<unsigned char>(bits >> held & 0xFF));
    }
  }
  return bytes;
}

template <class Number>
std::vector<Number> numbers(const Json& page, const Json& index, char kind) {
  const std::string text = page["arrays"][index.get<std::size_t>()];
  EXPECT_EQ(text[0], kind);
  const auto bytes = decode(text.substr(1));
  std::vector<Number> values(bytes.size() / sizeof(Number));
  std::memcpy(values.data(), bytes.data(), values.size() * sizeof(Number));
  return values;
}

TEST(PageData, HoldsWhatAPlotShows) {
  Plot plot("a <b> title", "x", "y");
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const Vector x{{1.7e9 + 0.001, 1.7e9 + 0.002, 3e9}};
  plot.line(x, Vector{{1, nan, 0.1}}, 2, "model", {1.5, true});
  plot.band(x, Vector{{0, 0, 0}}, Vector{{1, 2, 3}}, 1);
  plot.mark_x(2, "</script>");
  plot.log_y().range_x(1, 2);
  const Model model = testing::sample_model("sd", 3, 1);
  const std::string text = page_data(model, {{"one", "time", plot}}, 2, {"run"});
  EXPECT_EQ(text.find('<'), std::string::npos);
  const Json page = Json::parse(text);
  const Json& one = page["plots"]["one"];
  EXPECT_EQ(one["title"], "a <b> title");
  EXPECT_EQ(one["group"], "time");
  EXPECT_EQ(one["marks"][0]["label"], "</script>");
  EXPECT_EQ(one["x"]["range"], (Json{1.0, 2.0}));
  EXPECT_EQ(one["y"]["log"], true);
  ASSERT_EQ(one["series"].size(), 2u);
  // Times to the last bit, as a clock's are large; each list once.
  const auto times = numbers<double>(page, one["series"][0]["x"], 'd');
  for (Index k = 0; k < 3; ++k) EXPECT_EQ(times[static_cast<std::size_t>(k)], x[k]);
  EXPECT_EQ(one["series"][0]["x"], one["series"][1]["x"]);
  const auto values = numbers<float>(page, one["series"][0]["y"], 'f');
  EXPECT_EQ(values[0], 1.0f);
  EXPECT_TRUE(std::isnan(values[1]));
  EXPECT_EQ(values[2], 0.1f);
  EXPECT_EQ(numbers<float>(page, one["series"][1]["high"], 'f')[2], 3.0f);
  EXPECT_EQ(page["channels"], (Json{"x0", "x1"}));
  EXPECT_EQ(page["runs"], (Json{"run"}));
  const auto& shape = page["shapes"]["modes"][0];
  EXPECT_EQ(numbers<float>(page, shape["re"], 'f').size(), 3u);
  EXPECT_EQ(page["shapes"]["rows"][0]["channels"], (Json{0, 1, 2}));
}

TEST(PageData, KeepsSmallMotionOnALargeOffset) {
  Plot plot("", "", "");
  const Vector y{{1e6, 1e6 + 0.01, 1e6 - 0.01}}, large{{1e300, 1, 2}};
  plot.line(Vector::LinSpaced(3, 0, 1), y, 1, "");
  plot.line(Vector::LinSpaced(3, 0, 1), large, 1, "");
  const Json page =
      Json::parse(page_data(testing::sample_model("sd", 2, 1), {{"one", "", plot}}, 1, {}));
  const auto values = numbers<double>(page, page["plots"]["one"]["series"][0]["y"], 'd');
  EXPECT_EQ(values[1], y[1]);
  EXPECT_EQ(numbers<double>(page, page["plots"]["one"]["series"][1]["y"], 'd')[0], 1e300);
}

}  // namespace
}  // namespace lgn
