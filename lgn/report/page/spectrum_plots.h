#pragma once

#include <vector>

#include "lgn/data/dataset.h"
#include "lgn/model/model.h"
#include "lgn/physics/spectrum.h"
#include "lgn/report/page/report_plots.h"

namespace lgn {

/// Plots over frequency zoom together.
inline constexpr const char* frequency_group = "frequency";

/// Spectra of the first channels of the data, and of the model at the same frequencies, in Hz or per unit of time where its
/// length is unknown: amplitudes of free responses, power spectral densities of random vibration (spectrum.h).
struct Spectra {
  Spectrum data;
  Matrix model;  ///< channels × frequencies
  double highest =
      1;  ///< the last frequency to show: twice that of the fastest mode, Nyquist's at most
};

/// Of at most 24 channels, fewer where records are long: four million samples in all.
Spectra find_spectra(const Model& model, const Dataset& data);

/// spectrum-1, …: a plot per channel, in the frequency group.
std::vector<ReportPlot> spectrum_plots(const Model& model, const Spectra& spectra);

}  // namespace lgn
