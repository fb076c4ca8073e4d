#pragma once

#include <string>

#include "lgn/model/model.h"

namespace lgn {

/// So many modes of a model, a conjugate pair being one: those nearest to iω; the slowest for ω = 0. Those of a sparse generator are
/// computed (sparse_eigenpairs.h), with mode shapes; standard errors are those that the model has of the same poles. Fewer
/// where the model has fewer, or where some do not converge.
std::vector<Mode> some_modes(const Model& model, Index count, double omega = 0);

/// ω of a frequency in the model's unit, "5", or in another one, "5Hz" or "1kHz". Throws Error for other text, and for Hz where the unit of
/// time has no known length.
double angular_frequency(const Model& model, const std::string& text);

}  // namespace lgn
