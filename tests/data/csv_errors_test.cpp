#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/data/csv_fixture.h"

namespace lgn {
namespace {

using testing::complaint;
using testing::TextFile;

struct BadInput {
  const char* text;
  const char* expected;  ///< the message starts with it, FILE standing for the path
  ReadOptions options = {};
};

class CsvBadInput : public ::testing::TestWithParam<BadInput> {};

TEST_P(CsvBadInput, SayWhatWhereAndWhatWouldHelp) {
  const auto& [text, expected, options] = GetParam();
  const std::string said = complaint(text, options);
  EXPECT_TRUE(said.starts_with(expected)) << "said:     " << said << "\nexpected: " << expected;
  EXPECT_EQ(said.find('\n'), std::string::npos);
  EXPECT_NE(said.find("; "), std::string::npos) << "no help: " << said;
}

INSTANTIATE_TEST_SUITE_P(
    Files, CsvBadInput,
    ::testing::Values(
        BadInput{"", "FILE: the file is empty; "},
        BadInput{"\xEF\xBB\xBF", "FILE: no header: only comments or blank lines; "},
        BadInput{"# a\n\n  \n# b", "FILE: no header: only comments or blank lines; "},
        BadInput{"t,x\n", "FILE:1: no data row after the header; "},
        BadInput{"t,x\n# none\n\n", "FILE:3: no data row after the header; "},
        BadInput{"t,x\x01\n0,1\n", "FILE:1:4: the header is not UTF-8 text (byte 0x01); "},
        BadInput{"t,x\r0,1\r1,2\r", "FILE:1:4: a carriage return inside the header; "}));

INSTANTIATE_TEST_SUITE_P(
    Headers, CsvBadInput,
    ::testing::Values(
        BadInput{
            "t\n0\n1\n",
            "FILE:1:1: the header has one column, \"t\": there is no channel beside the time; "},
        BadInput{
            "2,1,2\n1,2,3\n",
            "FILE:1: no column t or time; name the time column with `time`; the columns are "
            "\"x1\", \"x2\", \"x3\"; without one, give `dt` or `rate`, or name all columns with "
            "`columns`"},
        BadInput{"% x v\n0 0.1 1 2\n0 0.2 1 2\n", "FILE:2: no column t or time; "},
        BadInput{"x,y\n0,1\n",
                 "FILE:1: no column t or time; name the time column with `time`; the columns are "
                 "\"x\", \"y\""},
        BadInput{"t (s),Time,x\n0,1,2\n",
                 "FILE:1:7: columns \"t (s)\" and \"Time\" could both be the time; "},
        BadInput{"t,x,x\n0,1,2\n", "FILE:1:5: columns 2 and 3 are both named \"x\"; rename"},
        BadInput{"t,,x\n0,1,2\n", "FILE:1:3: column 2 of 3 has no name; name every column"},
        BadInput{"t,q,p\n0,\"1,0\n1,2,3\n", "FILE:2:3: a quote is not closed on its line; "},
        BadInput{"time,x\n0,1\n1,2\n",
                 "FILE:1:1: `time` names a time, and the samples are said to be evenly spaced; ",
                 {.time = "time", .dt = "0.1"}},
        BadInput{"t,x1,x2\n0,1,2\n1,2,3\n",
                 "FILE:1: `channels` names \"x\", which could be \"x1\" and \"x2\"; ",
                 {.channels = {"x"}}},
        BadInput{"0 1 2\n1 2 3\n",
                 "FILE:1: 3 columns, but `columns` names 2; ",
                 {.columns = {"t", "x"}}},
        BadInput{"t,\"x\n0,1\n", "FILE:1:3: a quote is not closed on its line; "},
        BadInput{"t,\"x\"y\n0,1\n", "FILE:1:3: text follows the closing quote of the cell \"x\"; "},
        BadInput{"t,u\n0,1\n1,2\n",
                 "FILE:1: there is no channel beside the time, the labels and the inputs; `inputs: "
                 "none`"},
        BadInput{"t,trajectory\n0,1\n1,2\n", "FILE:1: there is no channel beside the time"},
        BadInput{"a,b,c,d,e,f,g,h,i,j\n",
                 "FILE:1: no column \"clock\" for the time; the columns are \"a\", \"b\", "
                 "\"c\", \"d\", \"e\", \"f\", \"g\", \"h\" and 2 more",
                 {.time = "clock"}},
        BadInput{"t,x\n",
                 "FILE:1: no column \"f\", which `inputs` names; the columns are \"t\", \"x\"",
                 {.inputs = {"f"}}},
        BadInput{
            "t,x\n", "FILE:1: no column \"none\", which `inputs` names", {.inputs = {"x", "none"}}},
        BadInput{
            "t,x\n", "FILE:1: no column \"y\", which `channels` names", {.channels = {"x", "y"}}},
        BadInput{"t,x\n",
                 "FILE:1:1: `inputs` names column \"t\", which is the time; ",
                 {.inputs = {"t"}}},
        BadInput{"t,x,trajectory\n",
                 "FILE:1:5: `channels` names column \"trajectory\", which is the label",
                 {.channels = {"trajectory"}}},
        BadInput{"t,x\n",
                 "FILE:1:3: `channels` names column \"x\", which is named there twice; ",
                 {.channels = {"x", "x"}}},
        BadInput{"t,x,y\n",
                 "FILE:1:3: `inputs` names column \"x\", which is one of `channels`; ",
                 {.inputs = {"x"}, .channels = {"x"}}},
        BadInput{"t,x\n0,1\n",
                 "FILE:1: a comma separates the columns, so it cannot be the decimal point; ",
                 {.decimal_comma = true}}));

INSTANTIATE_TEST_SUITE_P(
    Cells, CsvBadInput,
    ::testing::Values(
        BadInput{"t,x\n0,1\n1,1.5x\n",
                 "FILE:3:3: column \"x\": \"1.5x\" is not a number; write a number"},
        BadInput{"t,x,y\n0, 1.5 2,3\n", "FILE:2:3: column \"x\": \"1.5 2\" is not a number; "},
        BadInput{"t,x\n0,1\n1,\"one\"\n", "FILE:3:3: column \"x\": \"one\" is not a number; "},
        BadInput{"t,x\n0,a\x02\xFF\xC3\xA4\n",
                 "FILE:2:3: column \"x\": \"a\\x02\xC3\xBF\xC3\x83\xC2\xA4\" is not a number; "},
        BadInput{"t,x\n0,abcdefghijabcdefghijabcdefghijabcdefghijabcdefghij\n",
                 "FILE:2:3: column \"x\": \"abcdefghijabcdefghijabcdefghijabcdefghij…\" is not a "
                 "number; "},
        BadInput{"t,x\n0,+-1\n", "FILE:2:3: column \"x\": \"+-1\" is not"},
        BadInput{"t,x\n0,--1\n", "FILE:2:3: column \"x\": \"--1\" is not"},
        BadInput{"t,x\n0,.\n", "FILE:2:3: column \"x\": \".\" is not"},
        BadInput{"t,x\n0,1e\n", "FILE:2:3: column \"x\": \"1e\" is not"},
        BadInput{"t,x\n0,1e+\n", "FILE:2:3: column \"x\": \"1e+\" is not"},
        BadInput{"t,x\n0,1.2.3\n", "FILE:2:3: column \"x\": \"1.2.3\" is not"},
        BadInput{"t,x\n0,0x10\n", "FILE:2:3: column \"x\": \"0x10\" is not"},
        BadInput{"t,x\n0,nan(1)\n", "FILE:2:3: column \"x\": \"nan(1)\" is not"},
        BadInput{"t,x\n0,-NA\n", "FILE:2:3: column \"x\": \"-NA\" is not"},
        BadInput{"t,x\n0,1e309\n",
                 "FILE:2:3: column \"x\": \"1e309\" is beyond the range of a double; "},
        BadInput{"t,x\n0,-1e99999999999999999999\n",
                 "FILE:2:3: column \"x\": \"-1e99999999999999999999\" is beyond the range"},
        BadInput{"t;x\n0;1.5\n1;0,5\n",
                 "FILE:3:3: column \"x\": \"0,5\" is not a number; read numbers written 0,5 with "
                 "`decimal_comma`"},
        BadInput{"t\tx\n0.5\t1\n1\t-0,5e3\n",
                 "FILE:3:3: column \"x\": \"-0,5e3\" is not a number; read numbers written 0,5 "
                 "with `decimal_comma`"},
        BadInput{"t;x\n2021-01-01 00:00:00;1\nnoon;2\n",
                 "FILE:3:1: column \"t\": \"noon\" is no date; "},
        BadInput{"t;x\n3/4/2021;1\n5/4/2021;2\n",
                 "FILE:2: column \"t\": \"3/4/2021\" could be two dates; say which with "
                 "`date_order: dmy` or `date_order: mdy`"},
        BadInput{"t;x\n13/4/2021;1\n4/13/2021;2\n", "FILE:"},
        BadInput{"t;x\n0;1\n1;1.5\n",
                 "FILE:3:3: column \"x\": \"1.5\" is not a number; with `decimal_comma`",
                 {.decimal_comma = true}},
        BadInput{"t;x\n0;1\n1;1.23,5\n",
                 "FILE:3:3: column \"x\": \"1.23,5\" is not a number; with `decimal_comma`",
                 {.decimal_comma = true}},
        BadInput{"t,x,u\n0,1,2\n1,2,\n",
                 "FILE:3:5: column \"u\": the input is missing; inputs need every sample"},
        BadInput{"x,t\n1,0\n2,\n",
                 "FILE:3:3: column \"t\": the time is missing; every row needs a time"},
        BadInput{"x,t\n1,0\n2,nan\n", "FILE:3:3: column \"t\": the time is missing; "},
        BadInput{"x,t\n1,0\n2,inf\n", "FILE:3:3: column \"t\": \"inf\" is infinite; "}));

INSTANTIATE_TEST_SUITE_P(
    Rows, CsvBadInput,
    ::testing::Values(
        BadInput{"t,x,y\n0,1,2\n1,2\n",
                 "FILE:3:4: 2 cells in this row, expected 3 as in the header; "},
        BadInput{"t,x,y\n0,1,2\r\n1\r\n",
                 "FILE:3:2: 1 cell in this row, expected 3 as in the header; "},
        BadInput{"t,x,y\n0,1,2,3\n",
                 "FILE:2:7: 4 cells in this row, expected 3 as in the header; "},
        BadInput{"t,x,y\n0,1,2,,\n", "FILE:2:7: 5 cells in this row, expected 3"},
        BadInput{"t x y\n0 1 2\n1 2\n",
                 "FILE:3:4: 2 cells in this row, expected 3 as in the header; blanks"},
        BadInput{
            "t,x,y\n0;1;2\n",
            "FILE:2:6: 1 cell in this row, expected 3 as in the header; as in the header, \",\" "
            "separates"},
        BadInput{"t\tx\n0,1\n",
                 "FILE:2:4: 1 cell in this row, expected 2 as in the header; as in the header, tab "
                 "separates"},
        BadInput{
            "t,x,n\n0,1,a,b\n", "FILE:2:7: 4 cells in this row, expected 3", {.channels = {"x"}}},
        BadInput{"t,x,n\n0,1,\"a\n",
                 "FILE:2:5: a quote is not closed on its line; ",
                 {.channels = {"x"}}},
        BadInput{"t,x\n0,\"1\n2\"\n", "FILE:2:3: a quote is not closed on its line; "},
        BadInput{"t,x\n0,\"1\"2\n",
                 "FILE:2:3: text follows the closing quote of the cell \"1\"; "}));

INSTANTIATE_TEST_SUITE_P(
    Runs, CsvBadInput,
    ::testing::Values(
        BadInput{
            "x,t\n1,0\n1,0.5\n\n1,0.5\n",
            "FILE:5:3: column \"t\": the time 0.5 follows 0.5; times must increase within a run"},
        BadInput{"t,x\n0,1\n-1e-9,2\n", "FILE:3:1: column \"t\": the time -1e-09 follows 0; "},
        BadInput{"trajectory,t,x\na,1,1\nb,0,1\nb,1,1\na,0.5,1\n",
                 "FILE:5:3: column \"t\": the time 0.5 follows 1; "},
        BadInput{"t,x\n# one\n0,1\n",
                 "FILE:3: run \"1\" has only this sample; a run needs at least two samples"},
        BadInput{"trajectory,t,x\na,0,1\nb,0,1\na,1,1\n",
                 "FILE:3: run \"b\" has only this sample; "},
        BadInput{"trajectory,t,x\na,0,1\n ,1,1\n",
                 "FILE:3:1: column \"trajectory\": the label is missing; "},
        BadInput{"trajectory,t,x\na,0,1\n\x01,1,1\n",
                 "FILE:3:1: the label \"\\x01\" is not UTF-8 text; "},
        BadInput{"t,x\n0,\n1,nan\n", "FILE: every cell is missing; "},
        BadInput{"t,x,y\n0,1,\n1,1,\n", "FILE: channel \"y\" holds no value; "}));

TEST(CsvErrors, ZeroByteHasItsPlace) {
  using namespace std::string_literals;
  EXPECT_TRUE(complaint("t,x\n0,1\n1,\0002\n"s)
                  .starts_with("FILE:3:3: a zero byte: this is no text file; "));
  EXPECT_TRUE(complaint("\0\0\0"s).starts_with("FILE:1:1: a zero byte"));
}

std::string failure_of(const std::vector<std::string>& paths, const ReadOptions& options = {}) {
  try {
    read_csv(paths, options);
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

TEST(CsvErrors, FilesThatCannotBeRead) {
  const TextFile file("t,x\n0,1\n1,2\n");
  const std::string folder = std::filesystem::path(file.path()).parent_path().string();
  EXPECT_TRUE(failure_of({folder}).starts_with(folder + ": cannot read it: it is a directory; "));
  const std::string absent = folder + "/absent.csv";
  EXPECT_EQ(failure_of({absent}), absent + ": cannot read it: No such file or directory");
  EXPECT_TRUE(failure_of({}).starts_with("no file to read; "));
  EXPECT_TRUE(
      failure_of({"-", file.path(), "-"}).starts_with("standard input (-) is named twice; "));
}

TEST(CsvErrors, FilesWithoutPermission) {
  if (::geteuid() == 0) GTEST_SKIP() << "root may read everything";
  const TextFile file("t,x\n0,1\n1,2\n");
  ASSERT_EQ(::chmod(file.path().c_str(), 0), 0);
  EXPECT_EQ(failure_of({file.path()}), file.path() + ": cannot read it: Permission denied");
}

TEST(CsvErrors, AnEndlessDeviceIsRefused) {
  EXPECT_TRUE(failure_of({"/dev/zero"}).starts_with("/dev/zero:1:1: a zero byte"));
}

TEST(CsvErrors, FilesMustHaveTheSameColumns) {
  const TextFile first("t,x,y\n0,1,2\n1,2,3\n", "first.csv");
  const TextFile fewer("t,y\n0,1\n1,2\n", "fewer.csv");
  const TextFile more("t,z,y,x\n0,1,2,3\n1,2,3,4\n", "more.csv");
  const TextFile driven("t,x,y,u\n0,1,2,3\n1,2,3,4\n", "driven.csv");
  EXPECT_TRUE(
      failure_of({first.path(), fewer.path()})
          .starts_with(fewer.path() + ":1: no channel \"x\", which " + first.path() + " has; "));
  EXPECT_TRUE(
      failure_of({first.path(), more.path()})
          .starts_with(more.path() + ":1:3: channel \"z\" is not in " + first.path() + "; "));
  EXPECT_TRUE(failure_of({first.path(), driven.path()})
                  .starts_with(driven.path() + ":1:7: input \"u\" is not in " + first.path()));
  EXPECT_TRUE(
      failure_of({driven.path(), first.path()})
          .starts_with(first.path() + ":1: no input \"u\", which " + driven.path() + " has; "));
  EXPECT_EQ(failure_of({first.path(), more.path()}, {.channels = {"x", "y"}}), "");
}

}  // namespace
}  // namespace lgn
