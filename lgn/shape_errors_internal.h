#pragma once

#include "lgn/dynamics/modal.h"
#include "lgn/identify/fit.h"
#include "lgn/model/model.h"

namespace lgn {

/// Standard errors of C and of the shapes of modes, from a root of the covariance of θ; shapes are relative to the channel where
/// they are largest, which is known exactly thereby.
void set_shape_errors(Model& model, const ModalStructure& structure, const SparseRows& root);

}  // namespace lgn
