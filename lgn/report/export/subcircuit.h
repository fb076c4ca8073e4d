#pragma once

#include <string>

#include "lgn/model/model.h"

namespace lgn {

/// What a port takes and gives: an admittance a voltage for a current, an impedance a current for a voltage.
enum class PortKind { admittance, impedance };

/// "admittance" or "impedance"; an empty word: what the names of channels and inputs say. Throws Error for another word, and
/// where the names do not say it.
PortKind find_port_kind(const Model& model, const std::string& word);

/// A model with as many outputs as inputs as a SPICE subcircuit `name` with the nodes p1 n1 p2 n2 …: port k has input k and
/// output k, the current flows in at p and out at n.
///
/// States are voltages of capacitors, as many farads as a unit of time has seconds, that controlled sources charge: exactly
/// ẋ = A x + B u, y = C x + D u, from rest. Offsets, what sensors show at rest, are left out. A passive model stays
/// passive with whatever passive its ports are terminated. Throws Error for models without inputs or with a delay, with another number
/// of outputs, and with units of time of unknown length.
std::string spice_subcircuit(const Model& model, const std::string& name, PortKind kind);

}  // namespace lgn
