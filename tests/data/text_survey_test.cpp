#include <gtest/gtest.h>

#include "tests/data/csv_fixture.h"

namespace lgn {
namespace {

using testing::read_text;
using testing::same_matrix;
using testing::TextFile;
using Names = std::vector<std::string>;

/// What the reader took for granted, as one text.
std::string assumed(const std::string& text, const ReadOptions& options = {}) {
  Reading reading;
  read_csv({TextFile(text).path()}, options, &reading);
  std::string all;
  for (const auto& one : reading.assumptions()) all += one + "; ";
  return all;
}

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != text.npos;
}

const Dataset& plain_data() {
  static const Dataset data = read_text("t,x,y\n0,1,2\n0.5,3,4\n1,5,6\n");
  return data;
}

TEST(TextSurvey, FormsOfTheSameTableAreRead) {
  for (const char* text : {
           "t x y\n0 1 2\n0.5 3 4\n1 5 6\n",
           "  t     x    y\n  0     1    2\n  0.5   3    4\n  1.0   5    6  \n",  // aligned
           "t\t x\ty\n0\t 1\t2\n0.5\t 3\t4\n1\t 5\t6\n",
           "% t x y\n0 1 2\n0.5 3 4\n1 5 6\n",
           "sep=;\nt;x;y\n0;1;2\n0.5;3;4\n1;5;6\n",
           "t,x,y,,,\n0,1,2,,,\n0.5,3,4,,,\n1,5,6,,,\n",
           "t [s]  x  y\n0 1 2\n0.5 3 4\n1 5 6\n",
           "# t [s] x y\n0 1 2\n0.5 3 4\n1 5 6\n",
           "Date;Time;x;y;note\n1.2.2021;23:59:59,5;1;2;a\n2.2.2021;00:00:00;3;4;b\n"
           "2.2.2021;00:00:00,5;5;6;c\n",
           "# t x y\n0 1 2\n0.5 3 4\n1 5 6\n",
           "// t x y\n0 1 2\n0.5 3 4\n1 5 6\n",
           "\" t x y\n0 1 2\n0.5 3 4\n1 5 6\n",
           "# t, x, y\n0 1 2\n0.5 3 4\n1 5 6\n",
           "# measured on a Monday\n# t;x;y\n# s;m;m\n0;1;2\n0,5;3;4\n1;5;6\n",
           "t,x,y,\n0,1,2,\n0.5,3,4,\n1,5,6,\n",  // trailing separators
           "t,x,y\n0,1,2,\n0.5,3,4,\n1,5,6,\n",
           ",t,x,y\n0,0,1,2\n1,0.5,3,4\n2,1,5,6\n",  // an index without a name
           "t,x,y\ns,m,m\n0,1,2\n0.5,3,4\n1,5,6\n",  // units
           "t;x;y\n[s];[m];[m]\n0;1;2\n0,5;3;4\n1;5;6\n",
           "t (s),x,y\n0,1,2\n0.5,3,4\n1,5,6\n",
           "t;x;y\n0;1;2\n0,5;3;4\n1;5;6\n",  // decimal commas
           "Zeit [ms];x;y\n0;1;2\n500;3;4\n1000;5;6\n",
           "t/us,x,y\n0,1,2\n500000,3,4\n1000000,5,6\n",
           "time_ms,x,y\n0,1,2\n500,3,4\n1000,5,6\n",
           "Temps (min);x;y\n0;1;2\n0,00833333333333333333;3;4\n0,01666666666666666667;5;6\n",
           "Instrument,XY\nSerial,123\n\nt,x,y\n0,1,2\n0.5,3,4\n1,5,6\n",  // a preamble
           "Channels: 3\nDate: 5/6/2021\nt\tx\ty\n0\t1\t2\n0.5\t3\t4\n1\t5\t6\n",
           "t,x,y\n2021-05-26T11:44:55Z,1,2\n2021-05-26 13:44:55.5+02:00,3,4\n"
           "2021-05-26T11:44:56Z,5,6\n",
           "t,x,y\n23:59:59.5,1,2\n00:00:00,3,4\n00:00:00.5,5,6\n",  // over midnight
           "when,x,y\n5/26/2021 11:44:55.0 PM,1,2\n5/26/2021 11:44:55.5 PM,3,4\n"
           "5/26/2021 11:44:56 PM,5,6\n",
           "t;x;y\n26.05.2021 11:44:55;1;2\n26.05.2021 11:44:55,5;3;4\n26.05.2021 11:44:56;5;6\n",
           "\"t\",\"x\",\"y\"\n\"0\",\"1\",\"2\"\n\"0.5\",\"3\",\"4\"\n\"1\",\"5\",\"6\"\n",
           "\"x\" \"y\" \"t\"\n\"1\" 1 2 0\n\"2\" 3 4 0.5\n\"3\" 5 6 1\n",  // row names
       }) {
    SCOPED_TRACE(text);
    const Dataset data = read_text(text);
    EXPECT_EQ(data.channels(), plain_data().channels());
    ASSERT_EQ(data.samples(), 3);
    EXPECT_TRUE(same_matrix(data.runs()[0].states(), plain_data().runs()[0].states()));
    // Minutes were given with 20 decimals.
    EXPECT_TRUE(data.runs()[0].times().isApprox(plain_data().runs()[0].times(), 1e-14))
        << data.runs()[0].times().transpose();
  }
}

TEST(TextSurvey, SaysWhatItTookForGranted) {
  EXPECT_EQ(assumed("t,x\n0,1\n1,2\n"), "");
  EXPECT_EQ(assumed("t;x\n0;1\n1;2\n"), "");
  EXPECT_TRUE(holds(assumed("t x\n0 1\n1 2\n"), "blanks separate columns"));
  EXPECT_TRUE(holds(assumed("t;x\n0;1,5\n1;2\n"), "numbers are written 0,5"));
  EXPECT_TRUE(
      holds(assumed("Zeit [ms];x\n0;1\n1;2\n"), "\"Zeit [ms]\" is in ms and was converted to s"));
  EXPECT_TRUE(holds(assumed("a\n\nt,x\ns,m\n0,1\n1,2\n"),
                    "the table starts at line 3; line 4 holds units"));
  EXPECT_TRUE(holds(assumed("t,x\n0,-\n1,2\n2,inf\n3,\"1,234.5\"\n"),
                    "\"-\", \"inf\" are each a missing sample; commas group digits"));
  EXPECT_TRUE(holds(assumed("0 1\n1 2\n"), "no header: column 1 is the time"));
  EXPECT_TRUE(holds(assumed("5 1\n1 2\n", {.dt = "1"}), "no header: columns are x1 to x2"));
}

TEST(TextSurvey, NamesMayHoldBlanks) {
  const Dataset data =
      read_text("Time (ms)   Left foot (N)   Right foot (N)\n0 1 2\n1 3 4\n2 5 6\n");
  EXPECT_EQ(data.channels(), (Names{"Left foot (N)", "Right foot (N)"}));
  EXPECT_EQ(data.runs()[0].times()[2], 2e-3);
}

TEST(TextSurvey, TakesUnitsThatWereAskedFor) {
  const Dataset data = read_text("t [s],x\n0,1\n0.25,2\n", {.time_unit = "ms"});
  EXPECT_EQ(data.runs()[0].times()[1], 250);
  EXPECT_EQ(read_text("t,x\n0,1\n0.25,2\n", {.time_unit = "ms"}).runs()[0].times()[1], 0.25);
  EXPECT_THROW(read_text("t [s],x\n0,1\n0.25,2\n", {.time_unit = "lunches"}), Error);
}

TEST(TextSurvey, NamesColumnsAsAskedFor) {
  const std::string text =
      "% x v\n  0.000e+000  0.1  1 5\n  0.000e+000 0.2 2 6\n1.000e+000 0.1 3 7\n1.000e+000 0.2 4 8\n";
  const Dataset data = read_text(text, {.columns = {"trial", "t", "x", "-"}});
  EXPECT_EQ(data.channels(), Names{"x"});
  ASSERT_EQ(data.runs().size(), 2u);
  EXPECT_EQ(data.runs()[1].states()(0, 0), 3);
  const Dataset renamed = read_text("a,b\n0,1\n1,2\n", {.columns = {"t [ms]", "x"}});
  EXPECT_EQ(renamed.runs()[0].times()[1], 1e-3);
  EXPECT_EQ(read_text("4 1\n2 3\n3 1\n", {.columns = {"x", "y"}, .rate = "2"}).runs()[0].times()[2],
            1);
}

TEST(TextSurvey, FindsColumnsByBeginningsAndNumbers) {
  const std::string text = "clock,position,2,velocity\n0,1,2,3\n1,4,5,6\n";
  EXPECT_EQ(read_text(text, {.time = "cl", .channels = {"pos"}}).channels(), Names{"position"});
  EXPECT_EQ(read_text(text, {.time = "1", .channels = {"2", "4"}}).channels(),
            (Names{"2", "velocity"}));
  EXPECT_EQ(read_text(text, {.time = "1", .inputs = {"v"}}).inputs(), Names{"velocity"});
  EXPECT_EQ(read_text("7 0 1\n8 1 2\n", {.time = "2"}).channels(), (Names{"x1", "x2"}));
}

TEST(TextSurvey, CountsWhereThereIsNoTime) {
  for (const auto& [dt, rate] : {std::pair<std::string, std::string>{"0.01", ""},
                                 {"10ms", ""},
                                 {"", "100"},
                                 {"", "100Hz"},
                                 {"", "0.1kHz"}}) {
    const Dataset data = read_text("x,y\n1,2\n3,4\n5,6\n", {.dt = dt, .rate = rate});
    EXPECT_DOUBLE_EQ(data.runs()[0].times()[2], 0.02) << dt << rate;
  }
  EXPECT_EQ(read_text("x\n1\n3\n", {.rate = "4"}).channels(), Names{"x"});
  EXPECT_TRUE(holds(assumed("t,x\n0,1\n5,2\n", {.dt = "1"}), "column \"t\" is not used"));
  EXPECT_THROW(read_text("x,y\n1,2\n3,4\n", {.dt = "1", .rate = "1"}), Error);
  EXPECT_THROW(read_text("x,y\n1,2\n3,4\n", {.dt = "-1"}), Error);
  EXPECT_THROW(read_text("x,y\n1,2\n3,4\n", {.rate = "2 per day"}), Error);
  for (const char* preamble :
       {"delta t,2.5E-1\n\n", "Sample interval: 250 ms\n", "# Sample rate = 4 Hz\n",
        "Sampling Rate (kHz);0.004;0.004\n", "tInc = 0.25s\n"})
    EXPECT_EQ(read_text(preamble + std::string("a;b\n1;2\n3;4\n5;6\n")).runs()[0].times()[2], 0.5)
        << preamble;
}

TEST(TextSurvey, TheIntervalOfAPreambleMendsRoundedTimes) {
  const std::string rows =
      "5/7/2021  11:55:33.186091,1\n5/7/2021  11:55:33.186093,2\n5/7/2021  11:55:33.186096,3\n"
      "5/7/2021  11:55:33.186098,4\n";
  const Vector mended =
      read_text("waveform,V\nt0,5/7/2021  11:55:33.186091\ndelta t,2.5E-6\n\ntime,V\n" + rows)
          .runs()[0]
          .times();
  for (Index k = 0; k < 4; ++k) EXPECT_DOUBLE_EQ(mended[k], 2.5e-6 * static_cast<double>(k));
  // Times that do not agree with the interval stay as they are.
  const Vector kept = read_text("delta t,3E-6\n\ntime,V\n" + rows).runs()[0].times();
  EXPECT_NEAR(kept[3], 7e-6, 1e-12);  // differences of fractions of a second: 1e-16 each
}

TEST(TextSurvey, MissingSamplesHaveManyNames) {
  const Dataset data = read_text("t x\n0 1\n1 -\n2 --\n3 #N/A\n4 NA\n5 inf\n6 null\n7 nan\n8 2\n");
  EXPECT_EQ(data.samples(), 9);
  EXPECT_EQ(data.present(), 2);
  EXPECT_EQ(read_text("x,y\n#N/A,1\n2,3\n4,5\n", {.dt = "1"}).samples(), 3);
}

TEST(TextSurvey, GroupsOfDigitsAreNumbers) {
  EXPECT_EQ(read_text("t;x\n0;1,234.5\n1;-12,345,678.25\n").runs()[0].states(),
            (Matrix{{1234.5, -12345678.25}}));
  EXPECT_EQ(read_text("t,x\n0,\"1,234\"\n1,2\n").runs()[0].states(), (Matrix{{1234, 2}}));
  EXPECT_THROW(read_text("t,x\n0,\"1,23\"\n1,2\n"), Error);
}

TEST(TextSurvey, PointsGroupDigitsBesideDecimalCommas) {
  const std::string text = "t;x\n0;150.103,7\n1;1.234\n2;-12.345.678,25\n3;2,5\n";
  EXPECT_EQ(read_text(text).runs()[0].states(), (Matrix{{150103.7, 1234, -12345678.25, 2.5}}));
  EXPECT_TRUE(holds(assumed(text), "points group digits, as in 1.234,5"));
  EXPECT_EQ(read_text(text, {.decimal_comma = true}).runs()[0].states()(0, 0), 150103.7);
  // Without both marks in one cell nobody knows.
  EXPECT_THROW(read_text("t;x\n0;1.234\n1;2,5\n"), Error);
  EXPECT_THROW(read_text("t;x\n0;1.23,5\n1;2,5\n"), Error);
}

TEST(TextSurvey, QuotedDecimalCommasStandBetweenCommas) {
  const Matrix states{{1.2, 3, -1234.5}};
  for (const std::string text :
       {"\"t\",\"x\"\n\"0,5\",\"1,2\"\n\"1,0\",\"3\"\n\"1,5\",\"-1.234,5\"\n",
        "t,x\n\"0,5\",\"1,2\"\n1,3\n\"1,5\",\"-1234,5\"\n"})
    for (const bool said : {false, true}) {
      const Dataset data = read_text(text, {.decimal_comma = said});
      EXPECT_EQ(data.runs()[0].states(), states) << text << said;
      EXPECT_EQ(data.runs()[0].times()[2], 1.5);
      EXPECT_EQ(holds(assumed(text, {.decimal_comma = said}), "numbers are written 0,5"), !said);
    }
  // A row that is not all in quotes leaves a doubt.
  EXPECT_TRUE(holds(testing::complaint("t,x\n0,\"1,2\"\n1,3\n"), "`decimal_comma`"));
  EXPECT_EQ(read_text("t,x\n0,\"1,2\"\n1,3\n", {.decimal_comma = true}).runs()[0].states(),
            (Matrix{{1.2, 3}}));
  // These could be thousands, and are taken for them unless it is said.
  const std::string groups = "t,x\n0,\"1,234\"\n1,\"5,678\"\n";
  EXPECT_EQ(read_text(groups).runs()[0].states(), (Matrix{{1234, 5678}}));
  EXPECT_EQ(read_text(groups, {.decimal_comma = true}).runs()[0].states(),
            (Matrix{{1.234, 5.678}}));
}

TEST(TextSurvey, RepeatedTimesNameWhatWouldHelp) {
  const std::string text =
      "date,x\n2021-05-06 10:00:00,1\n2021-05-06 10:00:00,2\n2021-05-06 10:00:01,4\n";
  const std::string said = testing::complaint(text);
  EXPECT_TRUE(holds(said, "`dt`") && holds(said, "`rate`")) << said;
  EXPECT_EQ(read_text(text, {.dt = "0.5"}).runs()[0].times()[2], 1);
}

TEST(TextSurvey, QuotedHeadersMayHoldSeparators) {
  EXPECT_EQ(read_text("\"a;b\",\"c\",t\n1,2,0\n3,4,1\n").channels(), (Names{"a;b", "c"}));
  EXPECT_EQ(read_text("\"a;b;c;d\",\"t\"\n1,0\n3,1\n").channels(), Names{"a;b;c;d"});
}

TEST(TextSurvey, DatesFollowTheirOrder) {
  const auto step = [](const std::string& dates, const std::string& order = "") {
    return read_text("t,x\n" + dates, {.date_order = order}).runs()[0].times()[1] / 86400;
  };
  EXPECT_EQ(step("5/26/2021,1\n5/27/2021,2\n"), 1);
  EXPECT_EQ(step("26/5/2021,1\n1/6/2021,2\n"), 6);
  EXPECT_EQ(step("2021/5/6,1\n2021/6/6,2\n"), 31);
  EXPECT_EQ(step("5/6/2021,1\n6/6/2021,2\n", "dmy"), 1);
  EXPECT_EQ(step("5/6/2021,1\n6/6/2021,2\n", "mdy"), 31);
  EXPECT_EQ(step("26-May-2021,1\n01-Jun-2021,2\n"), 6);
  EXPECT_EQ(step("29.02.2020,1\n01.03.2020,2\n"), 1);
  // Within one day the order does not matter.
  EXPECT_EQ(step("5/6/2021 00:00:00,1\n5/6/2021 12:00,2\n"), 0.5);
  EXPECT_THROW(step("5/6/2021,1\n6/6/2021,2\n", "ydm"), Error);
}

TEST(TextSurvey, EncodingsAreRecoded) {
  using namespace std::string_literals;
  const auto utf16 = [](const std::u16string& text, bool big) {
    std::string bytes = big ? "\xFE\xFF" : "\xFF\xFE";
    for (const char16_t c : text)
      for (const int shift : {big ? 8 : 0, big ? 0 : 8})
        bytes += static_cast<char>((c >> shift) & 0xFF);
    return bytes;
  };
  const std::u16string text = u"t;Größe 😀\r\n0;1,5\r\n1;2\r\n";
  for (const bool big : {false, true}) {
    const Dataset data = read_text(utf16(text, big));
    EXPECT_EQ(data.channels(), Names{"Größe 😀"});
    EXPECT_EQ(data.runs()[0].states()(0, 0), 1.5);
  }
  EXPECT_EQ(read_text("t,caf\xE9 [\xB5m]\n0,1\n1,2\n").channels(), Names{"café [µm]"});
  EXPECT_EQ(read_text("t [\xB5s],x\n0,1\n4,2\n").runs()[0].times()[1], 4e-6);
  for (const bool big : {false, true})
    EXPECT_EQ(read_text(utf16(text, big).substr(2)).channels(), Names{"Größe 😀"});
  EXPECT_NE(testing::complaint(utf16(u"t,x\n0,1\n1,", false) + "\xD8"), "");
}

}  // namespace
}  // namespace lgn
