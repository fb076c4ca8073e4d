#pragma once

#include <vector>

#include "lgn/model/model.h"
#include "lgn/report/page/report_plots.h"

namespace lgn {

/// How many courses of parameters variation_figures draws.
inline constexpr Index most_courses = 12;

/// How many parameters vary: of a modulated structure its entries, of a law those of A.
Index varying_courses(const Model& model);

/// How a generator varies: the course of each such parameter with its confidence band (variation-1,
/// …), the frozen-time poles in the plane from begin to end (moving-poles), and their parts over time
/// (moving-poles-re, moving-poles-im, the latter where a pole has one). Nothing where A is constant.
std::vector<ReportPlot> variation_plots(const Model& model);

}  // namespace lgn
