#include "lgn/identify/sparse/sparse_network.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "lgn/core/constants_internal.h"
#include "lgn/core/error.h"
#include "lgn/core/stop.h"
#include "lgn/data/scales.h"
#include "lgn/identify/sparse/sparse_noise.h"
#include "lgn/identify/sparse/sparse_wiring.h"
#include "lgn/identify/wiring/network_fit.h"
#include "lgn/identify/wiring/network_revision.h"
#include "lgn/identify/wiring/wiring.h"

namespace lgn {
namespace {

/// Pairs of nodes as pairs of the channels that show their states.
std::vector<ChannelPair> of_channels(const std::vector<ChannelPair>& pairs,
                                     const std::vector<NetworkNode>& nodes) {
  std::vector<ChannelPair> result;
  for (const auto& [i, j] : pairs)
    result.emplace_back(std::minmax(nodes[at(i)].state, nodes[at(j)].state));
  return result;
}

/// Pairs of nodes of which some element, dampers apart, is fixed or stands out of its error.
std::vector<ChannelPair> with_evidence(const SparseFit& fit, const std::vector<ChannelPair>& pairs,
                                       double values) {
  if (fit.theta_errors.size() == 0) return pairs;
  const NetworkStructure& network = *fit.structure;
  const auto nodes = static_cast<double>(network.nodes().size());
  const double threshold = evidence_threshold(values, nodes * (nodes - 1) / 2);
  std::set<ChannelPair> evident;
  for (std::size_t e = 0; e < network.elements().size(); ++e) {
    const NetworkElement& element = network.elements()[e];
    if (element.to == NetworkElement::ground || element.type == ElementType::damper) continue;
    const Index k = network.parameter_of_element(e);
    if (k == NetworkStructure::fixed ||
        std::pow(fit.theta[k] / fit.theta_errors[k], 2) >= threshold)
      evident.insert(std::minmax(element.from, element.to));
  }
  std::vector<ChannelPair> result;
  for (const ChannelPair& pair : pairs)
    if (evident.contains(pair)) result.push_back(pair);
  return result;
}

/// Channels of which the fit leaves more than noise is, and more than a little.
std::vector<Index> badly_fitted(const SparseFit& fit, const Dataset& data) {
  constexpr double plainly = 2, little = 1e-3;
  const Vector amplitudes = amplitudes_in(data, *one_part());
  const Vector noise = noise_by_interpolation(data, amplitudes, *one_part());
  std::vector<Index> result;
  for (Index i = 0; i < noise.size(); ++i) {
    const double level =
        std::max(plainly * noise[i] * noise[i], std::pow(little * amplitudes[i], 2));
    if (fit.squares[i] > level * std::max(1.0, fit.count[i])) result.push_back(i);
  }
  return result;
}

}  // namespace

SparseNetworkFit fit_large_network(const Dataset& data, bool mechanical,
                                   const FitOptions& options) {
  const auto nodes = network_nodes(data.channels(), options.network.kinds, mechanical);
  const auto tell = [&] {
    if (options.observe) options.observe({"topology", 0, 0, 1.0, {}});
  };
  // Regression is one about rest; what channels show there is estimated with the values.
  const bool offset = options.offset == Offset::estimate;
  const SparseWiring wiring =
      find_sparse_wiring(offset ? data.less(channel_means(data)) : data, nodes,
                         rules_of_nodes(options.network.rules, nodes), options.threads, tell);
  if (wiring.pairs.empty())
    throw NotIdentified("nothing couples: no two channels explain each other's motion",
                        "is there a signal, and are the channels those of one system?");
  FitOptions known = options;
  known.network.rules = {of_channels(wiring.pairs, nodes), {}, {}};
  SparseNetworkFit result{fit_on_topology(data, mechanical, known)};
  const auto evident = with_evidence(result.fit, wiring.pairs, static_cast<double>(data.present()));
  if (!evident.empty() && evident.size() < wiring.pairs.size() && !result.fit.stopped)
    unless_stopped([&] {
      known.network.rules.pattern = of_channels(evident, nodes);
      result.fit = fit_on_topology(data, mechanical, known);
    });
  result.unexplained = badly_fitted(result.fit, data);
  for (const Index i : wiring.silent) result.silent.push_back(nodes[at(i)].state);
  return result;
}

}  // namespace lgn
