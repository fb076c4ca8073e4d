#pragma once

#include <string>
#include <vector>

#include "lgn/model/warnings.h"

namespace lgn {

/// What samples, inputs and residuals say about the experiment: clipped, stuck, weak-excitation, late-input, feedback, nonlinear.
std::vector<Warning> experiment_warnings(const Model& model, const FitFacts& facts);

/// That channels repeat others, in these words, and whether they were left out: repeated-channels.
Warning repeated_channels_warning(const std::string& repetitions, bool left_out);

/// Names in a row, the first eight of them.
std::string listed(const std::vector<std::string>& names);

}  // namespace lgn
