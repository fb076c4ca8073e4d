#pragma once

#include <pybind11/pybind11.h>

#include <chrono>

#include "lgn/identify/progress.h"

namespace lgn::python {

namespace py = pybind11;

/// Watches a fit that runs without the interpreter lock: takes the lock now and then, lets Ctrl-C
/// through as KeyboardInterrupt, and tells `callback` how far the fit has come.
///
/// `callback` is None, or is called with task, step, steps and error; a result of False ends the fit
/// with the best so far. What it raises ends the fit and is passed on.
class Observer {
 public:
  explicit Observer(py::object callback) : callback_(std::move(callback)) {}

  /// To be called without the lock, by the thread that began the fit.
  bool operator()(const FitProgress& progress) {
    if (stopped_ || !due()) return !stopped_;
    const py::gil_scoped_acquire lock;
    if (PyErr_CheckSignals() != 0) throw py::error_already_set();
    if (!callback_.is_none()) {
      const py::object answer =
          callback_(progress.task, progress.step, progress.steps, progress.nrmse);
      stopped_ = answer.is(py::bool_(false));
    }
    return !stopped_;
  }

  /// The same within steps, which may be long: no more than Ctrl-C.
  void watch() {
    if (std::chrono::steady_clock::now() - looked_ < interval) return;
    looked_ = std::chrono::steady_clock::now();
    const py::gil_scoped_acquire lock;
    if (PyErr_CheckSignals() != 0) throw py::error_already_set();
  }

 private:
  bool due() {
    const auto now = std::chrono::steady_clock::now();
    if (now - last_ < interval) return false;
    last_ = now;
    return true;
  }

  static constexpr std::chrono::milliseconds interval{50};
  py::object callback_;
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
  std::chrono::steady_clock::time_point looked_ = last_;
  bool stopped_ = false;
};

}  // namespace lgn::python
