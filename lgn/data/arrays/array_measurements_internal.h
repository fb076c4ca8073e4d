#pragma once

// Which of the arrays of a file, or of a group in it, hold measurements; not installed.

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "lgn/data/arrays/array_names_internal.h"

namespace lgn::array_internal {

/// Whether it is [sample], n × 1 or 1 × n.
bool is_vector(const NumberArray& array);
/// Whether it is a vector of so many numbers, or has a side as long.
bool fits(const NumberArray& array, std::size_t samples);

struct Measured {
  NamedArray table;                 ///< x, or what stands for it; its array may be null
  std::vector<NamedArray> vectors;  ///< one channel each, all as long as the times
};

/// x, the array that stands for it, and vectors of `samples` numbers, each in the order of their names;
/// without a number of samples no vectors. What stands in groups counts where nothing else does. Throws
/// Error where there is nothing, or several tables.
Measured find_measurements(const ArrayFile& arrays, std::optional<std::size_t> samples,
                           FileReading& reading);

/// How many samples the measurements have where there are no times; nothing where that does not show.
std::optional<std::size_t> counted_samples(const ArrayFile& arrays);

/// A single number that tells how often samples were taken, such as fs; `name` becomes its name.
std::optional<csv_internal::SampleClock> clock_in_file(const ArrayFile& arrays,
                                                       const ReadOptions& options,
                                                       FileReading& reading, std::string& name);

}  // namespace lgn::array_internal
