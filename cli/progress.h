#pragma once

#include <string>

#include "lgn/identify/progress.h"

namespace lgn::cli {

/// Progress on standard error: a bar where that is a terminal, wiped when it goes, else a line every ten seconds.
class ProgressBar {
 public:
  explicit ProgressBar(bool quiet);
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  void show(const FitProgress& progress);
  /// The fraction of a long task, and the seconds it will still take; NaN: nobody knows.
  void show(const std::string& task, double fraction, double seconds_left);
  /// Shows again what was shown last, where it is time: for steps that take long.
  void remind();
  /// Gives the line back to other output until the next show().
  void wipe();

 private:
  bool due();
  void draw(const std::string& task, double fraction, const std::string& rest);

  bool visible_, terminal_;
  bool drawn_ = false;
  double begin_, last_;
  std::string line_;  ///< what a line says next, where there is no terminal
};

}  // namespace lgn::cli
