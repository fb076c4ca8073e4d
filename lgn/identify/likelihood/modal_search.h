#pragma once

#include <optional>
#include <vector>

#include "lgn/identify/fit.h"
#include "lgn/identify/fit_options.h"
#include "lgn/identify/likelihood/modal_problem.h"

namespace lgn {

/// Whether a free generator can be fitted in the coordinates of its modes, and is better fitted so: all samples are present and weigh
/// alike, initial states are estimated, no input acts, and there are few runs beside the number of states.
bool suits_modal_search(const Dataset& data, const FitOptions& options);

/// The most likely generator without structure, found by its modes (modal_problem.h) from the best of these guesses: as
/// maximum_likelihood() for FullStructure, with n m unknowns for m runs instead of n². `sizes` weigh the channels until their noise is known. With `stable` every
/// mode decays, those that would grow by a millionth over the longest run. Never less likely than the best of the guesses.
///
/// It has converged when a step promises to lower the misfit by less than one unknown in a hundred would by a standard error. Nothing
/// where no guess has a finite misfit, or its modes make no generator.
std::optional<Fit> modal_search(const Dataset& data, const std::vector<ModeGuess>& guesses,
                                const Vector& sizes, bool stable, const FitOptions& options);

/// Whether these modes leave nothing of complete samples but the rounding of a guess. O(K n²) for K samples.
bool explained_by_modes(const Dataset& data, const ModeGuess& guess);

}  // namespace lgn
