#pragma once

#include <exception>
#include <functional>
#include <limits>
#include <memory>
#include <utility>

namespace lgn {

/// Thrown by stop_point() where work has been asked to end. Not an Error: nothing is wrong with what was given. Stages that
/// hold an answer catch it (unless_stopped) and go on with that.
class Stopped final : public std::exception {
 public:
  const char* what() const noexcept override { return "stopped before there was an answer"; }
};

namespace stop_internal {

struct Request;

/// How soon a thread that was asked to stop does so.
enum class Manner {
  soon,     ///< after an allowance of processor time, in which there may be a first answer
  at_once,  ///< at the next stop point
  not_at_all,
};

/// What a thread knows about stopping.
struct Here {
  Request* innermost;
  Manner manner;
  double allowance;  ///< seconds of processor time, for the manner `soon`
  double work, next_look;
};
extern constinit thread_local Here here;
void look();

}  // namespace stop_internal

/// Seconds of processor time that work without an answer may still take after it was asked to stop, unless a scope says
/// otherwise.
inline constexpr double stop_allowance = 0.4;

/// Asks the work of this thread to end: `seconds` from now (0: never), when `asked` says so, or by request(). `asked` is
/// called often, and by this thread alone. Scopes nest: work ends when any around it asks for that.
class StopScope {
 public:
  explicit StopScope(double seconds = 0, std::function<bool()> asked = {},
                     double allowance = stop_allowance);
  ~StopScope();
  StopScope(const StopScope&) = delete;
  StopScope& operator=(const StopScope&) = delete;

  void request();
  /// Whether this one or one around it has asked.
  bool requested() const;

 private:
  std::unique_ptr<stop_internal::Request> own_;
  stop_internal::Manner manner_before_;
  double allowance_before_;
};

/// Ends the work of this thread, as StopScope does but only where it is interruptible, after so much work: the same
/// data then give the same answer, however busy the machine is.
class WorkLimit {
 public:
  explicit WorkLimit(double work);
  ~WorkLimit();
  WorkLimit(const WorkLimit&) = delete;
  WorkLimit& operator=(const WorkLimit&) = delete;

  /// Whether so much has been done.
  bool reached() const;

 private:
  std::unique_ptr<stop_internal::Request> own_;
};

/// Lets another thread obey what this one has been asked: made here, and used there while the scopes live.
class SharedStop {
 public:
  SharedStop() : outer_(stop_internal::here.innermost) {}

  class Use {
   public:
    explicit Use(const SharedStop& shared);
    ~Use();
    Use(const Use&) = delete;
    Use& operator=(const Use&) = delete;

   private:
    stop_internal::Here before_;
  };

 private:
  stop_internal::Request* outer_;
};

/// The work that this thread has counted: about as many nanoseconds as it takes on a machine of today, but the same on every
/// machine.
inline double work_done() { return stop_internal::here.work; }
/// Sets that count: to what it was when the state was kept from which a search goes on.
void resume_work(double work);

/// Whether a StopScope has asked this thread to end.
bool stop_requested();

/// A place where work may end: throws Stopped where it was asked to. Looks at the clock, so for work of microseconds or more.
inline void stop_point() { stop_internal::look(); }
/// The same before small pieces of work, which it counts (work_done); the clock is looked at now and then.
inline void stop_point(double work) {
  auto& here = stop_internal::here;
  here.work += work;
  if (here.work >= here.next_look) stop_internal::look();
}

/// While it lives, this thread stops in that manner.
class StopManner {
 public:
  explicit StopManner(stop_internal::Manner manner)
      : before_(std::exchange(stop_internal::here.manner, manner)) {}
  ~StopManner() { stop_internal::here.manner = before_; }
  StopManner(const StopManner&) = delete;
  StopManner& operator=(const StopManner&) = delete;

 private:
  stop_internal::Manner before_;
};

/// Whether work here can be done without: there is an answer (unless_stopped).
inline bool can_be_done_without() {
  return stop_internal::here.manner == stop_internal::Manner::at_once;
}

/// Does work that can be done without: it ends at the first stop point after it was asked to. Whether it came to its own end.
template <class Work>
bool unless_stopped(Work&& work) {
  try {
    const StopManner now(stop_internal::Manner::at_once);
    std::forward<Work>(work)();
    return true;
  } catch (const Stopped&) {
    return false;
  }
}

/// Does short work without which there is no answer, whoever asks to stop.
template <class Work>
decltype(auto) to_the_end(Work&& work) {
  const StopManner now(stop_internal::Manner::not_at_all);
  return std::forward<Work>(work)();
}

}  // namespace lgn
