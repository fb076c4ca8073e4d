#pragma once

#include <string>
#include <vector>

#include "lgn/data/dataset.h"
#include "lgn/model/model.h"
#include "lgn/report/page/report_plots.h"

namespace lgn {

/// What a report shows of hidden states: the stabilisation diagram (stabilisation) and the singular values (hankel); of the
/// modes complexity-1 … and their modal assurance criterion (assurance), with two channels or more; spectra of the data and of the
/// model (spectrum-1 …). None where each channel is a state.
struct HiddenPlots {
  std::vector<ReportPlot> stabilisation, shapes, spectra;
};
HiddenPlots hidden_plots(const Model& model, const Dataset& data);

// The sections of the page that show them; empty where there is nothing to show.
std::string stabilisation_html(const Model& model, const HiddenPlots& plots);
std::string assurance_html(const HiddenPlots& plots);
/// Modes run by run, where there are from two to twelve of free decays: what each alone shows of them (run_modes.h).
std::string runs_html(const Model& model, const Dataset& data);
std::string spectra_html(const Model& model, const HiddenPlots& plots);

}  // namespace lgn
