#include "lgn/identify/hidden/observed_law.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "lgn/core/decompositions.h"
#include "lgn/core/error.h"
#include "lgn/core/setting.h"
#include "lgn/data/channel_kinds.h"
#include "lgn/dynamics/observed.h"
#include "lgn/dynamics/parametric.h"
#include "lgn/identify/fit_structure.h"
#include "lgn/identify/hidden/hidden_fit.h"
#include "lgn/identify/likelihood/maximum_likelihood.h"

namespace lgn {
namespace {

const std::string parametric = "parametric:";

/// Of the law that was asked for, 0 where its size is not known.
Index states_of(const FitOptions& options) {
  if (!options.structure.starts_with(parametric)) return 0;
  const std::string name = options.structure.substr(parametric.size());
  if (name == "oscillator" || name == "rlc") return 2;
  return name == "ladder" && options.states == States::given ? options.state_count : 0;
}

/// The state that each channel shows.
Matrix observed_states(const Dataset& data, const FitOptions& options, Index states) {
  const auto kinds =
      options.network.kinds.empty() ? guess_kinds(data.channels()) : options.network.kinds;
  std::vector<Index> shown;
  for (Index c = 0; c < data.dimension(); ++c) {
    const std::string& channel = data.channels()[static_cast<std::size_t>(c)];
    Index state = c;
    for (Index k = 0; k < states; ++k)
      if (channel == fmt::format("{}{}", k % 2 == 0 ? 'v' : 'i', k / 2 + 1)) state = k;
    const ChannelKind kind = kinds[static_cast<std::size_t>(c)];
    if (states == 2 && (kind == ChannelKind::velocity || kind == ChannelKind::current)) state = 1;
    if (state >= states || std::find(shown.begin(), shown.end(), state) != shown.end())
      throw Error(fmt::format("channel \"{}\" shows no state of the law of its own", channel),
                  "choose channels with " + setting("channels"));
    shown.push_back(state);
  }
  Matrix c = Matrix::Zero(data.dimension(), states);
  for (Index k = 0; k < c.rows(); ++k) c(k, shown[static_cast<std::size_t>(k)]) = 1;
  return c;
}

/// Where the search may begin: by the poles of a modal fit for a law of two states, and by the law's own constants in units
/// of the time that these poles tell.
std::vector<Vector> starts_of(const ParametricStructure& law, const Matrix& modal) {
  std::vector<Vector> result;
  const ComplexVector poles = eigenvalues(modal);
  if (law.dimension() == 2)
    result.push_back(law.project(
        Matrix{{0.0, 1.0}, {-(poles[0] * poles[1]).real(), (poles[0] + poles[1]).real()}}));
  const double rate = std::max(poles.cwiseAbs().mean(), 1e-300);
  Vector constants = law.starting_constants();
  const auto names = law.constant_list().names();
  for (std::size_t k = 0; k < names.size(); ++k)
    if (names[k][0] == 'L' || names[k][0] == 'C') constants[static_cast<Index>(k)] /= rate;
  result.push_back(law.parameters_of(constants));
  return result;
}

}  // namespace

bool hides_states_of_a_law(const FitOptions& options, Index channels) {
  return states_of(options) > channels;
}

Selection fit_observed_law(const Dataset& data, const FitOptions& options) {
  const Index states = states_of(options);
  const auto law = std::make_shared<const ParametricStructure>(
      find_law(options.structure.substr(parametric.size()), states));
  const auto structure = std::make_shared<const ObservedStructure>(
      law, Observation(observed_states(data, options, states)));
  FitOptions settings = options;
  settings.structure = "modal";
  const HiddenFits hidden(data, settings);
  settings.offset = hidden.estimates_offset() ? Offset::estimate : Offset::none;
  LikelihoodStart start;
  if (!options.start.empty()) {
    start.theta = {guessed_parameters(*law, options)};
  } else {
    const auto modal = hidden.fit(states);
    if (!modal)
      throw NotIdentified("the data are too short for the states of the law", "record for longer");
    start.theta = starts_of(*law, modal->generator());
  }
  return {{},
          maximum_likelihood(data, structure, start, settings),
          find_stabilisation(hidden.realisation(), states)};
}

}  // namespace lgn
