#pragma once

#include "lgn/report/network/network_shape.h"

namespace lgn {

/// Where to draw the nodes of a network: one column (x to the right, y down) for each, edges about
/// one unit long, the smallest x and y zero. The same network is laid out the same way every time.
///
/// Rings are circles; trees have levels, with leaves one unit apart and no crossings; paths are
/// straight; anything else has distances as close to those along edges as the plane allows (stress
/// majorisation), turned so that most edges are level or upright. Where that comes near a square
/// grid it becomes one. Parts that are not joined stand beside or below each other within
/// `width` units.
Matrix graph_layout(const Network& network, double width);

}  // namespace lgn
