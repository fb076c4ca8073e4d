#pragma once

#include <memory>
#include <string>
#include <vector>

#include "lgn/dynamics/structure.h"

namespace lgn {

/// The structure that the program knows by `name` (skew, sd, scaled-sd, psd, metric, full,
/// parametric:LAW), for n states. Throws Error for an unknown name, and when a law does not fit n
/// states.
std::shared_ptr<const ConstantStructure> find_structure(const std::string& name, Index dimension);

/// Every structure that the program knows, those that are found with their wiring or vary in time included.
const std::vector<std::string>& structure_names();

}  // namespace lgn
