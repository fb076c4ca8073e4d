#include "lgn/identify/progress.h"

#include <chrono>

namespace lgn {

FitObserver with_limit(const FitObserver& observer, double seconds) {
  if (seconds <= 0) return observer;
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  return [end, observer](const FitProgress& progress) {
    return std::chrono::steady_clock::now() < end && (!observer || observer(progress));
  };
}

}  // namespace lgn
