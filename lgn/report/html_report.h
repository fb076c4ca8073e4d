#pragma once

#include <string>
#include <vector>

#include "lgn/data/dataset.h"
#include "lgn/report/model.h"

namespace lgn {

/// One self-contained page about a model and the data it came from: what was found in words, the
/// network where there is one, the modes, the poles, data against model for each channel, the
/// energy. Opens offline; draws at most twelve channels and one run.
std::string html_report(const Model& model, const Dataset& data);

/// A plot of the report as a file of its own.
struct Figure {
  std::string name;  ///< file name without ending: network, poles, signal-1, …, energy
  std::string svg;
};

/// The report's plots: the network where the model has one, the poles, data and model for each of
/// the first twelve channels of the first run, the energy where the model has one.
std::vector<Figure> report_figures(const Model& model, const Dataset& data);

}  // namespace lgn
