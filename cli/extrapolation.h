#pragma once

#include "lgn/model/model.h"

namespace lgn::cli {

/// Says on standard error that the times reach beyond those from which a varying generator was identified, where it means
/// nothing there.
void warn_extrapolation(const Model& model, const Vector& times);

}  // namespace lgn::cli
