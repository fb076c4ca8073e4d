#include "lgn/identify/hidden/run_modes.h"

#include <cmath>
#include <limits>

#include "lgn/core/stop.h"
#include "lgn/identify/realisation/realisation.h"

namespace lgn {
namespace {

/// By one realisation; and how far it is from the modes, a missing one as one.
std::pair<std::vector<std::optional<RunMode>>, double> matched(
    const Realisation& found, const std::vector<ShapedPole>& modes) {
  constexpr double far = 0.1;
  std::vector<std::optional<RunMode>> result(modes.size());
  double distance = 0;
  for (std::size_t m = 0; m < modes.size(); ++m) {
    double nearest = far;
    for (Index k = 0; k < found.poles.size(); ++k) {
      const double apart = std::abs(found.poles[k] - modes[m].pole) / std::abs(modes[m].pole);
      if (apart >= nearest) continue;
      nearest = apart;
      result[m] = RunMode{found.poles[k], modal_assurance(found.shapes.col(k), modes[m].shape)};
    }
    distance += result[m] ? nearest : 1.0;
  }
  return {std::move(result), distance};
}

}  // namespace

std::vector<std::vector<std::optional<RunMode>>> modes_of_runs(const Dataset& data,
                                                               const std::vector<ShapedPole>& modes,
                                                               Index states) {
  std::vector<std::vector<std::optional<RunMode>>> all;
  for (const Trajectory& run : data.runs()) {
    stop_point();
    const HankelRealisation realisation(data.with_runs({run}), true);
    std::vector<std::optional<RunMode>> best(modes.size());
    double least = std::numeric_limits<double>::infinity();
    for (const Realisation& found : realisation.realise(states))
      if (auto [here, distance] = matched(found, modes); distance < least) {
        least = distance;
        best = std::move(here);
      }
    all.push_back(std::move(best));
  }
  return all;
}

}  // namespace lgn
