#include "lgn/identify/wiring/network_fit.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>

#include "lgn/core/constants_internal.h"
#include "lgn/core/error.h"
#include "lgn/core/setting.h"
#include "lgn/core/stop.h"
#include "lgn/data/outliers.h"
#include "lgn/data/scales.h"
#include "lgn/identify/wiring/network_search.h"

namespace lgn {
namespace {

/// A network couples at most this part of its pairs; with fewer nodes every wiring is dense.
constexpr double densest = 0.5;
constexpr std::size_t fewest_nodes = 8;

/// What is left of a name without its leading letters: q1 and v1, pos_3 and vel_3.
std::string suffix(const std::string& name) {
  const auto begin = std::find_if(name.begin(), name.end(), [](char c) {
    return std::isalpha(static_cast<unsigned char>(c)) == 0;
  });
  return {begin, name.end()};
}

/// Whether one fit has a smaller Bayesian information criterion than another, values counting by what
/// they are worth where neighbours correlate. `bonus` parameters are not counted.
bool prefer(const NetworkFit& fit, const FitResiduals& left, const NetworkFit& other,
            const FitResiduals& left_by_other, double bonus) {
  const double worth =
      std::pow(correlation_factor(left_by_other.correlation(), left_by_other.neighbours()), -2);
  const double gained =
      worth * (information_criterion(left_by_other, 0) - information_criterion(left, 0));
  const double more = static_cast<double>(fit.structure->parameters()) -
                      static_cast<double>(other.structure->parameters()) - bonus;
  return gained > more * std::log(left.count.sum());
}

/// Refuses rules that contradict one another.
void check_rules(const EdgeRules& rules, const std::vector<std::string>& channels) {
  const auto in = [](const std::vector<ChannelPair>& list, const ChannelPair& pair) {
    return std::find(list.begin(), list.end(), pair) != list.end();
  };
  const auto refuse = [&](const ChannelPair& pair, const char* problem, const char* help) {
    throw Error(fmt::format("{} and {} are {}", channels[at(pair.first)], channels[at(pair.second)],
                            problem),
                help);
  };
  for (const auto& pair : rules.required) {
    if (in(rules.forbidden, pair))
      refuse(pair, "both required and forbidden", "drop one of the two rules");
    if (!rules.pattern.empty() && !in(rules.pattern, pair))
      refuse(pair, "required, but not in the topology that is given", "add the pair to its file");
  }
  for (const auto& pair : rules.forbidden)
    if (in(rules.pattern, pair))
      refuse(pair, "forbidden, but in the topology that is given", "take the pair out of its file");
}

/// Whether so few pairs couple that a network says more than a dense generator.
bool is_sparse(double density, std::size_t nodes, const NetworkOptions& network) {
  return nodes < fewest_nodes || !network.rules.pattern.empty() || density <= densest;
}

}  // namespace

std::vector<NetworkNode> network_nodes(const std::vector<std::string>& channels,
                                       const std::vector<ChannelKind>& kinds, bool mechanical) {
  if (!mechanical) return single_states(static_cast<Index>(channels.size()));
  std::vector<Index> positions, velocities;
  for (std::size_t c = 0; c < kinds.size(); ++c) {
    if (kinds[c] == ChannelKind::position) positions.push_back(static_cast<Index>(c));
    if (kinds[c] == ChannelKind::velocity) velocities.push_back(static_cast<Index>(c));
  }
  if (positions.empty() || positions.size() != velocities.size() ||
      positions.size() + velocities.size() != channels.size())
    throw Error(fmt::format("a mechanical network needs as many velocities as positions; {} of {} "
                            "channels are positions and {} velocities",
                            positions.size(), channels.size(), velocities.size()),
                "name the channels q1, v1, …, or say what they are: " + setting("kinds", "q,v,…"));
  std::vector<NetworkNode> nodes;
  for (const Index position : positions) {
    const auto same = std::find_if(velocities.begin(), velocities.end(), [&](Index v) {
      return suffix(channels[at(v)]) == suffix(channels[at(position)]);
    });
    if (same == velocities.end()) break;
    nodes.push_back({position, *same});
    velocities.erase(same);
  }
  if (velocities.empty()) return nodes;
  nodes.clear();
  for (std::size_t c = 0; c < kinds.size(); ++c)
    if (kinds[c] == ChannelKind::velocity)
      nodes.push_back({positions[nodes.size()], static_cast<Index>(c)});
  return nodes;
}

NetworkFit find_network(const Dataset& data, bool mechanical, const NetworkOptions& network,
                        const FitOptions& options) {
  if (!network.kinds.empty() && network.kinds.size() != data.channels().size())
    throw Error("there must be one kind for each channel");
  check_rules(network.rules, data.channels());
  if (amplitude(data) == 0)
    throw NotIdentified("every value is zero", "a system at rest shows nothing of its dynamics");
  const auto nodes = network_nodes(data.channels(), network.kinds, mechanical);
  const NetworkSearch search(data, nodes, network, options);
  const bool robust = options.robust();
  const Dataset clean = robust ? without_outliers(data) : data;
  const Wiring wiring = find_wiring(clean, nodes, search.rules(), search.inputs());
  if (!is_sparse(wiring.density, nodes.size(), network)) {
    NetworkFit dense;
    dense.density = wiring.density;
    dense.sparse = false;
    return dense;
  }
  constexpr double hopeless = 0.5, nearly = 1.3;
  const double one = mechanical ? std::numeric_limits<double>::infinity()
                                : search.start_error(clean, wiring, false);
  const double free = search.start_error(clean, wiring, true);
  if (!network.rules.any() && std::min(one, free) > hopeless)
    throw NotIdentified(
        fmt::format(
            "the likeliest topology leaves {:.0f}% of the data unexplained, even over a few "
            "radians",
            100 * std::min(one, free)),
        "this may be no network of the states that are measured; a channel that shows a source "
        "belongs to " +
            setting("inputs", "its name") + " or is left out by " +
            setting("channels", "the others") + "; or try " + setting("structure", "auto"));
  // Where the laws of a field hold, models with and without them differ by chance only; that must not
  // cost the user the elements.
  constexpr double for_laws = 4;
  NetworkFit best;
  FitResiduals left;
  const auto consider = [&](const Wiring& from, NetworkForm form, double bonus = 0) {
    NetworkFit fit = search.fit(from, form);
    FitResiduals residuals = find_residuals(fit.fit, data);
    if (best.structure && !prefer(fit, residuals, best, left, bonus)) return;
    best = std::move(fit);
    left = std::move(residuals);
  };
  if (one < nearly * free + explained)
    consider(wiring, NetworkForm::one);
  else
    consider(wiring, NetworkForm::free);
  const auto others = [&] {
    if (!best.structure->has_storages() && !(best.fit.stopped || leaves_noise_only(left)))
      consider(wiring, NetworkForm::free);
    if (!wiring.opposed.empty() && !(best.fit.stopped || leaves_noise_only(left)))
      consider({with_either_sign(wiring), {}, wiring.window}, NetworkForm::free);
    if (search.couplings_known(best.structure->elements()) && !best.fit.stopped)
      consider({best.structure->elements(), best.fit.generator(), wiring.window},
               NetworkForm::known_couplings, for_laws);
  };
  if (!unless_stopped(others)) {
    best.fit.stopped = true;
    best.fit.converged = false;
  }
  if (best.structure->elements().empty() && left.nrmse() > 0.5)
    throw NotIdentified("no element of a network has evidence: nothing couples and nothing is lost",
                        "is there a signal, and are the channels those of one system?");
  best.sparse = is_sparse(best.density, nodes.size(), network);
  return best;
}

NetworkFit fit_network(const Dataset& data, bool mechanical, const NetworkOptions& network,
                       const FitOptions& options) {
  NetworkFit found = find_network(data, mechanical, network, options);
  if (found.structure)
    NetworkSearch(data, found.structure->nodes(), network, options).polish(found);
  return found;
}

NetworkFit refit_network(const Dataset& data, const NetworkStructure& structure,
                         const Matrix& generator, const NetworkOptions& network,
                         const FitOptions& options) {
  const bool known = std::any_of(structure.elements().begin(), structure.elements().end(),
                                 [](const auto& e) { return e.sign != 0; });
  const NetworkForm form = known                      ? NetworkForm::known_couplings
                           : structure.has_storages() ? NetworkForm::free
                                                      : NetworkForm::one;
  const NetworkSearch search(data, structure.nodes(), network, options);
  NetworkFit result = search.fit({structure.elements(), generator}, form);
  search.polish(result);
  return result;
}

}  // namespace lgn
