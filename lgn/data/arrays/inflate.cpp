#include <algorithm>
#include <limits>
#include <new>

#include "lgn/core/error.h"
#include "lgn/data/arrays/array_bytes_internal.h"
#include "lgn/data/arrays/inflate_internal.h"

namespace lgn::array_internal {
namespace {

[[noreturn]] void damaged_stream(const char* how) {
  throw Error(std::string("a compressed array ") + how,
              "the file is damaged or cut off: write it again");
}

uInt piece(std::size_t bytes) {
  return static_cast<uInt>(std::min<std::size_t>(bytes, std::numeric_limits<uInt>::max()));
}

}  // namespace

void check_inflated(std::size_t unpacked, std::size_t packed) {
  // A run of 258 bytes takes at least two bits.
  constexpr std::size_t most_per_byte = 1032;
  if (unpacked / most_per_byte > packed) damaged_stream("is too short for what it should hold");
  check_unpacked(unpacked, packed);
}

InflateStream::InflateStream(std::string_view packed)
    : packed_(packed), packed_size_(packed.size()) {
  if (inflateInit(&stream_) != Z_OK) throw std::bad_alloc();
}

InflateStream::~InflateStream() { inflateEnd(&stream_); }

std::string InflateStream::take(std::size_t size) {
  check_inflated(taken_ + size, packed_size_);
  std::string out(size, '\0');
  for (std::size_t done = 0; done < size;) {
    if (stream_.avail_in == 0) {
      const uInt given = piece(packed_.size());
      // zlib only reads through this pointer.
      stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed_.data()));
      stream_.avail_in = given;
      packed_.remove_prefix(given);
    }
    const uInt room = piece(size - done);
    stream_.next_out = reinterpret_cast<Bytef*>(out.data() + done);
    stream_.avail_out = room;
    const int status = inflate(&stream_, Z_NO_FLUSH);
    const std::size_t got = room - stream_.avail_out;
    done += got;
    if (status == Z_MEM_ERROR) throw std::bad_alloc();
    if (status != Z_OK && status != Z_STREAM_END && status != Z_BUF_ERROR)
      damaged_stream("is damaged");
    if (done < size && (status == Z_STREAM_END || (got == 0 && packed_.empty())))
      damaged_stream("ends before its end");
  }
  taken_ += size;
  return out;
}

}  // namespace lgn::array_internal
