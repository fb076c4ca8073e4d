#include <fmt/format.h>
#include <zlib.h>
#ifdef LGN_WITH_ZSTD
#include <zstd.h>
#endif

#include <algorithm>
#include <array>
#include <limits>
#include <new>
#include <utility>

#include "lgn/core/error.h"
#include "lgn/data/input_file_internal.h"

namespace lgn::csv_internal {
namespace {

/// What every packed stream has: bytes that come in, and a bound on those that come out.
class Unpacked : public ByteSource {
 public:
  Unpacked(std::unique_ptr<ByteSource> packed, std::string file, const char* format)
      : packed_(std::move(packed)), file_(std::move(file)), format_(format) {}

 protected:
  /// More packed bytes; false at their end.
  bool refill() {
    const std::size_t got = packed_->read(input_.data(), input_.size());
    begin_ = 0;
    end_ = got;
    packed_bytes_ += got;
    return got > 0;
  }
  void count(std::size_t bytes) {
    unpacked_bytes_ += bytes;
    constexpr std::size_t usual = std::size_t{1} << 30, most_per_byte = 100;
    if (unpacked_bytes_ > usual && unpacked_bytes_ / most_per_byte > packed_bytes_)
      throw Error(fmt::format("{} bytes of {} unpack to more than 1 GiB and {} times that",
                              packed_bytes_, format_, most_per_byte),
                  "unpack the file first if that is right", Location{file_, 0, 0});
  }
  [[noreturn]] void fail(const char* how) const {
    throw Error(fmt::format("the {} stream {}", format_, how),
                "the file is damaged or cut off: get it again", Location{file_, 0, 0});
  }

  std::array<char, std::size_t{1} << 16> input_;
  std::size_t begin_ = 0, end_ = 0;

 private:
  std::unique_ptr<ByteSource> packed_;
  std::string file_;
  const char* format_;
  std::size_t packed_bytes_ = 0, unpacked_bytes_ = 0;
};

class Gzip : public Unpacked {
 public:
  Gzip(std::unique_ptr<ByteSource> packed, std::string file)
      : Unpacked(std::move(packed), std::move(file), "gzip") {
    constexpr int window_of_gzip = 15 + 16;
    if (inflateInit2(&stream_, window_of_gzip) != Z_OK) throw std::bad_alloc();
  }
  ~Gzip() override { inflateEnd(&stream_); }

  std::size_t read(char* to, std::size_t size) override {
    size = std::min<std::size_t>(size, std::numeric_limits<uInt>::max());
    stream_.next_out = reinterpret_cast<Bytef*>(to);
    stream_.avail_out = static_cast<uInt>(size);
    while (stream_.avail_out == size) {
      if (begin_ == end_ && !refill()) {
        if (!between_members_) fail("ends before its end");
        return 0;
      }
      if (between_members_) {
        // Another member may follow; zeros that fill up a block do not count.
        if (input_[begin_] == '\0') {
          ++begin_;
          continue;
        }
        inflateReset(&stream_);
        between_members_ = false;
      }
      stream_.next_in = reinterpret_cast<Bytef*>(input_.data() + begin_);
      stream_.avail_in = static_cast<uInt>(end_ - begin_);
      const int status = inflate(&stream_, Z_NO_FLUSH);
      begin_ = end_ - stream_.avail_in;
      if (status == Z_MEM_ERROR) throw std::bad_alloc();
      if (status == Z_STREAM_END)
        between_members_ = true;
      else if (status != Z_OK && status != Z_BUF_ERROR)
        fail("is damaged");
    }
    count(size - stream_.avail_out);
    return size - stream_.avail_out;
  }

 private:
  z_stream stream_ = {};
  bool between_members_ = false;
};

#ifdef LGN_WITH_ZSTD
class Zstd : public Unpacked {
 public:
  Zstd(std::unique_ptr<ByteSource> packed, std::string file)
      : Unpacked(std::move(packed), std::move(file), "zstd"), stream_(ZSTD_createDStream()) {
    if (stream_ == nullptr) throw std::bad_alloc();
    // 128 MiB, beyond which only --ultra --long streams go, and hostile ones.
    ZSTD_DCtx_setParameter(stream_, ZSTD_d_windowLogMax, 27);
  }
  ~Zstd() override { ZSTD_freeDStream(stream_); }

  std::size_t read(char* to, std::size_t size) override {
    ZSTD_outBuffer out{to, size, 0};
    while (out.pos == 0) {
      if (begin_ == end_ && !refill()) {
        if (!between_frames_) fail("ends before its end");
        return 0;
      }
      ZSTD_inBuffer in{input_.data(), end_, begin_};
      const std::size_t status = ZSTD_decompressStream(stream_, &out, &in);
      begin_ = in.pos;
      if (ZSTD_isError(status) != 0) fail("is damaged");
      between_frames_ = status == 0;
    }
    count(out.pos);
    return out.pos;
  }

 private:
  ZSTD_DStream* stream_;
  bool between_frames_ = false;
};
#endif

}  // namespace

std::unique_ptr<ByteSource> unpacked_gzip(std::unique_ptr<ByteSource> packed, std::string file) {
  return std::make_unique<Gzip>(std::move(packed), std::move(file));
}

std::unique_ptr<ByteSource> unpacked_zstd([[maybe_unused]] std::unique_ptr<ByteSource> packed,
                                          std::string file) {
#ifdef LGN_WITH_ZSTD
  return std::make_unique<Zstd>(std::move(packed), std::move(file));
#else
  throw Error("this lgn was built without the zstd library",
              "install libzstd-dev and build it again, or unpack the file first",
              Location{std::move(file), 0, 0});
#endif
}

}  // namespace lgn::csv_internal
