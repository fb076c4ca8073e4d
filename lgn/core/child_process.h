#pragma once

#include <functional>

namespace lgn {

/// Work in a process of its own, made by fork(): it sees all that its parent sees, can change none of it, and what it has to say
/// comes through a pipe. It must not wait for another thread.
class ChildProcess {
 public:
  /// `work` is given the end of the pipe to write to; the process ends, with status 0, when it returns. Throws Error where
  /// the system has no pipe or no process left.
  explicit ChildProcess(const std::function<void(int)>& work);
  /// Waits for its end: one that writes on ends by that.
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  /// The end of the pipe to read from.
  int descriptor() const { return descriptor_; }
  void send_signal(int number) const;
  /// Waits for its end; what waitpid says of it.
  int wait();

 private:
  int process_ = -1, descriptor_ = -1, status_ = 0;
  bool ended_ = false;
};

}  // namespace lgn
