#include "cli/interrupt.h"

#include <signal.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cmath>
#include <string_view>

#include "lgn/core/output_file.h"
#include "lgn/core/stop.h"

namespace lgn::cli {
namespace {

using namespace std::literals;

std::atomic<int> guards = 0;
std::atomic<bool> interrupted = false, time_is_up = false;
std::array<std::atomic<bool>, NSIG> seen;
std::atomic<double> end_on_the_wall = 0;

double seconds_of(clockid_t clock) {
  timespec now{};
  ::clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

void ring_after(double seconds) {
  const double whole = std::floor(seconds);
  itimerval timer{};
  timer.it_value.tv_sec = static_cast<time_t>(whole);
  timer.it_value.tv_usec =
      std::max<suseconds_t>(whole > 0 ? 0 : 1, static_cast<suseconds_t>(1e6 * (seconds - whole)));
  ::setitimer(ITIMER_REAL, &timer, nullptr);
}

/// Whether a program that waits, for a busy machine or for its input, has waited long enough.
bool has_had_its_time() {
  constexpr double patience = 5;
  return seconds_of(CLOCK_PROCESS_CPUTIME_ID) > stop_allowance ||
         seconds_of(CLOCK_MONOTONIC) > end_on_the_wall + patience;
}

void end_at_once(std::string_view message) {
  remove_unfinished_files();
  // Where it cannot be written, the status says it alone.
  if (::write(STDERR_FILENO, message.data(), message.size()) < 0) ::_exit(1);
  ::_exit(1);
}

extern "C" void on_signal(int signal) {
  const int kept = errno;
  const bool late = signal == SIGALRM;
  if (late) time_is_up = true;
  if (guards > 0) {
    if (!late) interrupted = true;
    if (!late && seen[static_cast<std::size_t>(signal)].exchange(true)) {
      // The second of its kind: as if nobody had caught it, but for rests of files.
      remove_unfinished_files();
      ::signal(signal, SIG_DFL);
      ::raise(signal);
    }
  } else if (!late) {
    end_at_once("lgn: stopped before there was an answer\n"sv);
  } else if (has_had_its_time()) {
    end_at_once("lgn: stopped before there was an answer; allow more with --max-seconds\n"sv);
  } else {
    ring_after(0.02);
  }
  errno = kept;
}

void handle(int signal) {
  struct sigaction action {};
  action.sa_handler = on_signal;
  action.sa_flags = SA_RESTART;
  ::sigaction(signal, &action, nullptr);
}

}  // namespace

void end_when_asked() {
  handle(SIGTERM);
  handle(SIGINT);
}

void end_after(double seconds) {
  constexpr double longest = 1e8;
  if (!(seconds > 0)) return;
  end_on_the_wall = seconds_of(CLOCK_MONOTONIC) + seconds;
  handle(SIGALRM);
  ring_after(std::min(seconds, longest));
}

Interrupt::Interrupt() { ++guards; }

Interrupt::~Interrupt() { --guards; }

bool Interrupt::requested() const { return interrupted || time_is_up; }

bool Interrupt::by_signal() const { return interrupted; }

}  // namespace lgn::cli
