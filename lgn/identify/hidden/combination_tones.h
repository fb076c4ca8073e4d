#pragma once

#include <string>
#include <vector>

namespace lgn {

/// An oscillation by its frequency, in any unit, and its size in the data.
struct SpectralLine {
  double frequency, amplitude;
};

/// One that a slightly nonlinear system shows because of others.
struct CombinationTone {
  std::size_t line;     ///< which of the lines
  std::string formula;  ///< "2.4 = 2 × 1.2" or "1.7 = 1.2 + 0.5", frequencies in their unit
};

/// Lines that are twice or three times another, or the sum or difference of two, to 1%, and at most a fifth as large as the
/// weakest of these; largest first. None among more than eight lines, of which some are sums of others by chance.
std::vector<CombinationTone> combination_tones(const std::vector<SpectralLine>& lines);

}  // namespace lgn
