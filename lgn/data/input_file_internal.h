#pragma once

// A file to read from, once; not installed.

#include <cstddef>
#include <string>
#include <string_view>

namespace lgn::csv_internal {

/// A file, a pipe, or standard input ("-"), whose first bytes can be looked at before it is read.
class InputFile {
 public:
  /// Throws Error when it cannot be opened, or is a directory.
  explicit InputFile(const std::string& path);
  ~InputFile();
  InputFile(InputFile&& other) noexcept;
  InputFile& operator=(InputFile&&) = delete;

  /// What messages call the file.
  const std::string& name() const { return name_; }

  /// The first bytes, as many as there are; for a call before any other.
  std::string_view peek(std::size_t size);
  /// Reads up to `size` bytes; 0 at the end. Throws Error when that fails.
  std::size_t read(char* to, std::size_t size);
  /// Everything that is left.
  std::string read_all();

 private:
  std::size_t read_descriptor(char* to, std::size_t size);

  std::string name_;
  int descriptor_ = -1;
  std::string peeked_;
  std::size_t taken_ = 0;  ///< of the bytes peeked at, read
};

}  // namespace lgn::csv_internal
