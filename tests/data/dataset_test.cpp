#include "lgn/data/dataset.h"

#include <gtest/gtest.h>

#include <functional>
#include <limits>

#include "lgn/core/error.h"
#include "tests/gap.h"

namespace lgn {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

Vector times(std::initializer_list<double> values) {
  Vector result(static_cast<Index>(values.size()));
  std::copy(values.begin(), values.end(), result.data());
  return result;
}

Trajectory two_samples(const std::string& label = "a", Index channels = 2, Index inputs = 0) {
  return Trajectory(label, times({0, 1}), Matrix::Ones(channels, 2), Matrix::Ones(inputs, 2));
}

std::string data_complaint(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

TEST(Trajectory, KeepsWhatItIsGiven) {
  Matrix states(2, 3);
  states << 1, kGap, 3, 4, 5, 6;
  const Trajectory run("r", times({0, 0.5, 2}), states, Matrix::Constant(1, 3, 7));
  EXPECT_EQ(run.label(), "r");
  EXPECT_EQ(run.samples(), 3);
  EXPECT_EQ(run.times()[1], 0.5);
  EXPECT_TRUE(Trajectory::missing(run.states()(0, 1)));
  EXPECT_FALSE(Trajectory::missing(run.states()(1, 1)));
  EXPECT_EQ(run.inputs()(0, 2), 7);
}

TEST(Trajectory, WithoutInputsHasAnEmptyRowPerSample) {
  const Trajectory run("r", times({0, 1}), Matrix::Ones(2, 2));
  EXPECT_EQ(run.inputs().rows(), 0);
  EXPECT_EQ(run.inputs().cols(), 2);
}

TEST(Trajectory, RefusesWhatIsNoTrajectory) {
  const auto make = [](Vector t, Matrix x, Matrix u = {}) {
    return data_complaint([&] { Trajectory("r", t, x, u); });
  };
  EXPECT_NE(make(times({0}), Matrix::Ones(1, 1)).find("run \"r\": only 1 sample;"),
            std::string::npos);
  EXPECT_NE(make(times({}), Matrix(1, 0)).find("only 0 samples"), std::string::npos);
  EXPECT_NE(make(times({0, 0}), Matrix::Ones(1, 2)).find("time 0 follows 0"), std::string::npos);
  EXPECT_NE(make(times({0, 2, 1}), Matrix::Ones(1, 3)).find("time 1 follows 2"), std::string::npos);
  EXPECT_NE(make(times({0, kGap}), Matrix::Ones(1, 2)).find("not finite"), std::string::npos);
  EXPECT_NE(make(times({0, kInfinity}), Matrix::Ones(1, 2)).find("not finite"), std::string::npos);
  EXPECT_NE(make(times({0, 1}), Matrix::Ones(1, 3)).find("2 times, but 3"), std::string::npos);
  EXPECT_NE(make(times({0, 1}), Matrix::Ones(1, 2), Matrix::Ones(1, 3)).find("3 of the inputs"),
            std::string::npos);
  EXPECT_NE(make(times({0, 1}), Matrix::Constant(1, 2, -kInfinity)).find("a value is infinite"),
            std::string::npos);
  EXPECT_NE(make(times({0, 1}), Matrix::Ones(1, 2), Matrix::Constant(1, 2, kGap)).find("input"),
            std::string::npos);
}

TEST(Dataset, CountsSamplesAndPresentValues) {
  Matrix gaps = Matrix::Ones(2, 3);
  gaps(0, 0) = gaps(1, 2) = kGap;
  const Dataset data({"x", "y"}, {two_samples(), Trajectory("b", times({0, 1, 2}), gaps)});
  EXPECT_EQ(data.dimension(), 2);
  EXPECT_EQ(data.samples(), 5);
  EXPECT_EQ(data.present(), 8);
  EXPECT_TRUE(data.inputs().empty());
}

TEST(Dataset, AChannelMayBeMissingFromARunButNotFromAll) {
  Matrix half = Matrix::Ones(2, 2);
  half.row(1).setConstant(kGap);
  const Trajectory without_y("a", times({0, 1}), half);
  EXPECT_NO_THROW(Dataset({"x", "y"}, {without_y, two_samples("b")}));
  EXPECT_NE(data_complaint([&] {
              Dataset({"x", "y"}, {without_y});
            }).find("\"y\" holds no value"),
            std::string::npos);
}

TEST(Dataset, RefusesWhatIsNoDataset) {
  const auto make = [](std::vector<std::string> channels, std::vector<Trajectory> runs,
                       std::vector<std::string> inputs = {}) {
    return data_complaint([&] { Dataset(channels, runs, inputs); });
  };
  EXPECT_NE(make({}, {two_samples("a", 0)}).find("no measured channel"), std::string::npos);
  EXPECT_NE(make({"x", "y"}, {}).find("no data row"), std::string::npos);
  EXPECT_NE(make({"x", ""}, {two_samples()}).find("no name"), std::string::npos);
  EXPECT_NE(make({"x", "x"}, {two_samples()}).find("two channels are named \"x\""),
            std::string::npos);
  EXPECT_NE(make({"x", "y"}, {two_samples("a", 2, 1)}, {"x"}).find("named \"x\""),
            std::string::npos);
  EXPECT_NE(make({"x"}, {two_samples()}).find("2 channels and 0 inputs, not 1 and 0"),
            std::string::npos);
  EXPECT_NE(make({"x", "y"}, {two_samples()}, {"u"}).find("not 2 and 1"), std::string::npos);
  const Trajectory empty("a", times({0, 1}), Matrix::Constant(1, 2, kGap));
  EXPECT_NE(make({"x"}, {empty}).find("every cell is missing"), std::string::npos);
}

}  // namespace
}  // namespace lgn
