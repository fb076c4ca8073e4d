#pragma once

#include <string>
#include <vector>

#include "lgn/data/dataset.h"
#include "lgn/model/model.h"
#include "lgn/report/plot/figure.h"

namespace lgn {

/// One self-contained page about a model and the data it came from, for a screen of any size, dark or
/// light, and for paper: what was found and how far to trust it in words, with every warning; then plots that can be
/// zoomed (pole map, data and model for each channel and run, residuals and their whiteness, energy and where
/// it is dissipated, singular values and rank), the mode shapes, of hidden states the stabilisation diagram and spectra, of driven systems their responses, the network and the variation in time where
/// there are any, the structures considered, and how to get the model again.
///
/// Opens offline and asks for nothing outside of itself. Long signals are thinned to their envelope; a page stays below
/// 10 MB, by leaving out late runs, and channels beyond the 400th, where there are too many.
///
/// `shown` names the data where they are not those of the fit (model_on in lgn/identify.h): the page then says so.
std::string html_report(const Model& model, const Dataset& data, const std::string& shown = "");

/// The report's plots as they are on paper: network, variation-1 …, poles, autocorrelation, content, signal-1, residual-1 …
/// (of later runs signal-1-run-2 …), energy, power, and shape-1 … of the modes; of hidden states stabilisation, hankel,
/// complexity-1 …, assurance and spectrum-1 … (hidden_section.h); of driven systems magnitude-1, phase-1, coherence-1, step-1,
/// impulse-1 … (response_section.h).
std::vector<Figure> report_figures(const Model& model, const Dataset& data);

}  // namespace lgn
