#include "lgn/report/network/network_drawing.h"

#include "lgn/report/network/drawing_internal.h"
#include "lgn/report/network/network_shape.h"

namespace lgn {

std::string network_svg(const Network& network) {
  const std::vector<Component> parts = components(network);
  if (parts.size() != 1 || parts[0].shape != Shape::path) return drawing::graph_svg(network);
  const std::string ladder = drawing::ladder_svg(network, parts[0].nodes);
  return ladder.empty() ? drawing::chain_svg(network, parts[0].nodes) : ladder;
}

}  // namespace lgn
