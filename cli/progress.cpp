#include "cli/progress.h"

#include <fmt/format.h>
#include <unistd.h>

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

ProgressBar::~ProgressBar() {
  if (drawn_) std::fputs("\r\033[K", stderr);
}

void ProgressBar::show(const FitProgress& progress) {
  if (!visible_ || now() - last_ < redraw_seconds) return;
  last_ = now();
  drawn_ = true;
  constexpr int width = 24;
  const int filled = progress.steps > 0 ? width * progress.step / progress.steps : 0;
  std::string bar;
  for (int i = 0; i < width; ++i) bar += i < filled ? "█" : "░";
  std::string text = fmt::format("\r\033[K{} {} step {} of at most {}", progress.task, bar,
                                 progress.step, progress.steps);
  if (std::isfinite(progress.nrmse)) text += fmt::format(", error {:.3g}", progress.nrmse);
  std::fputs(text.c_str(), stderr);
  std::fflush(stderr);
}

}  // namespace lgn::cli
