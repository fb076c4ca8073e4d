#include "lgn/model/true_model.h"

#include "lgn/data/scales.h"
#include "lgn/version.h"

namespace lgn {

Model true_model(const System& system, const Dataset& clean, double step, Hold hold) {
  Model model;
  model.version = version;
  model.structure = system.structure;
  model.method = "generate";
  model.channels = system.channels;
  model.a = system.a;
  model.starts = Matrix(system.a.rows(), static_cast<Index>(clean.runs().size()));
  for (Index r = 0; r < model.starts.cols(); ++r)
    if (system.c.size() == 0)
      model.starts.col(r) = clean.runs()[static_cast<std::size_t>(r)].states().col(0);
  model.parameters = system.parameters;
  model.energy = system.energy;
  model.guarantee = {true, true, system.structure == "parametric:oscillator"};
  if (system.varying) {
    const auto [begin, end] = time_span(clean);
    model.guarantee = system.varying->guarantee();
    model.a = mean_generator(*system.varying, system.theta, begin, end);
    model.variation = describe_variation(system.varying, system.theta, begin, end);
  }
  if (system.law) {
    const auto& states = clean.runs().front().states();
    const KnownLaw law =
        clean.inputs().empty() ? *system.law : with_input(*system.law, system.b.col(0));
    model.nonlinear =
        describe_law(law.recipe, law.theta, {}, states, model.time_unit, longest_duration(clean));
    const ModelNonlinear::Equilibrium& rest = model.nonlinear->equilibria.front();
    const bool promised = model.nonlinear->structure->guarantee().dissipative;
    model.a = rest.a;
    model.guarantee = {promised && rest.stable, promised, false};
  }
  if (!clean.inputs().empty()) {
    model.inputs = clean.inputs();
    model.drive = {{hold, 0}, system.b, {}};
    model.record = "driven";
  }
  model.modes = find_modes(model.a, model.guarantee);
  if (system.c.size() > 0) {
    model.c = system.c;
    model.starts = system.start.replicate(1, static_cast<Index>(clean.runs().size()));
    show_in_channels(model.modes, model.c);
  }
  model.fit.converged = true;
  model.data.runs = model.starts.cols();
  model.data.samples = clean.samples();
  model.data.step = step;
  return model;
}

}  // namespace lgn
