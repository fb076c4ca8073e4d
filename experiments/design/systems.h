#pragma once

#include "lgn/model/model.h"

namespace lgn::studies {

/// The ladder of N sections with L = C = 1 and every resistor r, as a model of its law.
Model ladder_to_design(Index sections, double r);

/// A unit mass on a unit spring, and an absorber of mass mu on a spring mu and a damper mu/10: q1, q2, v1, v2.
Model absorber_to_design(double mu);

/// Three unit masses between two walls, four unit springs, light dampers.
Model chain_to_design();

}  // namespace lgn::studies
