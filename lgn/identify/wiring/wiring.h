#pragma once

#include <optional>
#include <vector>

#include "lgn/data/dataset.h"
#include "lgn/data/edges.h"
#include "lgn/dynamics/network.h"
#include "lgn/flow/input_course.h"
#include "lgn/identify/regression/closed_form.h"

namespace lgn {

/// Which elements a network seems to have, and a generator on that pattern.
struct Wiring {
  std::vector<NetworkElement>
      elements;       ///< between nodes, then one loss, or spring and damper, each
  Matrix generator;   ///< by regression, row by row
  double window = 0;  ///< the width that was best
  /// Part of all pairs of nodes that couple.
  double density = 0;
  /// Of masses: pairs that push apart where springs pull, as in a beam. They are no elements, and the
  /// generator is without them.
  std::vector<ChannelPair> opposed = {};
};

/// The same wiring with its springs, and the pairs that are opposed, as stiffnesses of either sign.
std::vector<NetworkElement> with_either_sign(const Wiring& wiring);

/// Finds which nodes couple by regression in the weak form (weak_form.h).
///
/// The derivative of each state is explained by as few states as will do: greedily, the one that
/// explains most of what is left comes next (orthogonal matching pursuit: Pati, Rezaiifar &
/// Krishnaprasad, Asilomar 1993), and the extended Bayesian information criterion says when to stop
/// (theory, Eq. 54; Chen & Chen, Biometrika 95:759, 2008), overlapping windows counting by what is
/// new in them. A pair is kept only where *both* ends choose each other: noise seldom misleads
/// both. (One end is enough where it could not be explained otherwise, as a leaf beside another
/// that moves alike.) Opposite signs make a coupling, two positive ones an exchange; in a
/// mechanical network, where rows are those of velocities, a spring (position) or a damper
/// (velocity). Every node may lose energy, and every mass may be held, by the ground.
///
/// Windows from six steps to one and a half periods are tried; the wiring is taken whose regression predicts
/// best over a few radians for its number of elements. Rules bind: a pattern is the wiring, required
/// pairs are in it, forbidden ones are not. O(K n² + n k³) for each window, k elements a row.
///
/// Where `inputs` act, they and a constant are eliminated from the regression (driven_weak_form) and from the predictions.
///
/// Throws NotIdentified where the data are too few to decide, Error where rules leave nothing.
Wiring find_wiring(const Dataset& data, const std::vector<NetworkNode>& nodes,
                   const EdgeRules& rules = {}, const std::optional<InputTiming>& inputs = {});

/// The generator on the pattern of these elements by regression, row by row; `regression` from differences or a
/// weak form (closed_form.h).
Matrix regress_on_wiring(const Regression& regression, const std::vector<NetworkNode>& nodes,
                         const std::vector<NetworkElement>& elements);

/// Rules about channels as rules about nodes, which differ where nodes are masses.
EdgeRules rules_of_nodes(const EdgeRules& rules, const std::vector<NetworkNode>& nodes);

}  // namespace lgn
