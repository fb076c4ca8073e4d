#pragma once

// A file to read from, once; not installed.

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace lgn::csv_internal {

/// Bytes one after the other: those of a file, or what becomes of them when they are unpacked or
/// recoded.
class ByteSource {
 public:
  virtual ~ByteSource() = default;
  /// Up to `size` bytes; 0 at the end. Throws Error when that fails.
  virtual std::size_t read(char* to, std::size_t size) = 0;
  /// How many there are, if that is known: one more than that holds them and shows their end.
  virtual std::size_t expected() const { return 0; }
};

/// A file, a pipe, or standard input ("-"), whose first bytes can be looked at before it is read.
class InputFile {
 public:
  /// Throws Error when it cannot be opened, or is a directory.
  explicit InputFile(const std::string& path);
  InputFile(InputFile&& other) noexcept;
  InputFile& operator=(InputFile&&) = delete;
  ~InputFile();

  /// What messages call the file.
  const std::string& name() const { return name_; }

  /// Unpacks gzip and zstd from here on, as often as the first bytes announce one of them, and returns
  /// its name; for a call before `read`. Memory: a few hundred KiB. Reading throws Error when a
  /// stream is damaged, or unpacks to more than 1 GiB and 100 times its size; this does where the file is
  /// packed by xz or bzip2.
  std::string unpack();
  /// Turns UTF-16 (by its byte-order mark, or by its zeros where nearly all is ASCII) and Latin-1 (where the first 64 KiB are not UTF-8) into
  /// UTF-8 from here on, and returns the encoding; for a call before `read`.
  std::string decode_text();

  /// The first bytes, as many as there are; for calls before `read`, each with at least as many as
  /// the one before.
  std::string_view peek(std::size_t size);
  /// Reads up to `size` bytes; 0 at the end. Throws Error when that fails.
  std::size_t read(char* to, std::size_t size);
  /// Everything that is left.
  std::string read_all();

 private:
  /// What was peeked at goes to the front of the bytes that `make` gets.
  template <class Make>
  void replace_source(Make make);

  std::string name_;
  std::unique_ptr<ByteSource> source_;
  std::string peeked_;
  std::size_t taken_ = 0;  ///< of the bytes peeked at, read
};

/// Bytes in front of others.
std::unique_ptr<ByteSource> with_front(std::string front, std::unique_ptr<ByteSource> rest);
/// What a packed stream holds; `file` is for messages.
std::unique_ptr<ByteSource> unpacked_gzip(std::unique_ptr<ByteSource> packed, std::string file);
std::unique_ptr<ByteSource> unpacked_zstd(std::unique_ptr<ByteSource> packed, std::string file);
/// UTF-8 from other encodings; what is no character becomes U+FFFD.
std::unique_ptr<ByteSource> from_utf16(std::unique_ptr<ByteSource> text, bool big_endian);
std::unique_ptr<ByteSource> from_latin1(std::unique_ptr<ByteSource> text);

}  // namespace lgn::csv_internal
