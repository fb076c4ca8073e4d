#pragma once

#include <string>

#include "lgn/physics/network_elements.h"

namespace lgn {

/// What a circuit simulator is to compute.
struct NetlistRun {
  Vector x0;         ///< initial value of every channel
  double step, end;  ///< of the table of waveforms; both positive
  std::string title;
  std::string waveforms = "waveforms.txt";  ///< file for that table; odd characters become _
};

/// A network of voltages and currents as a SPICE netlist, which `ngspice -b` runs: it writes a table
/// with a header, the time and every channel in its order.
///
/// A voltage is that of a capacitor to the ground, with a resistor 1/d beside it where it has a
/// loss. A current flows in an inductor from the voltage j with s_ij = 1 to the one with s_ij = −1,
/// either of which may be the ground, and through a resistor d in series. An exchange between two
/// voltages is a resistor 1/g. The largest step is such that the trapezoidal rule, whose phase
/// errs by (ωh)²/12 · ωt, keeps 1e-6 until the end, unless that takes too much memory.
///
/// Throws Error that names the element in the way where the network is no such circuit: other
/// channels, couplings that are not ±1, an inductor with two ends of one sign, exchanges that touch
/// currents, a storage that is missing.
std::string spice_netlist(const Network& network, const NetlistRun& run);

}  // namespace lgn
