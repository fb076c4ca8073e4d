#pragma once

#include <string>

#include "lgn/model/model.h"
#include "lgn/report/text/tables.h"

namespace lgn {

/// The nonlinear law of a model as formulas with standard errors, what is promised of it, and where it rests, with an empty
/// line at its end. Nothing where the model is linear.
std::string law_text(const Model& model);

/// Frequency and damping against amplitude (law_curves.h) at some amplitudes, with standard errors; nothing where there is no such
/// curve.
Table backbone_rows(const Model& model);
/// The same as text, with an empty line before it.
std::string backbone_text(const Model& model);

}  // namespace lgn
