#pragma once

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "lgn/core/linear_algebra.h"
#include "lgn/data/channel_kinds.h"
#include "lgn/dynamics/network.h"
#include "lgn/identify/wiring/network_revision.h"

namespace lgn {

/// A network as people draw it: what stores energy, what exchanges it and what loses it.
///
/// A node is a channel; in a mechanical network it is a mass with its position and its velocity.
/// The equations are
///     m_i ẋ_i = Σ_j s_ij x_j − Σ_j g_ij (x_i − x_j) − d_i x_i,        s_ji = −s_ij,
/// or, in a mechanical network,
///     m_i q̈_i = −Σ_j k_ij (q_i − q_j) − k_i q_i − Σ_j c_ij (q̇_i − q̇_j) − c_i q̇_i,
/// with everything but s at least zero; k, too, may be negative where K as a whole is not, as in a beam.
struct Network {
  /// The element of a node that is tied to nothing else goes to the ground.
  static constexpr Index ground = -1;
  static constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

  struct Node {
    std::string name;         ///< of its channel; of its position's where it is a mass
    ChannelKind kind;         ///< position: a mass of a mechanical network
    Index state;              ///< index of that channel
    Index velocity = ground;  ///< index of the velocity's channel of a mass
  };

  using Type = ElementType;
  struct Element {
    Type type;
    Index from, to = ground;  ///< nodes
    double value = 0;
    double se = unknown;        ///< standard error; 0 where the value is exact by a law
    double evidence = unknown;  ///< by how much −2 log likelihood rises without it
  };

  std::vector<Node> nodes;
  std::vector<Element> elements;
  /// Whether all storages, exchanges, losses, springs and dampers share a factor that the channels
  /// do not show; the first storage is then 1.
  bool relative = false;

  bool mechanical() const { return !nodes.empty() && nodes.front().velocity != ground; }
};

/// A fitted structure as a network of these channels; `kinds` may be empty. `evidence` is that of the
/// structure's own elements, and `factor` scales standard errors, as in set_errors.
Network describe_network(const NetworkStructure& structure, const Vector& theta,
                         const std::vector<std::string>& channels,
                         const std::vector<ChannelKind>& kinds,
                         const std::optional<NetworkEvidence>& evidence, double factor);

}  // namespace lgn
