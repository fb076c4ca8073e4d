#pragma once

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

 private:
  bool visible_;
  bool drawn_ = false;
  double last_ = 0;
};

}  // namespace lgn::cli
