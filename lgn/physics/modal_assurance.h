#pragma once

#include <vector>

#include "lgn/core/linear_algebra.h"
#include "lgn/identify/realisation/modal_realisation.h"
#include "lgn/physics/modes.h"

namespace lgn {

/// Modal assurance criterion (modal_realisation.h) of all pairs of modes, in their order; of one with itself it is 1.
Matrix modal_assurance(const std::vector<const Mode*>& modes);

/// Modal phase collinearity: with x = Re v and y = Im v, ((xᵀx − yᵀy)² + 4 (xᵀy)²)/(xᵀx + yᵀy)². 1 where all channels move
/// in phase or in opposition, 0 where their phases are spread over the cycle; it does not depend on the scale or phase of v
/// (Pappa, Elliott and Schenk, J. Guid. Control Dyn. 16:275, 1993). 1 for a shape of zeros.
double phase_collinearity(const ComplexVector& shape);

}  // namespace lgn
