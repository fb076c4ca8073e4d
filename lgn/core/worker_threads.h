#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <thread>
#include <vector>

#include "lgn/core/linear_algebra.h"

namespace lgn {

/// Threads that wait, asleep, for their part of one loop after another: for loops of a tenth of a millisecond and more.
class WorkerThreads {
 public:
  /// This thread and `threads` − 1 others; one at least.
  explicit WorkerThreads(int threads);
  ~WorkerThreads();
  WorkerThreads(const WorkerThreads&) = delete;
  WorkerThreads& operator=(const WorkerThreads&) = delete;

  int threads() const { return static_cast<int>(others_.size()) + 1; }

  /// Calls part(begin, end) for consecutive parts of 0 … count − 1, one on each thread, and returns when all have
  /// ended. Parts must not throw; where what they compute does not depend on how the loop is cut, neither does the result on
  /// the number of threads. Loops of fewer than `least` for each thread run on this thread alone.
  void over(Index count, Index least, const std::function<void(Index, Index)>& part);

 private:
  void wait_for_work(Index place);

  const std::function<void(Index, Index)>* part_ = nullptr;
  Index count_ = 0;
  std::atomic<unsigned> round_ = 0;
  std::atomic<int> working_ = 0;
  std::atomic<bool> end_ = false;
  std::vector<std::jthread> others_;
};

}  // namespace lgn
