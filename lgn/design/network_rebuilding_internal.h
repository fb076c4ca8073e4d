#pragma once

#include <optional>

#include "lgn/model/model.h"

namespace lgn {

/// The network that a model is: the one that it holds; else, of "network", "mechanical" and "parametric:ladder", the one that its
/// named matrices or constants describe, as models of known systems have them. Nothing for other models.
std::optional<Network> network_of_model(const Model& model);

}  // namespace lgn
