#pragma once

#include <string>
#include <utility>
#include <vector>

#include "lgn/model/model_response.h"
#include "lgn/report/text/tables.h"

namespace lgn {

/// "force → q1".
std::string pair_name(const Model& model, Index output, Index input);

/// What frequencies are multiplied with, from ω to the unit of frequency_unit(model).
double frequency_factor(const Model& model);

/// Static gain, bandwidth, peak, margins and zeros of a pair in words, each with its standard error: name and text.
std::vector<std::pair<std::string, std::string>> figure_words(const Model& model,
                                                              const ResponseFigures& figures);

/// The same of all pairs, below one another for the terminal, and as the rows of a table for the page.
std::string response_text(const Model& model, const ModelResponse& response);
Table response_table(const Model& model, const ModelResponse& response);

/// For programs: a row for each frequency of each pair, those of the model and those of the data, in which errors of the model
/// and the coherence of the data stand; a row for each time; or all of it as JSON.
std::string bode_csv(const Model& model, const ModelResponse& response);
std::string time_csv(const Model& model, const std::vector<TimeResponse>& responses);
std::string response_json(const Model& model, const ModelResponse& response);

}  // namespace lgn
