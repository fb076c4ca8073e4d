#pragma once

#include <string>
#include <vector>

namespace lgn::studies {

/// What a design found beside an optimum that is known otherwise.
struct KnownOptimum {
  std::string problem, quantity;
  double found, known;
  std::string source;  ///< of what is known
};

/// The absorber's H∞ tuning for three mass ratios, the least total of a ladder's resistors, and placed frequencies.
std::vector<KnownOptimum> known_optima();

}  // namespace lgn::studies
