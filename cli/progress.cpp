#include "cli/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>

namespace lgn::cli {
namespace {

constexpr double redraw_seconds = 0.1;

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace

ProgressBar::ProgressBar(bool quiet)
    : visible_(!quiet && isatty(STDERR_FILENO) == 1), last_(now()) {}

ProgressBar::~ProgressBar() { wipe(); }

void ProgressBar::wipe() {
  if (drawn_) std::fputs("\r\033[K", stderr);
  drawn_ = false;
}

bool ProgressBar::due() {
  if (!visible_ || now() - last_ < redraw_seconds) return false;
  last_ = now();
  return true;
}

void ProgressBar::draw(const std::string& task, double fraction, const std::string& rest) {
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
