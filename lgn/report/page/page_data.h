#pragma once

#include <string>
#include <vector>

#include "lgn/model/model.h"
#include "lgn/report/page/report_plots.h"

namespace lgn {

/// What the script of a report's page draws, as JSON that can stand inside of a script element.
///
/// Every list of numbers stands once in `arrays`, in base64: doubles for what runs along x, floats for
/// the rest. `plots` holds the plots by name, `channels` and `runs` the names of what is drawn of them,
/// `shapes` the modes' shapes over the rows of channels, and `poles` those of all orders that the items of the stabilisation
/// diagram name.
std::string page_data(const Model& model, const std::vector<ReportPlot>& plots, Index channels,
                      const std::vector<std::string>& runs);

}  // namespace lgn
