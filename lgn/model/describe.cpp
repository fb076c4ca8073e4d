#include "lgn/model/describe.h"

#include "lgn/data/scales.h"
#include "lgn/version.h"

namespace lgn {

Model describe(const Fit& fit, const Dataset& data, const std::vector<ChannelKind>& kinds,
               const std::string& time_unit) {
  const Structure& structure = *fit.structure;
  const auto [begin, end] = time_span(data);
  Model model;
  model.version = version;
  model.structure = structure.name();
  model.method = fit.method;
  model.channels = data.channels();
  model.time_unit = time_unit;
  model.a = mean_generator(structure, fit.theta, begin, end);
  if (!structure.measures_states()) model.c = structure.observation(fit.theta).matrix();
  if (fit.drive.active()) {
    model.inputs = data.inputs();
    model.drive = fit.drive;
    model.innovation = fit.innovation;
    model.record = "driven";
  }
  model.starts = fit.initial_states;
  model.offset = fit.offset;
  model.parameters = structure.named_values(fit.theta);
  model.theta = fit.theta;
  model.theta_names = structure.parameter_names();
  model.energy = structure.energy(fit.theta);
  if (structure.ports() != nullptr) model.passivity = structure.ports()->certificate(fit.theta);
  model.guarantee = structure.guarantee();
  model.modes = find_modes(model.a, model.guarantee, model.time_unit);
  if (model.hidden()) show_in_channels(model.modes, model.c);
  if (const NetworkStructure* network = structure.network())
    model.network = describe_network(*network, fit.theta, model.channels, kinds, {}, 1);
  model.variation = describe_variation(fit.structure, fit.theta, begin, end, fit.magnus);
  if (model.variation) {
    model.variation->start_times.resize(static_cast<Index>(data.runs().size()));
    for (std::size_t r = 0; r < data.runs().size(); ++r)
      model.variation->start_times[static_cast<Index>(r)] = data.runs()[r].times()[0];
  }
  model.fit.iterations = fit.iterations;
  model.fit.converged = fit.converged;
  return model;
}

}  // namespace lgn
