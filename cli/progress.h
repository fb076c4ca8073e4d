#pragma once

#include <string>

#include "lgn/identify/progress.h"

namespace lgn::cli {

/// A progress bar on standard error, drawn only when that is a terminal, and wiped when it goes.
class ProgressBar {
 public:
  explicit ProgressBar(bool quiet);
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  void show(const FitProgress& progress);
  /// The fraction of a long task, and the seconds it will still take; NaN: nobody knows.
  void show(const std::string& task, double fraction, double seconds_left);
  /// Gives the line back to other output until the next show().
  void wipe();

 private:
  bool due();
  void draw(const std::string& task, double fraction, const std::string& rest);

  bool visible_;
  bool drawn_ = false;
  double last_ = 0;
};

}  // namespace lgn::cli
