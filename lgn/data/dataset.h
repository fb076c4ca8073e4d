#pragma once

#include <string>
#include <vector>

#include "lgn/core/linear_algebra.h"

namespace lgn {

/// One run: samples of all channels at strictly increasing times.
///
/// A column of `states()` is one sample, a row one channel; NaN marks a missing sample, nothing
/// else is non-finite. `inputs()` has one row per input and no gaps. Throws Error from the
/// constructor when times do not strictly increase or are not finite, sizes disagree, or there are
/// fewer than two samples.
class Trajectory {
 public:
  Trajectory(std::string label, Vector times, Matrix states, Matrix inputs = {});

  const std::string& label() const { return label_; }
  const Vector& times() const { return times_; }
  const Matrix& states() const { return states_; }
  const Matrix& inputs() const { return inputs_; }
  Index samples() const { return times_.size(); }

  static bool missing(double value) { return value != value; }

 private:
  std::string label_;
  Vector times_;
  Matrix states_, inputs_;
};

/// Runs of one system: the same named channels, and the same named inputs, in every run.
///
/// Names are not empty and differ from one another; there is at least one channel and one run, and
/// every channel holds at least one value in some run. The constructor throws Error otherwise.
class Dataset {
 public:
  Dataset(std::vector<std::string> channels, std::vector<Trajectory> runs,
          std::vector<std::string> inputs = {});

  /// Runs that were cut out of this one's: of these, channels may hold no value. Throws Error where all do.
  Dataset with_runs(std::vector<Trajectory> runs) const;

  /// The same samples, each less the offset of its channel.
  Dataset less(const Vector& offset) const;

  const std::vector<std::string>& channels() const { return channels_; }
  const std::vector<std::string>& inputs() const { return inputs_; }
  const std::vector<Trajectory>& runs() const { return runs_; }
  Index dimension() const { return static_cast<Index>(channels_.size()); }
  /// Sum of samples over all runs, gaps included.
  Index samples() const;
  /// Number of values that are present.
  Index present() const;
  /// Name of the first input that is not zero throughout; empty when the system moves freely.
  std::string active_input() const;

 private:
  std::vector<std::string> channels_, inputs_;
  std::vector<Trajectory> runs_;
};

}  // namespace lgn
