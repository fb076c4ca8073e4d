#pragma once

#include <string>
#include <vector>

#include "lgn/data/dataset.h"
#include "lgn/model/model.h"
#include "lgn/report/page/report_plots.h"

namespace lgn {

/// What a report shows of a nonlinear law: phase portraits (portrait-1 …), the energy along a state, which for masses is the
/// potential (potential-1 …), forces of springs and dampers (spring-1 …, damper-1 …), and of two states frequency and damping
/// against amplitude (backbone-frequency, backbone-damping). None of a linear model.
std::vector<ReportPlot> law_plots(const Model& model, const Dataset& data);

/// The law with its formulas and these plots; empty for a linear model.
std::string law_html(const Model& model, const std::vector<ReportPlot>& plots);

}  // namespace lgn
