#pragma once

#include <string>

namespace lgn {

/// A plot of the report as a file of its own.
struct Figure {
  std::string name;  ///< file name without ending: network, poles, signal-1, …, energy
  std::string svg;
};

}  // namespace lgn
