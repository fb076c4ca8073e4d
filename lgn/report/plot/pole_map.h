#pragma once

#include "lgn/model/model.h"
#include "lgn/report/plot/plot.h"

namespace lgn {

/// The poles of A in the upper half plane (conjugates mirror them), each determined one with the
/// ellipse that holds it with the model's confidence, over a grid of natural frequencies and damping ratios.
///
/// The ellipse belongs to the normal distribution of (Re λ, Im λ); the frame shows the poles and cuts off what is
/// larger.
Plot pole_map(const Model& model);

/// (Re λ, Im λ) of the ellipse around one pole, closed, in columns; flat, an interval, where the pole can move along one
/// axis alone. Empty where its errors are not known.
Matrix confidence_ellipse(const Mode& mode, double confidence);

}  // namespace lgn
