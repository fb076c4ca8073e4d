#pragma once

#include <functional>
#include <string>

namespace lgn {

/// How far a fit has come.
struct FitProgress {
  std::string task;         ///< what is being done, in words
  int step = 0, steps = 0;  ///< of at most
  double nrmse = 0;         ///< of the best parameters so far, on the data that the task looks at
  std::string found = {};  ///< the best of what was tried before, and its error; empty: nothing was
};

/// Called after every step; returning false ends the fit with the best parameters so far.
using FitObserver = std::function<bool(const FitProgress&)>;

/// The same observer, which also ends the fit `seconds` from now; 0: no limit.
FitObserver with_limit(const FitObserver& observer, double seconds);

}  // namespace lgn
