#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <optional>
#include <utility>

#include "lgn/core/error.h"
#include "lgn/data/csv/csv_internal.h"
#include "lgn/data/input_file_internal.h"

namespace lgn::csv_internal {
namespace {

/// An open file; standard input stays open.
class Descriptor : public ByteSource {
 public:
  Descriptor(int descriptor, std::string name) : name_(std::move(name)), descriptor_(descriptor) {}
  ~Descriptor() override {
    if (descriptor_ != STDIN_FILENO) ::close(descriptor_);
  }

  std::size_t read(char* to, std::size_t size) override {
    for (;;) {
      const ssize_t got = ::read(descriptor_, to, size);
      if (got >= 0) return static_cast<std::size_t>(got);
      if (errno != EINTR)
        throw Error(fmt::format("cannot read it: {}", std::strerror(errno)), {},
                    Location{name_, 0, 0});
    }
  }
  std::size_t expected() const override {
    struct stat status = {};
    const bool is_regular = ::fstat(descriptor_, &status) == 0 && S_ISREG(status.st_mode);
    return is_regular ? static_cast<std::size_t>(status.st_size) : 0;
  }

 private:
  std::string name_;
  int descriptor_;
};

class Joined : public ByteSource {
 public:
  Joined(std::string front, std::unique_ptr<ByteSource> rest)
      : front_(std::move(front)), rest_(std::move(rest)) {}

  std::size_t read(char* to, std::size_t size) override {
    if (taken_ == front_.size()) return rest_->read(to, size);
    const std::size_t given = std::min(size, front_.size() - taken_);
    std::copy_n(front_.data() + taken_, given, to);
    taken_ += given;
    return given;
  }
  std::size_t expected() const override { return rest_->expected(); }

 private:
  std::string front_;
  std::unique_ptr<ByteSource> rest_;
  std::size_t taken_ = 0;
};

/// UTF-16 without a byte-order mark, where nearly all is ASCII: one byte of each two is zero. Whether the
/// first is; nothing for other text.
std::optional<bool> order_of_unmarked_utf16(std::string_view text) {
  constexpr std::size_t looked_at = 4096, fewest = 8;
  text = text.substr(0, std::min(looked_at, text.size()));
  std::array<std::size_t, 2> zeros = {}, texts = {};
  for (std::size_t k = 0; k < text.size(); ++k) {
    const auto byte = static_cast<unsigned char>(text[k]);
    zeros[k % 2] += byte == 0;
    texts[k % 2] += byte >= 0x20 || byte == '\t' || byte == '\n' || byte == '\r';
  }
  const std::size_t half = text.size() / 2;
  if (text.size() < fewest) return std::nullopt;
  for (const std::size_t high : {0U, 1U})
    if (10 * zeros[high] >= 9 * half && 10 * texts[1 - high] >= 9 * half) return high == 0;
  return std::nullopt;
}

}  // namespace

std::unique_ptr<ByteSource> with_front(std::string front, std::unique_ptr<ByteSource> rest) {
  return std::make_unique<Joined>(std::move(front), std::move(rest));
}

InputFile::InputFile(const std::string& path) : name_(path == "-" ? "stdin" : path) {
  const auto refuse = [&](const char* reason, const char* help = "") {
    throw Error(fmt::format("cannot read it: {}", reason), help, Location{name_, 0, 0});
  };
  const int descriptor = path == "-" ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) refuse(std::strerror(errno));
  source_ = std::make_unique<Descriptor>(descriptor, name_);
  struct stat status = {};
  if (::fstat(descriptor, &status) == 0 && S_ISDIR(status.st_mode))
    refuse("it is a directory", "name the files in it");
}

InputFile::InputFile(InputFile&& other) noexcept = default;
InputFile::~InputFile() = default;

template <class Make>
void InputFile::replace_source(Make make) {
  source_ = make(with_front(std::exchange(peeked_, {}), std::move(source_)));
}

std::string InputFile::unpack() {
  std::string unpacked;
  // Packed once more by mistake happens; more often is a trap.
  for (int layer = 0; layer < 2; ++layer) {
    const std::string_view first = peek(4);
    if (first.starts_with("\x1f\x8b")) {
      unpacked = "gzip";
      replace_source([&](auto source) { return unpacked_gzip(std::move(source), name_); });
    } else if (first == "\x28\xB5\x2F\xFD") {
      unpacked = "zstd";
      replace_source([&](auto source) { return unpacked_zstd(std::move(source), name_); });
    } else {
      break;
    }
  }
  const auto refuse = [&](const char* packer, const char* program) {
    throw Error(fmt::format("it is packed by {}, which is not unpacked here", packer),
                fmt::format("unpack it with {}, or pack it by gzip or zstd", program),
                Location{name_, 0, 0});
  };
  const std::string_view first = peek(6);
  if (first == std::string_view("\xFD\x37zXZ\0", 6)) refuse("xz", "unxz");
  if (first.starts_with("BZh") && first.size() > 3 && first[3] >= '1' && first[3] <= '9')
    refuse("bzip2", "bunzip2");
  return unpacked;
}

std::string InputFile::decode_text() {
  constexpr std::size_t looked_at = std::size_t{1} << 16;
  const std::string_view first = peek(looked_at);
  if (first.starts_with("\xFF\xFE") || first.starts_with("\xFE\xFF")) {
    const bool big_endian = first.front() == '\xFE';
    peeked_.erase(0, 2);
    replace_source([&](auto source) { return from_utf16(std::move(source), big_endian); });
    return "UTF-16";
  }
  if (const auto big_endian = order_of_unmarked_utf16(first)) {
    replace_source([&](auto source) { return from_utf16(std::move(source), *big_endian); });
    return "UTF-16";
  }
  // A sequence that the end of the view cuts in two is no mistake.
  std::size_t good = 0;
  const std::size_t sure = first.size() < looked_at ? first.size() : first.size() - 3;
  while (good < sure) {
    const std::size_t length = utf8_length(first, good);
    if (length == 0) break;
    good += length;
  }
  if (good >= sure) return "UTF-8";
  replace_source([&](auto source) { return from_latin1(std::move(source)); });
  return "Latin-1";
}

std::string_view InputFile::peek(std::size_t size) {
  std::size_t filled = peeked_.size(), got = 1;
  if (filled >= size) return std::string_view(peeked_).substr(0, size);
  peeked_.resize(size);
  for (; filled < size && got > 0; filled += got)
    got = source_->read(peeked_.data() + filled, size - filled);
  peeked_.resize(filled);
  return peeked_;
}

std::size_t InputFile::read(char* to, std::size_t size) {
  if (taken_ == peeked_.size()) return source_->read(to, size);
  const std::size_t given = std::min(size, peeked_.size() - taken_);
  std::copy_n(peeked_.data() + taken_, given, to);
  taken_ += given;
  return given;
}

std::string InputFile::read_all() {
  constexpr std::size_t block = std::size_t{1} << 16;
  // One byte more than a regular file has, so that its end shows without another block.
  const std::size_t expected = source_->expected();
  std::string bytes(expected > 0 ? expected + 1 : block, '\0');
  std::size_t filled = 0;
  while (const std::size_t got = read(bytes.data() + filled, bytes.size() - filled)) {
    filled += got;
    if (filled == bytes.size()) bytes.resize(2 * bytes.size());
  }
  bytes.resize(filled);
  return bytes;
}

}  // namespace lgn::csv_internal
