#include "lgn/report/network/network_drawing.h"

#include <fmt/format.h>

#include "lgn/core/error.h"

#include "lgn/report/network/drawing_internal.h"
#include "lgn/report/network/network_shape.h"

namespace lgn {
namespace {

constexpr std::size_t most_drawn = 1000;

}  // namespace

void check_drawable(std::size_t nodes) {
  if (nodes > most_drawn)
    throw Error(fmt::format("a network of {} nodes is not drawn", nodes),
                fmt::format("up to {} are; write a graph instead", most_drawn));
}

std::string network_svg(const Network& network) {
  check_drawable(network.nodes.size());
  const std::vector<Component> parts = components(network);
  if (parts.size() != 1 || parts[0].shape != Shape::path) return drawing::graph_svg(network);
  const std::string ladder = drawing::ladder_svg(network, parts[0].nodes);
  return ladder.empty() ? drawing::chain_svg(network, parts[0].nodes) : ladder;
}

}  // namespace lgn
