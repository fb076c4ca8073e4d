#pragma once

#include <cstdint>
#include <string>

#include "lgn/core/linear_algebra.h"

namespace lgn::studies {

/// A.1: the constants ω₀², γ₀, a, ω_d of the paper's oscillator from the paper's start (1.2, 0.35, 0.15,
/// 1.1), t < 20, without noise.
struct ConstantsOptions {
  double step = 0.1;    ///< mean time between samples
  bool uneven = false;  ///< times at random
  std::string method = "6";
  bool single = false;  ///< one step from sample to sample, else as many as the tolerance asks for
  std::uint64_t seed = 1;
};

struct ConstantsStudy {
  Vector errors;    ///< of ω₀², γ₀, a, ω_d
  double rmse = 0;  ///< over t < 20 at Δt = 0.1, in the steps of the fit
  double seconds = 0;
  double largest() const { return errors.maxCoeff(); }
};
ConstantsStudy study_constants(const ConstantsOptions& options = {});

}  // namespace lgn::studies
