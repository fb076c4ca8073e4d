#pragma once

#include <string>

#include "lgn/core/linear_algebra.h"
#include "lgn/core/random.h"

namespace lgn {

/// An input to excite a system with, at increasing times, of size about one: steps (±1, each for five to twenty samples),
/// chirp (a sine from one period in the run to an eighth of the sampling rate), multisine (twenty harmonics of the run up to
/// that, with random phases) or random (normal, another at each sample). Throws Error for another word.
Vector excitation(const std::string& kind, const Vector& times, Random& random);

}  // namespace lgn
