#pragma once

#include <string>

#include "lgn/data/dataset.h"
#include "lgn/report/model.h"

namespace lgn {

/// One self-contained page about a model and the data it came from: what was found in words, the
/// modes, the poles, data against model for each channel, the energy. Opens offline; draws at most
/// twelve channels and one run.
std::string html_report(const Model& model, const Dataset& data);

/// The data of a channel with the model's trajectory over it, and the map of poles, as SVG
/// elements.
std::string signal_plot(const Model& model, const Dataset& data, std::size_t run, Index channel);
std::string pole_plot(const Model& model);

}  // namespace lgn
