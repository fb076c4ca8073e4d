#pragma once

// Unpacking of zlib's streams; not installed.

#include <zlib.h>

#include <cstddef>
#include <string>
#include <string_view>

namespace lgn::array_internal {

/// A packed stream in memory, unpacked piece by piece.
class InflateStream {
 public:
  /// raw: as in ZIP files; zlib: with its header and checksum, as in MAT files.
  enum class Wrapping { raw, zlib };

  InflateStream(std::string_view packed, Wrapping wrapping);
  ~InflateStream();
  InflateStream(const InflateStream&) = delete;
  InflateStream& operator=(const InflateStream&) = delete;

  /// The next `size` bytes. Throws Error when the stream is damaged, ends before, or cannot hold as
  /// many; memory is taken only after that was checked.
  std::string take(std::size_t size);

 private:
  z_stream stream_ = {};
  std::string_view packed_;
  std::size_t packed_size_;
  std::size_t taken_ = 0;
};

}  // namespace lgn::array_internal
