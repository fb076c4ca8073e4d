#include "lgn/core/output_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "lgn/core/error.h"

namespace lgn {
namespace {

/// Temporary names in use. More files than these are not open at once; the names of others would stay behind.
std::array<std::atomic<const char*>, 256> unfinished;

void change_name(const char* from, const char* to) {
  for (auto& name : unfinished) {
    const char* expected = from;
    if (name.compare_exchange_strong(expected, to)) return;
  }
}

/// While it lives, signals of this thread wait.
class SignalsHeld {
 public:
  SignalsHeld() {
    sigset_t all;
    ::sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~SignalsHeld() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  SignalsHeld(const SignalsHeld&) = delete;
  SignalsHeld& operator=(const SignalsHeld&) = delete;

 private:
  sigset_t before_;
};

}  // namespace

void remove_unfinished_files() {
  for (const auto& name : unfinished)
    if (const char* path = name) ::unlink(path);
}

OutputFile::OutputFile(std::string path) : path_(std::move(path)) {
  if (path_ == "-") {
    descriptor_ = STDOUT_FILENO;
    return;
  }
  std::error_code ignored;
  const auto followed = std::filesystem::weakly_canonical(path_, ignored);
  target_ = ignored ? path_ : followed.string();
  struct stat found {};
  const bool exists = ::stat(target_.c_str(), &found) == 0;
  if (exists && S_ISDIR(found.st_mode)) fail("cannot write", EISDIR);
  if (exists && ::access(target_.c_str(), W_OK) != 0) fail("cannot write", errno);
  if (exists && !S_ISREG(found.st_mode)) {
    descriptor_ = ::open(target_.c_str(), O_WRONLY | O_CLOEXEC);
    if (descriptor_ < 0) fail("cannot write", errno);
    return;
  }
  // A signal between the file and its entry would leave the file behind.
  const SignalsHeld held;
  for (int attempt = 0; descriptor_ < 0 && attempt < 100; ++attempt) {
    temporary_ = fmt::format("{}.{}-{}.tmp", target_, ::getpid(), attempt);
    descriptor_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor_ < 0 && errno != EEXIST) {
      const int reason = errno;
      temporary_.clear();
      fail("cannot write", reason);
    }
  }
  if (descriptor_ < 0) fail("cannot write", EEXIST);
  change_name(nullptr, temporary_.c_str());
  if (exists) static_cast<void>(::fchmod(descriptor_, found.st_mode & 07777));
}

OutputFile::~OutputFile() {
  if (descriptor_ >= 0 && descriptor_ != STDOUT_FILENO) ::close(descriptor_);
  if (temporary_.empty()) return;
  ::unlink(temporary_.c_str());
  change_name(temporary_.c_str(), nullptr);
}

void OutputFile::write(std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor_, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail("cannot write", errno);
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

void OutputFile::finish() {
  if (descriptor_ == STDOUT_FILENO || descriptor_ == -1) return;
  if (!temporary_.empty() && ::fsync(descriptor_) != 0) fail("cannot write", errno);
  const int closed = ::close(descriptor_);
  descriptor_ = -1;
  if (closed != 0) fail("cannot write", errno);
}

void OutputFile::commit() {
  finish();
  if (temporary_.empty()) return;
  if (::rename(temporary_.c_str(), target_.c_str()) != 0) fail("cannot write", errno);
  change_name(temporary_.c_str(), nullptr);
  temporary_.clear();
}

void OutputFile::fail(const char* action, int reason) {
  throw Error(fmt::format("{}: {}", action, std::strerror(reason)), {},
              {path_ == "-" ? "standard output" : path_, 0, 0});
}

void write_file(const std::string& path, std::string_view text) {
  OutputFile file(path);
  file.write(text);
  file.commit();
}

}  // namespace lgn
