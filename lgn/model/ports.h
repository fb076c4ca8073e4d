#pragma once

#include <string>
#include <vector>

#include "lgn/model/model.h"

namespace lgn {

/// An entry of B that is not zero: which state an input acts on, and how strongly.
struct ModelPort {
  std::string input, state;
  double gain = 0, error = 0;  ///< its standard error; 0: not known
};

/// Those of a model, input by input.
std::vector<ModelPort> ports(const Model& model);

}  // namespace lgn
