#pragma once

#include <string>

#include "lgn/data/dataset.h"

namespace lgn {

/// Why the data cannot have the structure of this name, from a look at ‖x‖² alone; empty if they might. O(K n) for K
/// samples.
std::string contradiction(const std::string& structure, const Dataset& data);

}  // namespace lgn
