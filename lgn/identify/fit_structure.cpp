#include "lgn/identify/fit_structure.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "lgn/core/error.h"
#include "lgn/core/setting.h"
#include "lgn/data/value_range.h"
#include "lgn/dynamics/constant.h"
#include "lgn/dynamics/find_structure.h"
#include "lgn/identify/estimate.h"
#include "lgn/identify/sparse/engine.h"

namespace lgn {
namespace {

/// A dense fit keeps some tens of n × n matrices; beyond this many states that does not fit into
/// memory.
constexpr Index most_states = 4000;

}  // namespace

std::string network_asked(const FitOptions& options) {
  const bool ruled = options.network.rules.any();
  if (options.custom_structure) return {};
  if (options.structure == "mechanical") return options.structure;
  if (options.structure == "network" || (options.structure == "auto" && ruled)) {
    const auto& kinds = options.network.kinds;
    const bool masses = std::find(kinds.begin(), kinds.end(), ChannelKind::position) != kinds.end();
    return masses ? "mechanical" : "network";
  }
  if (ruled)
    throw Error(
        fmt::format("the structure \"{}\" has no pairs to allow or forbid", options.structure),
        "use " + setting("structure", "network") + " or " + setting("structure", "mechanical"));
  return {};
}

namespace {

/// The law that was asked for, if it is one that varies in time.
std::shared_ptr<const Structure> varying_law(const FitOptions& options, Index n) {
  if (options.structure.find("parametric") == std::string::npos) return nullptr;
  return find_varying_parametric(options.structure, n);
}

}  // namespace

Fit fit_varying(const Dataset& data, const FitOptions& options,
                const std::optional<Matrix>& generator) {
  const auto law =
      options.custom_structure ? options.custom_structure : varying_law(options, data.dimension());
  std::optional<Vector> theta;
  if (!options.start.empty()) {
    if (!law)
      throw Error("only a law has parameters to guess",
                  "use " + setting("structure", "parametric:LAW"));
    theta = guessed_parameters(*law, options);
  }
  return law ? estimate_varying(data, law, options, theta)
             : estimate_varying(data, options.structure, options, generator);
}

Vector guessed_parameters(const Structure& law, const FitOptions& options) {
  const Constants* constants = law.law_constants();
  if (constants == nullptr)
    throw Error("only a law has parameters to guess",
                "use " + setting("structure", "parametric:LAW"));
  Vector values = constants->starting_values();
  const auto names = constants->names();
  for (const auto& [name, value] : options.start) {
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end())
      throw Error(fmt::format("the law \"{}\" has no parameter \"{}\"", law.name(), name),
                  fmt::format("it has {}", fmt::join(names, ", ")));
    const Index k = found - names.begin();
    if (!constants->list()[static_cast<std::size_t>(k)].holds(value))
      throw Error(fmt::format("{} cannot have the initial guess {}", name, value));
    values[k] = value;
  }
  return constants->parameters(values);
}

void check_data(const Dataset& data, const FitOptions& options) {
  if (data.dimension() > most_states && !uses_sparse_engine(data, options))
    throw Error(
        fmt::format("{} channels need {:.2g} GB for every copy of a dense generator",
                    data.dimension(), 8e-9 * std::pow(static_cast<double>(data.dimension()), 2)),
        fmt::format("choose at most {} of them: {}; a sparse network needs none: {}", most_states,
                    setting("channels"), setting("structure", "network")));
  check_value_range(data);
}

StructureFit fit_structure(const Dataset& data, const FitOptions& options) {
  const Structure* custom = options.custom_structure.get();
  if (custom != nullptr ? custom->autonomous() == nullptr : varies_in_time(options.structure))
    return {{{}, fit_varying(data, options)}};
  if (options.basis != Basis::automatic)
    throw Error(fmt::format("the structure \"{}\" does not vary in time", options.structure),
                "a basis belongs to " + setting("structure", "ltv-sd") + " or " +
                    setting("structure", "ltv-full"));
  const std::string network = network_asked(options);
  const bool choose = custom == nullptr && options.structure == "auto";
  if (!options.start.empty() && (!network.empty() || choose))
    throw Error("only a law has parameters to guess",
                "use " + setting("structure", "parametric:LAW"));
  if (!network.empty()) {
    NetworkFit found = fit_network(data, network == "mechanical", options.network, options);
    if (found.sparse) return {{{}, std::move(found.fit)}};
    return {select_structure(data, options, {}), found.density};
  }
  if (choose) return {select_structure(data, options, options.network)};
  const auto structure = custom != nullptr ? std::shared_ptr<const ConstantStructure>(
                                                 options.custom_structure, custom->autonomous())
                                           : find_structure(options.structure, data.dimension());
  EstimateStart start;
  if (!options.start.empty()) start.theta = guessed_parameters(*structure, options);
  return {{{}, estimate(data, structure, options, start)}};
}

}  // namespace lgn
