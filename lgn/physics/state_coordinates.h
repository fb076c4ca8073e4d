#pragma once

#include <optional>

#include "lgn/physics/driven_system.h"

namespace lgn {

/// T with A T = T A′ and C T = C′, for two realisations (A, C) and (A′, C′) of the same free responses: x = T x′. By eigenvectors
/// that channels show alike; nothing where poles coincide, channels do not show a mode, or T has no inverse to the eighth digit.
/// O(n³).
std::optional<Matrix> state_coordinates(const Matrix& a, const Matrix& c, const Matrix& other_a,
                                        const Matrix& other_c);

/// Takes changes of A′, B′, C′ and D′, below one another as those of SystemErrors are, a column each, to those of `system` in
/// its own coordinates: T dA′ T⁻¹, T dB′, dC′ T⁻¹. False, and nothing is changed, where there is no T with an inverse.
bool turn_states(Matrix& changes, const DrivenSystem& system, const Matrix& other_a,
                 const Matrix& other_c);

}  // namespace lgn
