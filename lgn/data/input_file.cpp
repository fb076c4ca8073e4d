#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "lgn/core/error.h"
#include "lgn/data/input_file_internal.h"

namespace lgn::csv_internal {

InputFile::InputFile(const std::string& path) : name_(path == "-" ? "stdin" : path) {
  const auto refuse = [&](const char* reason, const char* help = "") {
    throw Error(fmt::format("cannot read it: {}", reason), help, Location{name_, 0, 0});
  };
  descriptor_ = path == "-" ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor_ < 0) refuse(std::strerror(errno));
  struct stat status = {};
  if (::fstat(descriptor_, &status) == 0 && S_ISDIR(status.st_mode)) {
    if (descriptor_ != STDIN_FILENO) ::close(descriptor_);
    refuse("it is a directory", "name the files in it");
  }
}

InputFile::InputFile(InputFile&& other) noexcept
    : name_(std::move(other.name_)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      peeked_(std::move(other.peeked_)),
      taken_(other.taken_) {}

InputFile::~InputFile() {
  if (descriptor_ >= 0 && descriptor_ != STDIN_FILENO) ::close(descriptor_);
}

std::size_t InputFile::read_descriptor(char* to, std::size_t size) {
  for (;;) {
    const ssize_t got = ::read(descriptor_, to, size);
    if (got >= 0) return static_cast<std::size_t>(got);
    if (errno != EINTR)
      throw Error(fmt::format("cannot read it: {}", std::strerror(errno)), {},
                  Location{name_, 0, 0});
  }
}

std::string_view InputFile::peek(std::size_t size) {
  std::size_t filled = 0, got = 1;
  peeked_.resize(size);
  for (; filled < size && got > 0; filled += got)
    got = read_descriptor(peeked_.data() + filled, size - filled);
  peeked_.resize(filled);
  return peeked_;
}

std::size_t InputFile::read(char* to, std::size_t size) {
  if (taken_ == peeked_.size()) return read_descriptor(to, size);
  const std::size_t given = std::min(size, peeked_.size() - taken_);
  std::copy_n(peeked_.data() + taken_, given, to);
  taken_ += given;
  return given;
}

std::string InputFile::read_all() {
  constexpr std::size_t block = std::size_t{1} << 16;
  struct stat status = {};
  // One byte more than a regular file has, so that its end shows without another block.
  const bool is_regular = ::fstat(descriptor_, &status) == 0 && S_ISREG(status.st_mode);
  std::string bytes(is_regular ? static_cast<std::size_t>(status.st_size) + 1 : block, '\0');
  std::size_t filled = 0;
  while (const std::size_t got = read(bytes.data() + filled, bytes.size() - filled)) {
    filled += got;
    if (filled == bytes.size()) bytes.resize(2 * bytes.size());
  }
  bytes.resize(filled);
  return bytes;
}

}  // namespace lgn::csv_internal
