#pragma once

#include <optional>

#include "lgn/identify/fit_options.h"
#include "lgn/identify/selection.h"

namespace lgn {

/// The structure that was asked for, fitted, or the one that the data support (selection.h).
struct StructureFit {
  Selection selection;
  /// Part of all pairs that couple, where a network was asked for and that is too many for one.
  std::optional<double> density = {};
};

/// Throws Error for options that contradict one another.
StructureFit fit_structure(const Dataset& data, const FitOptions& options);

/// Throws Error for data that cannot be used: too many channels, values or times beyond the range of their squares,
/// inputs that are not zero.
void check_data(const Dataset& data);

}  // namespace lgn
