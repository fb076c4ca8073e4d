#pragma once

#include <memory>
#include <vector>

#include "lgn/identify/ambient/whittle.h"

namespace lgn {

/// Modes of random vibration with the covariance of θ, root · rootᵀ, channels relative to their sizes.
struct AmbientModes {
  std::shared_ptr<const ModalStructure> structure;
  AmbientParameters parameters;
  Matrix root;
};

/// Channels that show most of what all show, `most` of them in ascending order: pivots of Cholesky's factorisation of R(0).
std::vector<Index> reference_channels(const Matrix& variance, Index most);

/// The modes of reference channels in all channels of the record.
///
/// With A, and C and G of the references, known from `likelihood` at φ, the cross-periodograms of another channel c with them have the expectation
///     R(0)_c + C_c T(ω) G + (C T(ω) g_c)ᴴ,  linear in C_c, g_c and R(0)_c,
/// and the covariance S_cc(ω) S(ω)/m: weighted least squares, twice, with S_cc by what was found first. O(cells (2n + r)² r) for each channel.
AmbientModes in_all_channels(const AmbientModes& modes, const std::vector<Index>& references,
                             const AmbientRecord& record, const WhittleLikelihood& likelihood,
                             const ComplexVector& cell_poles, double cell_width);

}  // namespace lgn
