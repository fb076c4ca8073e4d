#pragma once

#include <string>
#include <vector>

#include "lgn/data/dataset.h"
#include "lgn/model/model.h"
#include "lgn/report/plot/plot.h"

namespace lgn {

struct DrawnRuns;
struct SignalContent;

/// A plot of a report with its place there.
struct ReportPlot {
  std::string name;   ///< as a file: poles, signal-1, residual-1, energy, …
  std::string group;  ///< plots of one group zoom together; empty: alone
  Plot plot;
};

/// Data against model for every drawn run and channel (signal-1, signal-2, …; of later runs
/// signal-1-run-2, …), and its residuals below it (residual-…).
std::vector<ReportPlot> signal_plots(const Model& model, const DrawnRuns& drawn);

/// Autocorrelation of the residuals, of the channels that show most of it, and the 95% band of white noise.
ReportPlot autocorrelation_plot(const Model& model, const DrawnRuns& drawn);

/// Singular values of the data over the noise floor.
ReportPlot content_plot(const SignalContent& content);

/// The model's energy in the first run, and the power that it loses in all and in the channels that lose most.
/// Nothing where no energy is known.
struct EnergyPlots {
  std::vector<ReportPlot> plots;
  std::vector<Index> channels;  ///< that lose most, most first
  Vector shares;  ///< of all channels in the loss over the run; empty where nothing is lost
};
EnergyPlots energy_plots(const Model& model, const Dataset& data);

}  // namespace lgn
