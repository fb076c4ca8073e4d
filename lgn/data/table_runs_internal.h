#pragma once

// Runs from a table of numbers in memory, such as a matrix or a sound; not installed.

#include <cstddef>
#include <optional>

#include "lgn/data/csv/csv_internal.h"

namespace lgn::csv_internal {

/// Numbers as [sample, column], wherever they stand.
struct NumberTable {
  const double* values = nullptr;
  std::size_t samples = 0, columns = 0;
  std::size_t sample_stride = 0, column_stride = 0;

  double at(std::size_t sample, std::size_t column) const {
    return values[sample * sample_stride + column * column_stride];
  }
  /// Whether the numbers of a column increase strictly; NaN at their end are no samples.
  bool increases(std::size_t column) const;
  /// The same numbers as [column, sample].
  NumberTable transposed() const {
    return {values, columns, samples, column_stride, sample_stride};
  }
};

/// Adds the runs of a table, as the options name its columns or else `names` does (empty: x1, x2,
/// …). `clock` says when samples were taken where no column is the time. Throws Error, without the
/// file's name, when no column is a time and there is no clock, or columns are not as expected.
void append_table(const NumberTable& table, const std::vector<std::string>& names,
                  const std::optional<SampleClock>& clock, const ReadOptions& options,
                  const FilePlace& place);

}  // namespace lgn::csv_internal
