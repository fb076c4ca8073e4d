#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lgn/identify/fit_options.h"
#include "lgn/identify/selection.h"

namespace lgn {

/// The structure that was asked for, fitted, or the one that the data support (selection.h).
struct StructureFit {
  Selection selection;
  /// Part of all pairs that couple, where a network was asked for and that is too many for one.
  std::optional<double> density = {};
  /// What was taken for granted, in words.
  std::vector<std::string> notes = {};
};

/// Throws Error for options that contradict one another.
StructureFit fit_structure(const Dataset& data, const FitOptions& options);

/// The kind of network to look for, "network" or "mechanical", by what was asked and by what channels measure; empty: none.
/// Throws Error for rules about pairs beside a structure without pairs.
std::string network_asked(const FitOptions& options);

/// A structure that varies in time, fitted; from this constant generator where it is no law, or from what the data suggest.
Fit fit_varying(const Dataset& data, const FitOptions& options,
                const std::optional<Matrix>& generator = {});

/// θ of a law with the initial guesses of the options in place of its own. Throws Error for a structure that is no law, or a
/// constant that it does not have.
Vector guessed_parameters(const Structure& law, const FitOptions& options);

/// Throws Error for data that cannot be used: too many channels for what carries the fit, values or times beyond the range of
/// their squares.
void check_data(const Dataset& data, const FitOptions& options);

}  // namespace lgn
