#pragma once

// Shared by the parts of the CSV reader and writer, and by their tests; not installed.

#include <cstddef>
#include <cstdlib>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "lgn/data/column_roles_internal.h"
#include "lgn/data/csv/csv.h"
#include "lgn/data/csv/text_survey_internal.h"
#include "lgn/data/input_file_internal.h"
#include "lgn/data/reading.h"

namespace lgn::csv_internal {

/// Bytes read at a time: large against a system call, small against the second-level cache.
inline constexpr std::size_t kBlockBytes = std::size_t{1} << 18;
/// A line beyond this is no table; the limit stops an endless stream without line ends.
inline constexpr std::size_t kLongestLine = std::size_t{1} << 31;

/// First bytes that a survey looks at, and the most that it does where lines are long or dates leave
/// their order open.
inline constexpr std::size_t kSurveyBytes = std::size_t{1} << 16;
inline constexpr std::size_t kMostSurveyBytes = std::size_t{1} << 26;

/// Names in the order in which the matrices hold them, settled by the first file.
struct Layout {
  std::vector<std::string> channels, inputs;
  std::string first_file;
};

/// `read_csv` with the block size as a parameter; the result does not depend on it.
Dataset read_csv(const std::vector<std::string>& paths, const ReadOptions& options,
                 std::size_t block_bytes, Reading* reading = nullptr);

/// Where the runs of one of several files go, and what they are called there.
struct FilePlace {
  std::string label;   ///< of the one run of a file without labels
  std::string prefix;  ///< before labels in the file
  Layout& layout;      ///< settled by the first file
  std::vector<Trajectory>& runs;
  FileReading& reading;
};

/// Reads one file of text: adds its runs, and settles the layout if it is empty.
void read_csv_file(InputFile file, std::size_t block_bytes, const ReadOptions& options,
                   const FilePlace& place);

/// The times of a CSV file with one run.
Vector read_csv_times(InputFile file, const ReadOptions& options, Reading* reading);

/// What is read from one of several files.
using ReadFile = std::function<void(const std::string& path, const FilePlace& place)>;
/// The runs of all files as one dataset; `reading` may be null.
Dataset read_files(const std::vector<std::string>& paths, const ReadFile& read, Reading* reading);

/// The same names, in order, with " (2)", " (3)", … after those that stood before.
std::vector<std::string> made_unique(std::vector<std::string> names);

/// Text for a message: between quotes, cut after about 40 bytes, what is not printable as \xNN.
std::string quote(std::string_view text);

/// Length of the UTF-8 sequence that starts at `at`; 0 when there is none.
std::size_t utf8_length(std::string_view text, std::size_t at);

/// First byte that is no part of UTF-8 text or is a control character other than tab, or
/// text.size().
std::size_t first_unprintable(std::string_view text);

/// One line without its end, as it lies in the reader's buffer.
struct Line {
  const std::string* file = nullptr;
  std::size_t number = 0;
  const char* begin = nullptr;
  const char* end = nullptr;

  /// Throws Error; `at` is where in the line the offending cell starts (nullptr: the whole line).
  [[noreturn]] void fail(const char* at, const std::string& problem,
                         const std::string& help = {}) const;
};

/// Whether a line without blanks before it is a comment: # (but for #N/A), % or //.
inline bool is_comment_line(std::string_view text) {
  if (text.empty()) return false;
  if (text[0] == '#') return !text.starts_with("#N");
  return text[0] == '%' || text.starts_with("//");
}

/// The lines of a file that are neither blank nor comments.
///
/// Only whole lines are handed out, so nothing that parses one needs to know of blocks. The buffer
/// grows (doubles) only for a line that is longer than it, and each byte is searched once for a
/// line end.
class LineReader {
 public:
  LineReader(InputFile file, std::size_t block_bytes);
  /// "-" is standard input.
  LineReader(const std::string& path, std::size_t block_bytes)
      : LineReader(InputFile(path), block_bytes) {}

  /// The next line, valid until the next call; false at the end of the file.
  bool next(Line& line);
  /// Lines before that number are skipped.
  void start_at(std::size_t number) { first_ = number; }
  /// What messages call the file.
  const std::string& name() const { return file_.name(); }
  /// Lines seen so far, with those that were skipped.
  std::size_t lines() const { return number_; }

 private:
  struct Free {
    void operator()(char* memory) const { std::free(memory); }
  };

  bool refill();
  void reserve(std::size_t bytes);
  void refuse_binary(const char* from, std::size_t bytes) const;

  InputFile file_;
  std::unique_ptr<char, Free> buffer_;
  std::size_t capacity_ = 0;  ///< without the one byte kept for a line end that the file lacks
  std::size_t filled_ = 0;    ///< bytes in the buffer
  std::size_t whole_ = 0;     ///< of these, in lines that have their end
  std::size_t position_ = 0;  ///< of these, handed out
  std::size_t number_ = 0, first_ = 0;
  bool ended_ = false;
};

/// What stands between two separators.
struct Cell {
  std::string_view text;       ///< without the spaces around it, quotes resolved
  const char* next = nullptr;  ///< the separator after the cell, or the line's end
  bool quoted = false;
};

/// Past blanks where those separate cells.
inline const char* skip_blanks(const char* at, const char* end, char separator) {
  if (separator == ' ')
    while (at != end && (*at == ' ' || *at == '\t')) ++at;
  return at;
}
/// From the end of a cell to the start of the next one.
inline const char* skip_separator(const char* at, const char* end, char separator) {
  return at == end ? end : skip_blanks(at + 1, end, separator);
}

/// The cell that starts at `from`. `unquoted` holds the text where doubled quotes had to be
/// resolved. Throws Error when a quote is not closed on the line, or when text follows the closing
/// quote.
Cell take_cell(const Line& line, const char* from, char separator, std::string& unquoted);

/// What is done with the cells of each column.
struct Columns {
  static constexpr Index kIgnored = -1;
  static constexpr Index kLabel = -2;
  static constexpr Index kStamp = -3;  ///< the time, as a date or a clock time

  std::vector<std::string> names;
  /// Place in a sample (the time, the channels, the inputs), or one of the constants above.
  std::vector<Index> slots;
  std::size_t time = 0;  ///< kNoColumn where times are counted
};

/// Finds the columns of a file, and settles `layout` if it is empty. Throws Error when columns are
/// missing, ambiguous or not those of the layout. Linear in the number of columns.
Columns find_columns(const TextSurvey& survey, const std::string& file, const ReadOptions& options,
                     Layout& layout, FileReading& reading);

}  // namespace lgn::csv_internal
