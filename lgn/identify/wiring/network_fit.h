#pragma once

#include <memory>

#include "lgn/dynamics/network.h"
#include "lgn/identify/fit.h"
#include "lgn/identify/fit_options.h"

namespace lgn {

/// A network found in data.
struct NetworkFit {
  /// Nothing where the wiring is not sparse: then a dense structure is the better answer.
  std::shared_ptr<const NetworkStructure> structure;
  Fit fit;
  double window = 0;   ///< width of the weak form's windows in which it was found
  double density = 0;  ///< part of all pairs that couple
  /// Whether at most half of the pairs couple, where there are eight nodes or more.
  bool sparse = true;
};

/// The nodes of a network of these channels: one per channel, or, `mechanical`, one per mass with
/// its position and its velocity. Positions and velocities belong together by the rest of their
/// names (q1, v1), else by their order. Throws Error where kinds are not those of masses.
std::vector<NetworkNode> network_nodes(const std::vector<std::string>& channels,
                                       const std::vector<ChannelKind>& kinds, bool mechanical);

/// Finds wiring and values of a network, "network" or "mechanical" (network.h).
///
/// A first wiring comes from regression (wiring.h). Then the values are of maximum likelihood on it,
/// elements without evidence are taken out and others that the likelihood asks for are put in, until
/// nothing changes (network_revision.h). What is below `explained` of the signal is no evidence. An
/// element that was put back stays; required pairs and a given pattern are left alone.
///
/// Storages are the simplest that will do. Where kinds are voltages and currents, or velocities and
/// forces, couplings are ±1 by Kirchhoff's laws and every storage is a parameter. Otherwise storages
/// are 1, then free. The first is taken that leaves only noise; if none does, the one of the least
/// Bayesian information criterion. Masses are tied by springs; by stiffnesses of either sign, as in
/// a beam, where springs leave more than noise and pairs are seen to push apart.
///
/// Throws NotIdentified where the data are too few, Error where rules or kinds contradict.
NetworkFit fit_network(const Dataset& data, bool mechanical, const NetworkOptions& network,
                       const FitOptions& options = {});

/// The same without the last refinement of values for data that have hardly any noise: enough to
/// compare structures.
NetworkFit find_network(const Dataset& data, bool mechanical, const NetworkOptions& network,
                        const FitOptions& options = {});

/// The same for other data of a system whose network is known already, such as longer runs: that
/// network is fitted and revised, and none is looked for.
NetworkFit refit_network(const Dataset& data, const NetworkStructure& structure,
                         const Matrix& generator, const NetworkOptions& network,
                         const FitOptions& options = {});

}  // namespace lgn
