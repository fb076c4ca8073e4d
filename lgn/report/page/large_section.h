#pragma once

#include <string>
#include <vector>

#include "lgn/report/page/report_plots.h"
#include "lgn/report/text/tables.h"

namespace lgn {

/// A network too large to be drawn, as distributions and maps; empty for other models.
struct LargePlots {
  /// values-coupling, values-loss, … with map-coupling, …: the values of each kind of element as a histogram, and by the number of
  /// their node; errors: the relative standard errors of all kinds, where they are known.
  std::vector<ReportPlot> elements;
  /// residual-map: the residuals of each channel beside its signal, by number; residual-histogram.
  std::vector<ReportPlot> residuals;
  Table kinds;  ///< how many elements of each kind there are, their values and errors
  Table worst;  ///< the channels with the largest residuals beside their signal
};
LargePlots large_plots(const Model& model, const DrawnRuns& drawn);

/// The sections of the page; empty where there is nothing to show.
std::string elements_html(const Model& model, const LargePlots& plots);
std::string worst_html(const LargePlots& plots);

}  // namespace lgn
