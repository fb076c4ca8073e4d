#pragma once

#include "lgn/dynamics/network.h"
#include "lgn/dynamics/network_systems.h"
#include "lgn/model/model.h"

namespace lgn::studies {

/// Couplings, springs and dampers between nodes, and losses, beside the true ones.
struct WiringErrors {
  Index missing = 0, extra = 0;                ///< pairs
  Index missing_losses = 0, extra_losses = 0;  ///< nodes that lose energy, or do not

  void add(const WiringErrors& other);
  bool exact() const { return missing == 0 && extra == 0; }
};
/// A model without a network has no pair.
WiringErrors compare_wiring(const Model& model, const NetworkSystem& truth);

/// The ladder with L = C = 1 and R = 0.1 in every section; its channels are v1, i1, … where
/// `named`, else x1, x2, …
NetworkSystem equal_ladder(Index sections, bool named);

/// The network of single states that the truth is, and nothing more: S − D on its wiring with the
/// losses that it has; `lawful`: couplings ±1 by Kirchhoff's laws, and every storage a parameter.
NetworkStructure true_structure(const NetworkSystem& truth, bool lawful);

/// A part of the truth by its name: "d", "storage", …
const Matrix& true_value(const NetworkSystem& truth, const std::string& name);

}  // namespace lgn::studies
