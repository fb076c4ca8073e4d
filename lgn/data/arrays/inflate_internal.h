#pragma once

// Unpacking of zlib's streams; not installed.

#include <zlib.h>

#include <cstddef>
#include <string>
#include <string_view>

namespace lgn::array_internal {

/// Throws Error when no deflated stream of `packed` bytes unpacks to as many, or only a hostile one
/// (`check_unpacked`).
void check_inflated(std::size_t unpacked, std::size_t packed);

/// A packed stream in memory, unpacked piece by piece.
class InflateStream {
 public:
  explicit InflateStream(std::string_view packed);
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
