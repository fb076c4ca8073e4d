#pragma once

#include <string>
#include <string_view>

namespace lgn {

/// A file that appears whole or not at all: text goes to a temporary name in the same folder, and
/// commit() renames it into place. Without commit() (an exception, an early return) nothing is
/// left.
///
/// "-" is standard output; an existing device or pipe is written directly. Every failure (no such
/// folder, no permission, full disk) throws Error with the path and the system's reason.
class OutputFile {
 public:
  explicit OutputFile(std::string path);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  void write(std::string_view text);
  /// Nothing more will be written: what is there goes to the disk, and the file needs no descriptor any more.
  void finish();
  void commit();

 private:
  [[noreturn]] void fail(const char* action, int reason);

  std::string path_;
  std::string target_;     ///< path_ with symbolic links followed
  std::string temporary_;  ///< empty when writing directly
  int descriptor_ = -1;
};

/// Removes what stands under temporary names, of all such files: for a process that is about to end. Safe in a handler
/// of signals.
void remove_unfinished_files();

/// Writes `text` to `path` in one such step.
void write_file(const std::string& path, std::string_view text);

}  // namespace lgn
