#pragma once

#include <string>

#include "lgn/model/model.h"

namespace lgn {

/// The nonlinear law of a model as formulas with standard errors, what is promised of it, and where it rests, with an empty
/// line at its end. Nothing where the model is linear.
std::string law_text(const Model& model);

}  // namespace lgn
