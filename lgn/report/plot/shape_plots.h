#pragma once

#include <vector>

#include "lgn/model/model.h"
#include "lgn/report/plot/plot.h"

namespace lgn {

/// The complexity plot of a mode: what each channel shows of it, as an arrow in the complex plane, the largest of length one.
/// Arrows along one line are a standing wave, with phase collinearity 1 (modal_assurance.h).
Plot complexity_plot(const Model& model, Index mode);

/// Modal assurance criterion between modes, given by their indices, as a map of squares.
Plot assurance_plot(const Model& model, const std::vector<Index>& modes);

}  // namespace lgn
