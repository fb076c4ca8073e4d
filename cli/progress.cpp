#include "cli/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>

namespace lgn::cli {
namespace {

constexpr double redraw_seconds = 0.1, line_seconds = 10;

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace

ProgressBar::ProgressBar(bool quiet)
    : visible_(!quiet), terminal_(isatty(STDERR_FILENO) == 1), begin_(now()), last_(begin_) {}

ProgressBar::~ProgressBar() { wipe(); }

void ProgressBar::wipe() {
  if (drawn_) std::fputs("\r\033[K", stderr);
  drawn_ = false;
}

bool ProgressBar::due() {
  if (!visible_) return false;
  if (!terminal_) return true;
  if (now() - last_ < redraw_seconds) return false;
  last_ = now();
  return true;
}

void ProgressBar::remind() {
  if (!visible_ || terminal_ || now() - last_ < line_seconds) return;
  last_ = now();
  const std::string line = line_.empty() ? "the first answer" : line_;
  std::fputs(fmt::format("lgn: {:.0f} s: {}\n", last_ - begin_, line).c_str(), stderr);
}

void ProgressBar::draw(const std::string& task, double fraction, const std::string& rest) {
  if (!terminal_) {
    line_ = task + ", " + rest;
    return remind();
  }
  drawn_ = true;
  constexpr int width = 24;
  std::string bar;
  for (int i = 0; i < width; ++i) bar += i + 1 <= width * fraction ? "█" : "░";
  std::fputs(fmt::format("\r\033[K{} {} {}", task, bar, rest).c_str(), stderr);
  std::fflush(stderr);
}

void ProgressBar::show(const FitProgress& progress) {
  if (!due()) return;
  std::string rest = fmt::format("step {} of at most {}", progress.step, progress.steps);
  if (std::isfinite(progress.nrmse)) rest += fmt::format(", error {:.3g}", progress.nrmse);
  if (!progress.found.empty()) rest += "; so far " + progress.found;
  draw(progress.task, progress.steps > 0 ? 1.0 * progress.step / progress.steps : 0, rest);
}

void ProgressBar::show(const std::string& task, double fraction, double seconds_left) {
  if (!due()) return;
  std::string rest = fmt::format("{:.0f}%", 100 * fraction);
  if (seconds_left >= 90)
    rest += fmt::format(", about {:.0f} min left", seconds_left / 60);
  else if (std::isfinite(seconds_left))
    rest += fmt::format(", about {:.0f} s left", std::max(0.0, seconds_left));
  draw(task, fraction, rest);
}

}  // namespace lgn::cli
