#pragma once

namespace lgn {

/// While it lives, the linear algebra library uses so many threads; afterwards as many as before.
///
/// For a process that lgn does not own, such as a Python interpreter: the number belongs to the
/// whole process where others share the same library.
class ThreadLimit {
 public:
  explicit ThreadLimit(int threads);
  ~ThreadLimit();
  ThreadLimit(const ThreadLimit&) = delete;
  ThreadLimit& operator=(const ThreadLimit&) = delete;

 private:
  int before_;
};

}  // namespace lgn
