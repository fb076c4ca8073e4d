#pragma once

#include <string>
#include <vector>

#include "lgn/data/dataset.h"

namespace lgn {

/// What a channel shows at harmonics of a periodic input that the input itself does not have. A linear system shows nothing
/// there but noise.
struct Distortion {
  std::string channel;
  /// Root mean square at odd and at even harmonics without excitation, noise taken off, as part of that at excited ones; 0
  /// where it could be noise.
  double odd = 0, even = 0;
};

/// Channels with distortion: odd and even lines of a multisine that are not excited, beside the lines between harmonics,
/// which hold noise alone (Pintelon & Schoukens, System Identification, 2nd ed., 2012, ch. 4). All inputs must repeat, to
/// 1e-6 of their size, at least twice in an evenly sampled run without gaps; nothing is said about other data. The
/// first period, where the motion settles, is left out where there are three. False alarms: one record in a thousand.
/// `residuals`, one matrix per run, may stand for the channels where a linear response is known. O(N log N).
std::vector<Distortion> find_distortion(const Dataset& data,
                                        const std::vector<Matrix>& residuals = {});

}  // namespace lgn
