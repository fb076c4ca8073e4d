#pragma once

#include <string>

#include "lgn/data/dataset.h"

namespace lgn {

/// All channels, then all inputs, one below the other over the same times, as one SVG; runs in colours.
std::string data_svg(const Dataset& data, const std::string& time_unit);

}  // namespace lgn
