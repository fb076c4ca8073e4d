#include "experiments/reproduction/child_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstring>

#include "lgn/core/error.h"

extern char** environ;

namespace lgn::studies {

ChildProcess::ChildProcess(const std::vector<std::string>& words) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) throw Error("no pipe is left for another program");
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO);
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  const int failed = posix_spawn(&pid_, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  output_ = ends[0];
  if (failed != 0) {
    pid_ = -1;
    close(output_);
    throw Error(fmt::format("cannot start {}: {}", words[0], std::strerror(failed)));
  }
}

ChildProcess::~ChildProcess() {
  if (pid_ > 0) {
    kill(pid_, SIGTERM);
    waitpid(pid_, nullptr, 0);
  }
  if (output_ >= 0) close(output_);
}

int ChildProcess::wait(const std::function<bool(const std::string&)>& line) {
  constexpr int patience = 200;  // milliseconds between two looks at whether to go on
  std::string pending;
  std::array<char, 4096> buffer;
  bool wanted = true;
  while (wanted) {
    pollfd ready{output_, POLLIN, 0};
    if (poll(&ready, 1, patience) <= 0) {
      wanted = line({});
      continue;
    }
    const ssize_t count = read(output_, buffer.data(), buffer.size());
    if (count <= 0) break;
    pending.append(buffer.data(), static_cast<std::size_t>(count));
    for (std::size_t end; wanted && (end = pending.find('\n')) != pending.npos;
         pending.erase(0, end + 1))
      wanted = line(pending.substr(0, end));
  }
  if (wanted && !pending.empty()) line(pending);
  if (!wanted) kill(pid_, SIGTERM);
  int status = 0;
  waitpid(pid_, &status, 0);
  pid_ = -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace lgn::studies
