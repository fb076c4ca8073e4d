#pragma once

// The samples of one run while rows arrive; private to the readers of tables.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "lgn/core/error.h"
#include "lgn/data/csv/csv_internal.h"

namespace lgn::csv_internal {

/// Grows as samples are appended.
///
/// The matrices grow in place: for large ones realloc remaps pages, so that neither growth nor the
/// final cut needs a second copy, and pages beyond the last sample are never touched.
class RunBuilder {
 public:
  /// `key` is the label as it stands in the file.
  RunBuilder(const Layout& layout, std::string key, std::string label, std::size_t first_line)
      : key_(std::move(key)),
        label_(std::move(label)),
        first_line_(first_line),
        states_(static_cast<Index>(layout.channels.size()), 0),
        inputs_(static_cast<Index>(layout.inputs.size()), 0) {}

  void append(const double* sample) {
    if (samples_ == times_.size()) resize(samples_ + samples_ / 2 + 2);
    times_[samples_] = sample[0];
    const Index channels = states_.rows(), inputs = inputs_.rows();
    std::copy_n(sample + 1, channels, states_.data() + samples_ * channels);
    std::copy_n(sample + 1 + channels, inputs, inputs_.data() + samples_ * inputs);
    ++samples_;
  }

  const std::string& key() const { return key_; }
  const std::string& label() const { return label_; }
  Index samples() const { return samples_; }
  double last_time() const { return times_[samples_ - 1]; }

  /// Whether the times are those of the clock to within `rounding`.
  bool agrees_with(const SampleClock& clock, double rounding) const {
    for (Index k = 0; k < samples_; ++k)
      if (!(std::abs(times_[k] - times_[0] - clock.at(k)) <= rounding)) return false;
    return true;
  }
  /// The largest difference to the times of the clock.
  double distance_to(const SampleClock& clock) const {
    double largest = 0;
    for (Index k = 0; k < samples_; ++k)
      largest = std::max(largest, std::abs(times_[k] - times_[0] - clock.at(k)));
    return largest;
  }
  void set_times(const SampleClock& clock) {
    const double begin = times_[0];
    for (Index k = 0; k < samples_; ++k) times_[k] = begin + clock.at(k);
  }

  /// Moves the samples out.
  Trajectory finish(const std::string& file) {
    if (samples_ == 1)
      throw Error(fmt::format("run {} has only this sample", quote(label_)),
                  "a run needs at least two samples to show how the system moves",
                  Location{file, first_line_, 0});
    resize(samples_);
    return Trajectory(std::move(label_), std::move(times_), std::move(states_), std::move(inputs_));
  }

 private:
  void resize(Index capacity) {
    times_.conservativeResize(capacity);
    states_.conservativeResize(Eigen::NoChange, capacity);
    inputs_.conservativeResize(Eigen::NoChange, capacity);
  }

  std::string key_, label_;
  std::size_t first_line_;
  Index samples_ = 0;
  Vector times_;
  Matrix states_, inputs_;
};

}  // namespace lgn::csv_internal
