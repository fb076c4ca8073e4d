#include "lgn/core/worker_threads.h"

#include <algorithm>

namespace lgn {

WorkerThreads::WorkerThreads(int threads) {
  for (Index place = 1; place < threads; ++place)
    others_.emplace_back([this, place] { wait_for_work(place); });
}

WorkerThreads::~WorkerThreads() {
  end_ = true;
  ++round_;
  round_.notify_all();
}

void WorkerThreads::wait_for_work(Index place) {
  for (unsigned seen = 0;;) {
    round_.wait(seen);
    seen = round_;
    if (end_) return;
    (*part_)(count_ * place / threads(), count_ * (place + 1) / threads());
    if (--working_ == 0) working_.notify_one();
  }
}

void WorkerThreads::over(Index count, Index least, const std::function<void(Index, Index)>& part) {
  if (others_.empty() || count < least * threads()) {
    if (count > 0) part(0, count);
    return;
  }
  part_ = &part;
  count_ = count;
  working_ = static_cast<int>(others_.size());
  ++round_;
  round_.notify_all();
  part(0, count / threads());
  for (int left = working_; left != 0; left = working_) working_.wait(left);
}

}  // namespace lgn
