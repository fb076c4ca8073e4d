#pragma once

#include <string>

#include "lgn/physics/network_elements.h"

namespace lgn {

/// Throws Error for more nodes than a drawing is made of: it takes minutes, and cannot be read.
void check_drawable(std::size_t nodes);

/// A network drawn as its field draws it, as a self-contained SVG element 720 pixels wide.
///
/// Voltages in a row, joined by currents or conductances, are a ladder with the symbols of circuits;
/// any other path is a row of bodies joined by springs, dampers or resistors; both run on over as
/// many rows as they need. Rings, trees, grids and all else are circles joined by lines, the thicker
/// the stronger, laid out by graph_layout. Every element tells its value ± standard error under the
/// pointer.
std::string network_svg(const Network& network);

}  // namespace lgn
