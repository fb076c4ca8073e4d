#pragma once

#include <memory>
#include <string>
#include <vector>

#include "lgn/core/linear_algebra.h"

namespace lgn {

/// An HDF5 file of runs in the order in which lgn writes them, x [sample, channel] or [run, sample, channel], of which a few channels at a time
/// are read: what `dataset_of` (arrays_dataset.h) reads whole.
class Hdf5Slices {
 public:
  /// Throws Error for a file that is no such one, or has inputs.
  explicit Hdf5Slices(const std::string& path);
  ~Hdf5Slices();
  Hdf5Slices(const Hdf5Slices&) = delete;
  Hdf5Slices& operator=(const Hdf5Slices&) = delete;

  Index channels() const;
  Index runs() const;
  /// Names of all channels.
  std::vector<std::string> names() const;
  /// Times of a run.
  Vector times(Index run) const;
  /// The samples of these channels in a run: a column for each. O(samples × count) memory.
  Matrix states(Index run, Index first, Index count) const;

 private:
  struct File;
  std::unique_ptr<File> file_;
};

}  // namespace lgn
