#include "lgn/core/child_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "lgn/core/error.h"

namespace lgn {

ChildProcess::ChildProcess(const std::function<void(int)>& work) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0)
    throw Error(fmt::format("no pipe could be made: {}", std::strerror(errno)));
  process_ = ::fork();
  if (process_ == 0) {
    ::close(ends[0]);
    work(ends[1]);
    ::_exit(0);  // buffers are not its to flush
  }
  const int reason = errno;
  ::close(ends[1]);
  descriptor_ = ends[0];
  if (process_ > 0) return;
  ::close(descriptor_);
  throw Error(fmt::format("no process could be started: {}", std::strerror(reason)));
}

ChildProcess::~ChildProcess() {
  ::close(descriptor_);
  wait();
}

void ChildProcess::send_signal(int number) const {
  if (!ended_) ::kill(process_, number);
}

int ChildProcess::wait() {
  while (!ended_ && ::waitpid(process_, &status_, 0) < 0 && errno == EINTR) continue;
  ended_ = true;
  return status_;
}

}  // namespace lgn
