#pragma once

#include <string>
#include <vector>

#include "lgn/data/dataset.h"
#include "lgn/report/figure.h"
#include "lgn/report/model.h"

namespace lgn {

/// One self-contained page about a model and the data it came from: what was found in words, the
/// network where there is one, how the generator varies where it does, the modes, the poles, data against
/// model for each channel, the energy. Opens offline; draws at most twelve channels and one run.
std::string html_report(const Model& model, const Dataset& data);

/// The report's plots: the network where the model has one, variation_figures, the poles, data and
/// model for each of the first twelve channels of the first run, the energy where the model has one,
/// with the power that a model that varies loses of it.
std::vector<Figure> report_figures(const Model& model, const Dataset& data);

}  // namespace lgn
