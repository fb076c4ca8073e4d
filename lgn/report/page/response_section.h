#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lgn/model/model_response.h"
#include "lgn/report/page/report_plots.h"

namespace lgn {

/// What a driven model does to its inputs, to look at; empty without inputs.
struct ResponsePlots {
  std::optional<ModelResponse> response;
  /// magnitude-1, phase-1, coherence-1, step-1, impulse-1 and so on: of each input and output, with bands of the model's confidence, and beside them
  /// what the data show.
  std::vector<ReportPlot> bode, step, impulse;
  Index left_out = 0;      ///< pairs that are not drawn
  bool too_large = false;  ///< nothing is drawn for that reason
};

/// Of at most `most_pairs` pairs of an input and an output. Throws Error as `driven_system` (model_response.h).
ResponsePlots draw_response(const Model& model, ModelResponse response, Index most_pairs);

/// The same for a report: at most a dozen pairs, nothing where the model has no inputs, or would take more than some seconds.
ResponsePlots response_plots(const Model& model, const Dataset& data);

/// The section of the page; empty where there is nothing to show.
std::string response_html(const Model& model, const ResponsePlots& plots);

}  // namespace lgn
