#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "lgn/core/random.h"
#include "lgn/data/csv/csv.h"
#include "tests/data/csv_fixture.h"
#include "tests/gap.h"

namespace lgn {
namespace {

using testing::expect_same;
using testing::file_text;
using testing::temporary_path;
using Names = std::vector<std::string>;

Matrix matrix_of_rows(std::initializer_list<std::initializer_list<double>> rows) {
  return Matrix(rows);
}

Dataset awkward() {
  const double tiny = std::numeric_limits<double>::denorm_min();
  const double huge = std::numeric_limits<double>::max();
  Vector first(3), second(2);
  first << -1e-300, 0.1, 1e300;
  second << 0, 1.0 / 3.0;
  return Dataset(
      {"x", "v (m/s), raw", "say \"hi\"", " läuft ", "#5", "µ;\t", "温度"},
      {Trajectory("1", first,
                  matrix_of_rows({{tiny, -tiny, 0.1},
                                  {huge, -huge, kGap},
                                  {kGap, kGap, kGap},
                                  {-0.0, 0.0, 1e-310},
                                  {1e22, 1e23, 123456789012345678.0},
                                  {5e-324, 2.2250738585072011e-308, 2.2250738585072014e-308},
                                  {1.0 / 3.0, 2.0 / 3.0, 0.1 + 0.2}}),
                  matrix_of_rows({{1, 2, 3}})),
       Trajectory("#a, \"b\" ", second, Matrix::Constant(7, 2, 0.3), matrix_of_rows({{4, 5}})),
       Trajectory("", second, Matrix::Constant(7, 2, 0.7), matrix_of_rows({{6, 7}}))},
      {"u1"});
}

TEST(CsvWriter, RoundTripsBitForBit) {
  const std::string path = temporary_path();
  write_csv(awkward(), path);
  expect_same(read_csv({path}), awkward());
}

TEST(CsvWriter, WritesTheDocumentedForm) {
  const std::string path = temporary_path();
  Vector times(2);
  times << 0, 0.5;
  const Trajectory run("only", times, matrix_of_rows({{kGap, 1e-7}}));
  write_csv(Dataset({"x"}, {run}), path);
  EXPECT_EQ(file_text(path), "t,x\n0,\n0.5,1e-07\n");

  const Trajectory driven("a,b", times, matrix_of_rows({{1, kGap}}), matrix_of_rows({{2, 3}}));
  write_csv(Dataset({"x y"}, {driven, driven}, {"force"}), path);
  EXPECT_EQ(file_text(path),
            "trajectory,t,x y,force\n\"a,b\",0,1,2\n\"a,b\",0.5,,3\n"
            "\"a,b (2)\",0,1,2\n\"a,b (2)\",0.5,,3\n");
  EXPECT_EQ(read_csv({path}, {.inputs = {"force"}}).inputs(), Names{"force"});
}

TEST(CsvWriter, RandomDataRoundTrip) {
  Random random(7);
  const auto number = [&] {  // any magnitude, and any bit of the mantissa
    return random.normal() * std::exp2(std::floor(2000 * random.uniform()) - 1000);
  };
  for (int trial = 0; trial < 60; ++trial) {
    const auto count = [&](int most) { return 1 + static_cast<Index>(most * random.uniform()); };
    const Index channels = count(6), inputs = count(3) - 1, runs = count(5);
    Names channel_names, input_names;
    for (Index c = 0; c < channels; ++c) channel_names.push_back("x" + std::to_string(c));
    for (Index c = 0; c < inputs; ++c) input_names.push_back("u" + std::to_string(c));
    std::vector<Trajectory> all;
    for (Index r = 0; r < runs; ++r) {
      const Index samples = 1 + count(40);
      Vector times(samples);
      for (Index k = 0; k < samples; ++k) times[k] = static_cast<double>(k) + random.uniform();
      Matrix states(channels, samples), driving(inputs, samples);
      for (double& value : states.reshaped()) value = random.uniform() < 0.1 ? kGap : number();
      for (double& value : driving.reshaped()) value = number();
      states.col(0).setOnes();  // every channel needs a value
      all.emplace_back("run " + std::to_string(r), times, states, driving);
    }
    const Dataset data(channel_names, all, input_names);
    const std::string path = temporary_path();
    write_csv(data, path);
    const auto block = static_cast<std::size_t>(count(200));
    expect_same(csv_internal::read_csv({path}, {}, block), data);
  }
}

TEST(CsvWriter, RefusesNamesThatTheReaderWouldTakeForSomethingElse) {
  Vector times(2);
  times << 0, 1;
  const auto attempt = [&](const std::string& channel, const std::string& label) {
    const std::string path = temporary_path();
    const Trajectory run(label, times, Matrix::Ones(1, 2));
    EXPECT_THROW(write_csv(Dataset({channel}, {run, run}), path), Error) << channel << label;
    EXPECT_FALSE(std::filesystem::exists(path));
  };
  attempt("t", "a");
  attempt("trajectory", "a");
  attempt("two\nlines", "a");
  attempt("x", "two\nlines");
  attempt("\xFF", "a");
}

TEST(CsvWriter, ComplainsAboutAFolderThatIsNotThere) {
  EXPECT_THROW(write_csv(awkward(), temporary_path() + "/no/such/folder.csv"), Error);
}

}  // namespace
}  // namespace lgn
