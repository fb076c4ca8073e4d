#pragma once

#include <string>
#include <vector>

#include "lgn/physics/network_elements.h"
#include "lgn/report/text/tables.h"

namespace lgn {

using NetworkTable = Table;

/// Evidence as people read it: "61.2", "4.9e+05", "–" where it is not known.
std::string evidence_text(double evidence);

/// Everything between two nodes: element, nodes, value ± standard error, evidence; no rows where
/// nothing is.
NetworkTable connections_table(const Network& network);

/// Storage, losses, and springs and dampers to the ground of each node, with the evidence for what
/// can be absent; the kind of each where kinds differ.
NetworkTable nodes_table(const Network& network);

/// What the numbers mean, a line each: that values are relative where they are, which way a
/// coupling's sign counts, and what evidence is.
std::vector<std::string> network_notes(const Network& network);

/// How many there are of what, in one line: "3 voltages and 3 currents, 5 couplings, 3 losses".
std::string network_summary(const Network& network);

/// All of that as text.
std::string network_text(const Network& network);

}  // namespace lgn
