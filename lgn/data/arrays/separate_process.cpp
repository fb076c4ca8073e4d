#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <exception>
#include <fstream>

#include "lgn/core/child_process.h"
#include "lgn/data/arrays/array_bytes_internal.h"
#include "lgn/data/arrays/separate_process_internal.h"

namespace lgn::array_internal {
namespace {

/// Where the child puts its results.
class Sender {
 public:
  explicit Sender(int descriptor) : descriptor_(descriptor) {}

  void bytes(const void* from, std::size_t size) {
    const char* at = static_cast<const char*>(from);
    while (size > 0) {
      const ssize_t written = ::write(descriptor_, at, size);
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) ::_exit(1);
      at += written;
      size -= static_cast<std::size_t>(written);
    }
  }
  void send(std::size_t value) { bytes(&value, sizeof value); }
  void send(const std::string& text) {
    send(text.size());
    bytes(text.data(), text.size());
  }
  void send(const std::vector<std::string>& texts) {
    send(texts.size());
    for (const auto& text : texts) send(text);
  }
  void send(const NumberArray& array) {
    send(array.shape.size());
    for (const std::size_t n : array.shape) send(n);
    bytes(array.values.data(), array.values.size() * sizeof(double));
  }
  template <class T>
  void send(const std::map<std::string, T>& named) {
    send(named.size());
    for (const auto& [name, value] : named) {
      send(name);
      send(value);
    }
  }

 private:
  int descriptor_;
};

/// The child ended too early, or sent what no child in order sends.
struct NoResult {};

/// Where the parent gets them. A damaged child may send anything, so sizes have limits.
class Receiver {
 public:
  Receiver(int descriptor, std::size_t most_bytes)
      : descriptor_(descriptor), most_bytes_(most_bytes) {}

  void bytes(void* to, std::size_t size) {
    char* at = static_cast<char*>(to);
    while (size > 0) {
      const ssize_t got = ::read(descriptor_, at, size);
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) throw NoResult{};
      at += got;
      size -= static_cast<std::size_t>(got);
    }
  }
  std::size_t number(std::size_t most) {
    std::size_t value = 0;
    bytes(&value, sizeof value);
    if (value > most) throw NoResult{};
    return value;
  }
  void receive(std::string& text) {
    text.resize(number(most_bytes_));
    bytes(text.data(), text.size());
  }
  void receive(std::vector<std::string>& texts) {
    const std::size_t count = number(kMostNames);
    for (std::size_t k = 0; k < count; ++k) receive(texts.emplace_back());
  }
  void receive(NumberArray& array) {
    constexpr std::size_t most_dimensions = 32;
    array.shape.resize(number(most_dimensions));
    for (std::size_t& n : array.shape) n = number(static_cast<std::size_t>(-1));
    const std::size_t count = count_of(array.shape);
    if (count > most_bytes_ / sizeof(double)) throw NoResult{};
    array.values.resize(count);
    bytes(array.values.data(), array.values.size() * sizeof(double));
  }
  template <class T>
  void receive(std::map<std::string, T>& named) {
    const std::size_t count = number(kMostNames);
    for (std::size_t k = 0; k < count; ++k) {
      std::string name;
      receive(name);
      receive(named[name]);
    }
  }

 private:
  static constexpr std::size_t kMostNames = std::size_t{1} << 30;
  int descriptor_;
  std::size_t most_bytes_;
};

constexpr std::size_t kDecoded = 1, kRefused = 2;

/// A library that believes what a file says of its sizes would take all the memory there is.
void limit_memory(std::size_t bytes) {
  std::size_t pages = 0;
  if (!(std::ifstream("/proc/self/statm") >> pages)) return;
  const std::size_t now = pages * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  if (bytes > RLIM_INFINITY - now) return;
  const rlimit memory{now + bytes, now + bytes};
  ::setrlimit(RLIMIT_AS, &memory);
}

/// Ends the process without touching what it shares with its parent: buffers are not its to flush.
[[noreturn]] void run_child(const std::function<ArrayFile()>& decode, int descriptor,
                            const ChildLimits& limits) {
  const rlimit no_core{0, 0};
  const rlimit time{limits.seconds, limits.seconds + 1};
  ::setrlimit(RLIMIT_CORE, &no_core);
  ::setrlimit(RLIMIT_CPU, &time);
  limit_memory(limits.bytes);
  for (const int number :
       {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGXCPU, SIGINT, SIGTERM, SIGPIPE})
    ::signal(number, SIG_DFL);
  Sender sender(descriptor);
  try {
    const ArrayFile file = decode();
    sender.send(kDecoded);
    sender.send(file.numbers);
    sender.send(file.texts);
    sender.send(file.unread);
    sender.send(std::size_t{file.is_matlab});
  } catch (const Error& error) {
    sender.send(kRefused);
    sender.send(error.problem());
    sender.send(error.help());
  } catch (...) {
    ::_exit(1);
  }
  ::_exit(0);
}

ArrayFile receive_file(Receiver& receiver) {
  if (receiver.number(kRefused) == kRefused) {
    std::string problem, help;
    receiver.receive(problem);
    receiver.receive(help);
    throw Error(problem, help);
  }
  ArrayFile file;
  receiver.receive(file.numbers);
  receiver.receive(file.texts);
  receiver.receive(file.unread);
  file.is_matlab = receiver.number(1) == 1;
  return file;
}

}  // namespace

ArrayFile decode_in_child(const std::function<ArrayFile()>& decode, const ChildLimits& limits,
                          const Error& otherwise) {
  const ChildProcess child([&](int descriptor) { run_child(decode, descriptor, limits); });
  Receiver receiver(child.descriptor(), limits.bytes);
  try {
    return receive_file(receiver);
  } catch (const NoResult&) {
    throw otherwise;
  }
}

}  // namespace lgn::array_internal
