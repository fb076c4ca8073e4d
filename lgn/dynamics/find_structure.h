#pragma once

#include <memory>
#include <string>

#include "lgn/dynamics/structure.h"

namespace lgn {

/// The structure that the program knows by `name` (skew, sd, scaled-sd, psd, metric, full,
/// parametric:LAW), for n states. Throws Error for an unknown name, and when a law does not fit n
/// states.
std::shared_ptr<const Structure> find_structure(const std::string& name, Index dimension);

}  // namespace lgn
