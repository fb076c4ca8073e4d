#pragma once

#include <sys/types.h>

#include <functional>
#include <string>
#include <vector>

namespace lgn::studies {

/// A program that runs beside this one; its standard output and error come back line by line.
class ChildProcess {
 public:
  /// Starts words[0] with the other words. Throws Error when it cannot be started.
  explicit ChildProcess(const std::vector<std::string>& words);
  /// Ends the program if it still runs.
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  /// Hands on every line until the output ends, then returns the exit status; 128 + signal for a program
  /// that a signal ended. `line` is also called with nothing a few times per second; when it returns
  /// false the program is ended.
  int wait(const std::function<bool(const std::string&)>& line);

 private:
  pid_t pid_ = -1;
  int output_ = -1;
};

}  // namespace lgn::studies
