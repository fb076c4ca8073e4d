#include "lgn/data/csv/csv.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <limits>

#include "lgn/core/random.h"
#include "lgn/data/csv/csv_number_internal.h"
#include "tests/data/csv_fixture.h"
#include "tests/gap.h"

namespace lgn {
namespace {

using testing::expect_same;
using testing::read_text;
using testing::same_matrix;
using testing::TextFile;
using Names = std::vector<std::string>;

Matrix matrix(std::initializer_list<std::initializer_list<double>> rows) { return Matrix(rows); }

TEST(CsvReader, ReadsTimesChannelsAndSamples) {
  const Dataset data = read_text("t,x,y\n0,1,2\n0.5,-3,4e2\n2,5.25,6\n");
  EXPECT_EQ(data.channels(), (Names{"x", "y"}));
  ASSERT_EQ(data.runs().size(), 1U);
  const Trajectory& run = data.runs()[0];
  EXPECT_EQ(run.label(), "1");
  EXPECT_TRUE(same_matrix(run.times(), matrix({{0}, {0.5}, {2}})));
  EXPECT_TRUE(same_matrix(run.states(), matrix({{1, -3, 5.25}, {2, 400, 6}})));
  EXPECT_EQ(run.inputs().rows(), 0);
}

TEST(CsvReader, FormsOfTheSameTableAreRead) {
  const Dataset plain = read_text("t,x,y\n0,1,\n1,2,3\n");
  for (const char* text : {
           "t;x;y\n0;1;\n1;2;3\n",              // semicolons
           "t\tx\ty\n0\t1\t\n1\t2\t3\n",        // tabs
           "t,x,y\r\n0,1,\r\n1,2,3\r\n",        // CRLF
           "t,x,y\n0,1,\n1,2,3",                // no end of the last line
           "t,x,y\r\n0,1,\r\n1,2,3\r",          // half an end of the last line
           "\xEF\xBB\xBFt,x,y\n0,1,\n1,2,3\n",  // byte-order mark
           "\n# a comment, with commas\n  \nt,x,y\n0,1,\n\n#\n1,2,3\n\n\n",  // comments, blank
                                                                             // lines
           "# only ; here\nt,x,y\n0,1,\n  # indented\n1,2,3\n",
           "\"t\",\"x\",\"y\"\n\"0\",\"1\",\"\"\n\"1\" , \"2\",\" 3 \"\n",  // quotes
           " t , x,y \n 0 ,1 , \n\t1,+2, +3.0\n",                           // spaces, plus signs
           "y,x,t\n,1,0\n3,2,1\n",                                          // another order
           "t,x,y\n0,1,nan\n1,2,3\n",
           "t,x,y\n0,1,-NaN\n1,2,3\n",
           "t,x,y\n0,1,NA\n1,2,3\n",
           "t,x,y\n0e5,.1e1,\n1.,02,30e-1\n",
       }) {
    const bool reordered = std::string_view(text).starts_with("y");
    ReadOptions options;
    if (reordered) options.channels = {"x", "y"};
    SCOPED_TRACE(text);
    expect_same(read_text(text, options), plain);
  }
}

TEST(CsvReader, SeparatorIsTheMostFrequentOutsideQuotes) {
  EXPECT_EQ(read_text("t;\"a,b,c,d\";y\n0;1;2\n1;2;3\n").channels(), (Names{"a,b,c,d", "y"}));
  EXPECT_EQ(read_text("t,\"a;b;c;d\",y\n0,1,2\n1,2,3\n").channels(), (Names{"a;b;c;d", "y"}));
  EXPECT_EQ(read_text("t;force (N,m);y\n0;1;2\n1;2;3\n").channels(), (Names{"force (N,m)", "y"}));
}

TEST(CsvReader, QuotedCellsMayHoldSeparatorsAndQuotes) {
  const Dataset data =
      read_text("t,\"say \"\"x\"\"\",note,\" y \"\n0,1,\"a,b\",2\n1,3,\"c \"\"d\"\", e\",4\n",
                {.channels = {" y ", "say \"x\""}});
  EXPECT_EQ(data.channels(), (Names{" y ", "say \"x\""}));
  EXPECT_TRUE(same_matrix(data.runs()[0].states(), matrix({{2, 4}, {1, 3}})));
}

TEST(CsvReader, NumbersAreTheNearestDoubles) {
  // One of each path: exact quotient, 128-bit quotient, exponents, the standard library; ties;
  // extremes.
  const double tiny = std::numeric_limits<double>::denorm_min();
  const std::vector<std::pair<const char*, double>> cases = {
      {"0.1", 0.1},
      {"-0", -0.0},
      {"0.000", 0.0},
      {"123456789012345678", 123456789012345678.0},
      {"0.12345678901234567", 0.12345678901234567},
      {"-1.2345678901234567e-05", -1.2345678901234567e-05},
      {"9007199254740993", 9007199254740992.0},  // a tie, to even
      {"9007199254740993.0000000001", 9007199254740994.0},
      {"900719925474099.3e1", 9007199254740992.0},
      {"18446744073709551615", 18446744073709551615.0},
      {"99999999999999999999", 1e20},
      {"0.00000000000000000000012345678901234567", 1.2345678901234567e-22},
      {"000000000000000000000000001.5", 1.5},
      {"1.000000000000000000000000000000000000001", 1.0},
      {"1e22", 1e22},
      {"1E+23", 1e23},
      {"1.7976931348623157e308", std::numeric_limits<double>::max()},
      {"2.2250738585072014e-308", std::numeric_limits<double>::min()},
      {"4.9e-324", tiny},
      {"-1e-400", -0.0},
      {"0.0000001e-99999999999999999999", 0.0},
      {"0e99999", 0.0},
      {"0.00000000000000000000000000000000000000000000000000000000001e60", 10.0},
  };
  for (const auto& [text, expected] : cases) {
    const Dataset data = read_text(std::string("t,x\n0,1\n1,") + text + "\n2, " + text + "\n");
    EXPECT_TRUE(testing::same_number(data.runs()[0].states()(0, 1), expected)) << text;
    EXPECT_TRUE(testing::same_number(data.runs()[0].states()(0, 2), expected)) << text;
  }
}

TEST(CsvReader, FastNumbersAgreeWithTheStandardLibrary) {
  Random random(20240501);
  for (int k = 0; k < 200000; ++k) {
    const auto digits = 1 + static_cast<int>(19 * random.uniform());
    std::string text = random.uniform() < 0.5 ? "-" : "";
    const auto point = static_cast<int>((digits + 1) * random.uniform());
    for (int d = 0; d < digits; ++d) {
      if (d == point) text += '.';
      text += static_cast<char>('0' + static_cast<int>(10 * random.uniform()));
    }
    if (random.uniform() < 0.3)
      text += "e" + std::to_string(static_cast<int>(80 * random.uniform()) - 40);
    const std::size_t length = text.size();
    text += std::string(1 + csv_internal::kReadAhead, '\n');
    double expected = 0.0, fast = 0.0;
    std::from_chars(text.data(), text.data() + length, expected);
    const char* stop =
        csv_internal::parse_number_fast(text.data(), text.data() + length, '.', fast);
    ASSERT_EQ(stop, text.data() + length) << text;
    ASSERT_TRUE(testing::same_number(fast, expected)) << text;
  }
}

TEST(CsvReader, FindsTheTimeColumn) {
  const auto channels = [](const std::string& header, const std::string& time = "") {
    return read_text(header + "\n0,0\n1,1\n", {.time = time}).channels();
  };
  EXPECT_EQ(channels("time,t"), Names{"time"});
  EXPECT_EQ(channels("T,time"), Names{"T"});
  EXPECT_EQ(channels("x,Time"), Names{"x"});
  EXPECT_EQ(channels("x,T"), Names{"x"});
  EXPECT_EQ(channels("t,clock", "clock"), Names{"t"});
}

TEST(CsvReader, FindsTheInputs) {
  const std::string text = "t,u,v,u1,u12,u1a,ux,U\n0,1,2,3,4,5,6,7\n1,1,2,3,4,5,6,7\n";
  const Dataset usual = read_text(text);
  EXPECT_EQ(usual.inputs(), (Names{"u", "u1", "u12"}));
  EXPECT_EQ(usual.channels(), (Names{"v", "u1a", "ux", "U"}));
  EXPECT_TRUE(same_matrix(usual.runs()[0].inputs(), matrix({{1, 1}, {3, 3}, {4, 4}})));

  const Dataset listed = read_text(text, {.inputs = {"ux", "v"}});
  EXPECT_EQ(listed.inputs(), (Names{"ux", "v"}));
  EXPECT_EQ(listed.channels(), (Names{"u", "u1", "u12", "u1a", "U"}));
  EXPECT_TRUE(same_matrix(listed.runs()[0].inputs(), matrix({{6, 6}, {2, 2}})));

  const Dataset none = read_text(text, {.inputs = {"none"}});
  EXPECT_TRUE(none.inputs().empty());
  EXPECT_EQ(none.dimension(), 7);

  const Dataset kept = read_text(text, {.channels = {"u1", "v"}});
  EXPECT_EQ(kept.channels(), (Names{"u1", "v"}));
  EXPECT_EQ(kept.inputs(), (Names{"u", "u12"}));
}

TEST(CsvReader, KeepsTheChannelsAskedForInTheirOrder) {
  const Dataset data = read_text("t,x,comment,y,z\n0,1,started,2,inf\n1,3,\"so, so\",4,1e999\n",
                                 {.channels = {"y", "x"}});
  EXPECT_EQ(data.channels(), (Names{"y", "x"}));
  EXPECT_TRUE(same_matrix(data.runs()[0].states(), matrix({{2, 4}, {1, 3}})));
}

TEST(CsvReader, ReadsDecimalCommas) {
  const ReadOptions options{.decimal_comma = true};
  const Matrix expected = matrix({{0.5, -1234.25}, {0.12345678901234567, kGap}});
  for (const char* text : {"t;x;y\n0,0;0,5;0,12345678901234567\n1;-1,23425e3;\n",
                           "t\tx\ty\n0\t,5\t0,12345678901234567\n1,0\t-12342500,00e-4\tnan\n",
                           "t;x (N,m,s);y\n0;\"0,5\";0,12345678901234567\n1;-1234,25;\n"})
    EXPECT_TRUE(same_matrix(read_text(text, options).runs()[0].states(), expected)) << text;
}

TEST(CsvReader, LabelsSplitRowsIntoRuns) {
  const Dataset data = read_text(
      "x,trajectory,t\n1,b,0\n2, a ,5\n3,b,1\n4,\"a\",6\n5,1.0,0\n6,1.0,1\n7,b,2\n8,1,0\n9,1,1\n");
  ASSERT_EQ(data.runs().size(), 4U);  // in the order of their first rows; labels are text
  EXPECT_EQ(data.runs()[0].label(), "b");
  EXPECT_TRUE(same_matrix(data.runs()[0].states(), matrix({{1, 3, 7}})));
  EXPECT_EQ(data.runs()[1].label(), "a");
  EXPECT_TRUE(same_matrix(data.runs()[1].times(), matrix({{5}, {6}})));
  EXPECT_EQ(data.runs()[2].label(), "1.0");
  EXPECT_EQ(data.runs()[3].label(), "1");
}

TEST(CsvReader, ManyShortRunsAreRead) {
  std::string text = "trajectory,t,x\n";
  constexpr int kRuns = 100000;
  for (int time = 0; time < 2; ++time)
    for (int k = 0; k < kRuns; ++k)
      text +=
          std::to_string(k) + "," + std::to_string(time) + "," + std::to_string(k + time) + "\n";
  const Dataset data = read_text(text);
  ASSERT_EQ(data.runs().size(), static_cast<std::size_t>(kRuns));
  EXPECT_EQ(data.runs()[kRuns - 1].label(), std::to_string(kRuns - 1));
  EXPECT_TRUE(same_matrix(data.runs()[kRuns - 1].states(), matrix({{kRuns - 1, kRuns}})));
}

TEST(CsvReader, ManyColumnsAreRead) {
  constexpr Index kColumns = 200000;
  std::string text = "t";
  for (Index c = 0; c < kColumns; ++c) text += ",x" + std::to_string(c);
  for (Index k = 0; k < 3; ++k) {
    text += "\n" + std::to_string(k);
    for (Index c = 0; c < kColumns; ++c) text += "," + std::to_string(c + k);
  }
  const Dataset data = read_text(text);
  EXPECT_EQ(data.dimension(), kColumns);
  EXPECT_EQ(data.runs()[0].states()(kColumns - 1, 2), kColumns + 1);
}

TEST(CsvReader, SeveralFilesAreSeveralRuns) {
  const TextFile first("t,x,y,u\n0,1,2,3\n1,4,5,6\n", "first.csv");
  const TextFile second("u;time;y;trajectory;x\n30;0;20;p;10\n60;1;50;p;40\n", "second.csv");
  const TextFile again("t,x,y,u\n0,7,7,7\n1,7,7,7\n", "first.csv");
  const Dataset data = read_csv({first.path(), second.path(), again.path()});
  EXPECT_EQ(data.channels(), (Names{"x", "y"}));
  EXPECT_EQ(data.inputs(), Names{"u"});
  ASSERT_EQ(data.runs().size(), 3U);
  EXPECT_EQ(data.runs()[0].label(), "first.csv");
  EXPECT_EQ(data.runs()[1].label(), "second.csv:p");
  EXPECT_EQ(data.runs()[2].label(), "first.csv (2)");
  EXPECT_TRUE(same_matrix(data.runs()[1].states(), matrix({{10, 40}, {20, 50}})));
  EXPECT_TRUE(same_matrix(data.runs()[1].inputs(), matrix({{30, 60}})));
}

TEST(CsvReader, ReadsStandardInput) {
  const TextFile file("t,x\n0,1\n1,2\n", "file.csv");
  const auto from_input = [&](const std::vector<std::string>& paths) {
    const int saved = ::dup(STDIN_FILENO), input = ::open(file.path().c_str(), O_RDONLY);
    ::dup2(input, STDIN_FILENO);
    const Dataset data = read_csv(paths);
    ::dup2(saved, STDIN_FILENO);
    ::close(input);
    ::close(saved);
    return data;
  };
  expect_same(from_input({"-"}), read_csv({file.path()}));
  const Dataset both = from_input({file.path(), "-"});
  ASSERT_EQ(both.runs().size(), 2U);
  EXPECT_EQ(both.runs()[1].label(), "stdin");
}

TEST(CsvReader, ResultDoesNotDependOnTheBlockSize) {
  std::string text = "\xEF\xBB\xBF# first\r\ntrajectory,t,\"x,1\",u\r\n";
  for (int k = 0; k < 6; ++k)
    text += (k % 2 ? "\"a \"\"b\"\"\"," : "c,") + std::to_string(k) + ".125," +
            (k == 2 ? "" : "-0.12345678901234567") + ",\"1e-3\"\r\n" + (k == 3 ? "\r\n#\n" : "");
  const TextFile file(text);
  const Dataset whole = read_csv({file.path()});
  ASSERT_EQ(whole.runs().size(), 2U);
  for (std::size_t bytes = 1; bytes <= text.size() + 1; ++bytes) {
    SCOPED_TRACE(bytes);
    expect_same(csv_internal::read_csv({file.path()}, {}, bytes), whole);
  }
}

TEST(CsvReader, ErrorsDoNotDependOnTheBlockSize) {
  const TextFile file("t,x\n0,1\n# note\n1,2\n2,oops\n3,4");
  for (std::size_t bytes = 1; bytes <= 40; ++bytes) try {
      csv_internal::read_csv({file.path()}, {}, bytes);
      FAIL() << bytes;
    } catch (const Error& error) {
      EXPECT_EQ(error.location().line, 5U) << bytes;
      EXPECT_EQ(error.location().column, 3U) << bytes;
    }
}

TEST(CsvReader, ALongLineIsRead) {
  const std::string zeros(5000000, '0');
  const Dataset data = read_text("t,x\n0,1." + zeros + "1\n1," + zeros + "2\n");
  EXPECT_TRUE(same_matrix(data.runs()[0].states(), matrix({{1, 2}})));
}

}  // namespace
}  // namespace lgn
