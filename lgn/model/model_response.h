#pragma once

#include <optional>
#include <vector>

#include "lgn/model/model.h"
#include "lgn/physics/response_figures.h"
#include "lgn/physics/time_response.h"
#include "lgn/physics/transfer_estimate.h"
#include "lgn/physics/transfer_function.h"

namespace lgn {

/// The model from its inputs to its channels, C and D written out. Throws Error where it has no inputs, or A varies in time.
DrivenSystem driven_system(const Model& model);

/// H of the model with the errors of its matrices. Throws Error as `driven_system`.
TransferFunction transfer_function(const Model& model);

/// ω over which a response is worth looking at: from a tenth of the slowest rate |λ| to ten times the fastest, half a cycle per sample at
/// most where the step of the data is known; 500 points, and more at resonances.
Vector response_frequencies(const Model& model, const TransferFunction& transfer);

/// Times from zero until what an input does has settled, six time constants of the slowest mode that decays, the length of the runs at
/// most where it is known: even, twenty points in the fastest period, from 300 to 2,000.
Vector response_times(const Model& model);

/// Everything that is looked at of a driven model: all pairs of output i and input j at place j outputs + i.
struct ModelResponse {
  std::vector<FrequencyResponse> frequency;
  std::vector<ResponseFigures> figures;
  std::vector<EstimatedZero>
      zeros;  ///< of the whole system, where it has several inputs and as many outputs
  std::vector<TimeResponse> step, impulse;
  std::optional<TransferEstimate> data;  ///< what the data show, where there are some
};
ModelResponse model_response(const Model& model, const Dataset* data = nullptr);

}  // namespace lgn
