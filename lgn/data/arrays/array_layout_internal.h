#pragma once

// In which order the indices of an array count runs, samples and channels; not installed.

#include <cstddef>
#include <optional>
#include <string>

#include "lgn/data/arrays/array_file.h"

namespace lgn::array_internal {

/// One axis: how many there are, and how far apart they stand.
struct Axis {
  std::size_t size = 1, stride = 0;
};

/// An array seen as [run, sample, channel].
struct ArrayView {
  const double* values = nullptr;
  Axis run, sample, channel;

  double at(std::size_t r, std::size_t s, std::size_t c) const {
    return values[r * run.stride + s * sample.stride + c * channel.stride];
  }
};

/// What is known beforehand.
struct LayoutHints {
  std::optional<std::size_t> runs, channels;  ///< how many have names, or must be
  bool is_matlab = false;
};

/// Times as [run, sample], one run where all have the same, and measurements that fit them.
struct TimedView {
  ArrayView times, values;
};

/// The times alone; of two dimensions, the first counts runs. Throws Error when there are more.
ArrayView view_times(const NumberArray& times, const std::string& name);

/// Finds the order in which both fit. Throws Error, with the names of the arrays, when there is
/// none or more than one, see `dataset_of`.
TimedView view_arrays(const NumberArray& times, const NumberArray& values, const LayoutHints& hints,
                      const std::string& time_name, const std::string& name);

}  // namespace lgn::array_internal
