#include "lgn/model/model.h"

#include "lgn/dynamics/structures.h"
#include "lgn/flow/flow.h"
#include "lgn/identify/estimate.h"

namespace lgn {
namespace {

/// What moves the states of a model: its structure where A varies, else A itself.
struct Dynamics {
  std::shared_ptr<const Structure> structure;
  Vector theta;
  MagnusOptions steps = {};   ///< of propagation, the same for all times that are asked for
  MagnusOptions magnus = {};  ///< of a fit, which plans them for its samples
};

Dynamics dynamics_of(const Model& model) {
  if (model.variation)
    return {model.variation->structure, model.variation->theta, model.variation->steps(),
            model.variation->magnus};
  return {std::make_shared<FullStructure>(model.dimension()), model.a.reshaped()};
}

}  // namespace

Matrix Model::propagate(const Vector& x0, const Vector& times) const {
  const Dynamics dynamics = dynamics_of(*this);
  return lgn::propagate(*dynamics.structure, dynamics.theta, x0 - rest(), times, dynamics.steps)
             .colwise() +
         rest();
}

Matrix Model::initial_states(const Dataset& samples, const Vector& noise) const {
  const Dynamics dynamics = dynamics_of(*this);
  return initial_states_of(*dynamics.structure, dynamics.theta, samples, true, noise,
                           dynamics.magnus, offset);
}

bool Model::extrapolated(const Vector& times) const {
  return variation && variation->extrapolated(times);
}

double Model::begin(Index run) const {
  if (!variation) return 0;
  const Vector& times = variation->start_times;
  return run >= 0 && run < times.size() ? times[run] : variation->begin;
}

std::string Model::modes_of() const { return variation ? "the mean generator" : "the generator"; }

std::string frequency_unit(const Model& model) {
  return seconds_in(model.time_unit) ? "Hz" : "1/" + model.time_unit;
}

}  // namespace lgn
