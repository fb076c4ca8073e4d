#include "lgn/report/network/network_shape.h"

#include <algorithm>

#include "lgn/model/network_names.h"

namespace lgn {
namespace {

using Neighbours = std::vector<std::vector<Index>>;

const std::vector<Index>& around(const Neighbours& near, Index node) {
  return near[static_cast<std::size_t>(node)];
}

/// Nodes in the order in which a breadth-first search from `start` meets them.
std::vector<Index> search(const Neighbours& near, Index start, std::vector<bool>& seen) {
  std::vector<Index> found{start};
  seen[static_cast<std::size_t>(start)] = true;
  for (std::size_t k = 0; k < found.size(); ++k)
    for (const Index next : around(near, found[k]))
      if (!seen[static_cast<std::size_t>(next)]) {
        seen[static_cast<std::size_t>(next)] = true;
        found.push_back(next);
      }
  return found;
}

/// From `start` from neighbour to neighbour until there is no new one.
std::vector<Index> walk(const Neighbours& near, Index start) {
  std::vector<Index> order{start};
  for (Index before = -1;;) {
    const Index here = order.back();
    const auto& next = around(near, here);
    const auto step = std::find_if(next.begin(), next.end(), [&](Index n) { return n != before; });
    if (step == next.end() || *step == start) return order;
    before = here;
    order.push_back(*step);
  }
}

}  // namespace

std::vector<std::vector<Index>> neighbours(const Network& network) {
  Neighbours near(network.nodes.size());
  for (const auto& connection : connections(network)) {
    near[static_cast<std::size_t>(connection.from)].push_back(connection.to);
    near[static_cast<std::size_t>(connection.to)].push_back(connection.from);
  }
  for (auto& list : near) std::sort(list.begin(), list.end());
  return near;
}

std::vector<Component> components(const Network& network) {
  const Neighbours near = neighbours(network);
  std::vector<bool> seen(near.size());
  std::vector<Component> parts;
  for (std::size_t start = 0; start < near.size(); ++start) {
    if (seen[start]) continue;
    Component part{Shape::mesh, search(near, static_cast<Index>(start), seen)};
    std::size_t ends = 0, degree = 0, most = 0;
    for (const Index node : part.nodes) {
      const std::size_t own = around(near, node).size();
      degree += own;
      most = std::max(most, own);
      ends += own == 1;
    }
    const bool cycle = degree / 2 >= part.nodes.size();
    if (!cycle) part.shape = most <= 2 ? Shape::path : Shape::tree;
    if (cycle && most == 2 && ends == 0) part.shape = Shape::ring;
    if (part.shape == Shape::path) {
      Index end = part.nodes.front();
      if (part.nodes.size() > 1) {
        auto sorted = part.nodes;
        std::sort(sorted.begin(), sorted.end());
        end = *std::find_if(sorted.begin(), sorted.end(),
                            [&](Index node) { return around(near, node).size() == 1; });
      }
      part.nodes = walk(near, end);
    }
    if (part.shape == Shape::ring) part.nodes = walk(near, part.nodes.front());
    parts.push_back(std::move(part));
  }
  return parts;
}

}  // namespace lgn
