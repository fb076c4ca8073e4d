#pragma once

// Shared by the parts of the CSV reader and writer, and by their tests; not installed.

#include <cstddef>
#include <cstdlib>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "lgn/data/csv/csv.h"
#include "lgn/data/input_file_internal.h"

namespace lgn::csv_internal {

/// Bytes read at a time: large against a system call, small against the second-level cache.
inline constexpr std::size_t kBlockBytes = std::size_t{1} << 18;
/// A line beyond this is no table; the limit stops an endless stream without line ends.
inline constexpr std::size_t kLongestLine = std::size_t{1} << 31;

/// Names in the order in which the matrices hold them, settled by the first file.
struct Layout {
  std::vector<std::string> channels, inputs;
  std::string first_file;
};

/// `read_csv` with the block size as a parameter; the result does not depend on it.
Dataset read_csv(const std::vector<std::string>& paths, const CsvOptions& options,
                 std::size_t block_bytes);

/// Reads one file that is CSV: adds its runs, and settles `layout` if it is empty. `label` names the
/// run of a file without labels; `prefix` goes before labels in the file.
void read_csv_file(InputFile file, std::size_t block_bytes, const CsvOptions& options,
                   const std::string& label, const std::string& prefix, Layout& layout,
                   std::vector<Trajectory>& runs);

/// The times of a CSV file with one run.
Vector read_csv_times(InputFile file, const CsvOptions& options);

/// What is read from one of several files, and how its runs are labelled.
using ReadFile = std::function<void(const std::string& path, const std::string& label,
                                    const std::string& prefix, Layout&, std::vector<Trajectory>&)>;
/// The runs of all files as one dataset.
Dataset read_files(const std::vector<std::string>& paths, const ReadFile& read);

/// The same names, in order, with " (2)", " (3)", … after those that stood before.
std::vector<std::string> made_unique(std::vector<std::string> names);

/// Text for a message: between quotes, cut after about 40 bytes, what is not printable as \xNN.
std::string quote(std::string_view text);

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
  std::size_t number_ = 0;
  bool ended_ = false;
};

/// What stands between two separators.
struct Cell {
  std::string_view text;       ///< without the spaces around it, quotes resolved
  const char* next = nullptr;  ///< the separator after the cell, or the line's end
  bool quoted = false;
};

/// The cell that starts at `from`. `unquoted` holds the text where doubled quotes had to be
/// resolved. Throws Error when a quote is not closed on the line, or when text follows the closing
/// quote.
Cell take_cell(const Line& line, const char* from, char separator, std::string& unquoted);

/// What the header says about each column.
struct Columns {
  static constexpr Index kIgnored = -1;
  static constexpr Index kLabel = -2;

  char separator = ',';
  std::vector<std::string> names;
  /// Place in a sample (the time, the channels, the inputs), or one of the constants above.
  std::vector<Index> slots;
  std::size_t time = 0;
};

/// Reads the header, and settles `layout` if it is empty. Throws Error when columns are missing,
/// unnamed, ambiguous or not those of the layout. Linear in the number of columns.
Columns read_header(const Line& line, const CsvOptions& options, Layout& layout);

}  // namespace lgn::csv_internal
