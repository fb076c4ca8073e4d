#include "lgn/core/stop.h"

#include <time.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>

namespace lgn {
namespace stop_internal {
namespace {

using Clock = std::chrono::steady_clock;

/// Work between two looks at the clock.
constexpr double look_interval = 2e5;
/// The farthest end that a clock can hold.
constexpr double most_seconds = 1e9;

double processor_seconds() {
  timespec now{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

}  // namespace

struct Request {
  Request* outer;
  double most_work = std::numeric_limits<double>::infinity();
  Clock::time_point end = Clock::time_point::max();
  std::function<bool()> asked = {};
  std::thread::id owner = std::this_thread::get_id();
  std::atomic<bool> made = false;
  std::atomic<double> made_at = 0;  ///< seconds of processor time

  void make() {
    if (made) return;
    made_at = processor_seconds();
    made = true;
  }
  bool check() {
    if (made) return true;
    if (Clock::now() >= end || (asked && owner == std::this_thread::get_id() && asked())) make();
    return made;
  }
};

constinit thread_local Here here{nullptr, Manner::soon, stop_allowance, 0, 0};

void look() {
  here.next_look = here.work + look_interval;
  for (Request* request = here.innermost; request != nullptr; request = request->outer) {
    if (here.work >= request->most_work && here.manner == Manner::at_once &&
        request->owner == std::this_thread::get_id())
      throw Stopped();
    if (!request->check() || here.manner == Manner::not_at_all) continue;
    if (here.manner == Manner::at_once || processor_seconds() > request->made_at + here.allowance)
      throw Stopped();
  }
}

}  // namespace stop_internal

using stop_internal::here;
using stop_internal::Manner;
using stop_internal::Request;

StopScope::StopScope(double seconds, std::function<bool()> asked, double allowance)
    : own_(new Request{here.innermost}),
      manner_before_(here.manner),
      allowance_before_(here.allowance) {
  using Clock = stop_internal::Clock;
  if (seconds > 0 && seconds < stop_internal::most_seconds)
    own_->end = Clock::now() +
                std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
  own_->asked = std::move(asked);
  here.innermost = own_.get();
  here.next_look = 0;
  here.manner = Manner::soon;
  here.allowance = allowance;
}

StopScope::~StopScope() {
  here.innermost = own_->outer;
  here.manner = manner_before_;
  here.allowance = allowance_before_;
}

void StopScope::request() { own_->make(); }

bool StopScope::requested() const {
  for (Request* request = own_.get(); request != nullptr; request = request->outer)
    if (request->check()) return true;
  return false;
}

WorkLimit::WorkLimit(double work) : own_(new Request{here.innermost}) {
  own_->most_work = here.work + work;
  here.innermost = own_.get();
}

WorkLimit::~WorkLimit() { here.innermost = own_->outer; }

bool WorkLimit::reached() const { return here.work >= own_->most_work; }

SharedStop::Use::Use(const SharedStop& shared) : before_(here) {
  here = {shared.outer_, Manner::at_once, stop_allowance, 0, 0};
}

SharedStop::Use::~Use() { here = before_; }

void resume_work(double work) { here.work = std::max(here.work, work); }

bool stop_requested() {
  for (Request* request = here.innermost; request != nullptr; request = request->outer)
    if (request->check()) return true;
  return false;
}

}  // namespace lgn
