#include "lgn/model/model.h"

#include <fmt/format.h>

#include "lgn/core/error.h"

#include "lgn/dynamics/observed.h"
#include "lgn/dynamics/structures.h"
#include "lgn/flow/flow.h"
#include "lgn/flow/forced_response.h"
#include "lgn/flow/propagate.h"
#include "lgn/identify/estimate.h"
#include "lgn/identify/nonlinear/law_fit.h"

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
  std::shared_ptr<const ConstantStructure> full =
      std::make_shared<FullStructure>(model.dimension());
  if (model.hidden()) full = std::make_shared<ObservedStructure>(full, Observation(model.c));
  return {std::move(full), model.a.reshaped()};
}

/// The samples without what inputs do from rest.
Dataset less_forced(const Model& model, const Dataset& samples) {
  const Vector at_rest = model.hidden() ? Vector::Zero(model.dimension()) : model.rest();
  std::vector<Trajectory> runs;
  for (const auto& run : samples.runs())
    runs.emplace_back(
        run.label(), run.times(),
        (run.states() - model.propagate(at_rest, run.times(), run.inputs())).colwise() +
            model.rest());
  return Dataset(samples.channels(), std::move(runs));
}

}  // namespace

Matrix Model::propagate(const Vector& x0, const Vector& times, const Matrix& driving) const {
  const Matrix states = propagate_states(x0, times, driving);
  Matrix result = (hidden() ? Matrix(c * states) : states).colwise() + rest();
  if (drive.d.size() > 0 && driving.size() > 0)
    result += drive.d * input_course(times, driving, drive.timing).at_samples;
  return result;
}

Matrix Model::propagate_states(const Vector& x0, const Vector& times, const Matrix& driving) const {
  if (nonlinear) {
    const Vector from_rest = hidden() ? x0 : Vector(x0 - rest());
    if (!drive.active() || driving.size() == 0) return nonlinear->propagate(from_rest, times);
    return nonlinear->propagate(from_rest, input_course(times, driving, drive.timing));
  }
  if (sparse) return sparse->propagate(x0 - rest(), times);
  if (drive.active() && driving.size() > 0 && !variation)
    return forced_states(a, hidden() ? x0 : Vector(x0 - rest()), drive.b,
                         input_course(times, driving, drive.timing));
  if (hidden()) return lgn::propagate(a, x0, times);
  const Dynamics dynamics = dynamics_of(*this);
  Matrix result =
      lgn::propagate(*dynamics.structure, dynamics.theta, x0 - rest(), times, dynamics.steps);
  if (drive.active() && driving.size() > 0)
    result +=
        plan_forced(*dynamics.structure, input_course(times, driving, drive.timing), dynamics.steps)
            ->at(dynamics.theta)
            ->states(drive.b);
  return result;
}

std::vector<std::string> Model::states() const {
  if (!hidden()) return channels;
  if (nonlinear) return with_rates(channels);
  std::vector<std::string> names;
  for (Index k = 0; k < dimension(); ++k) names.push_back("x" + std::to_string(k + 1));
  return names;
}

Matrix Model::initial_states(const Dataset& samples, const Vector& noise) const {
  if (nonlinear) {
    Matrix found = fitted_starts(*nonlinear->structure, nonlinear->theta, samples.less(rest()),
                                 noise, drive.timing);
    if (!hidden()) found.colwise() += rest();
    return found;
  }
  if (drive.active()) {
    Model free = *this;
    free.drive = {};
    return free.initial_states(less_forced(*this, samples), noise);
  }
  if (sparse) return sparse->initial_states(samples, noise, offset);
  const Dynamics dynamics = dynamics_of(*this);
  return initial_states_of(*dynamics.structure, dynamics.theta, samples, true, noise,
                           dynamics.magnus, offset);
}

void Model::check_dense(const std::string& purpose) const {
  if (sparse)
    throw Error(fmt::format("{} needs dense matrices, and A of this model is sparse, of {} states",
                            purpose, dimension()),
                "simulate, evaluate, modes, network and report take such models");
}

Matrix Model::generators(const Vector& times) const {
  if (!variation) return a;
  return variation->structure->sample(times)->course(variation->theta)->generators();
}

bool Model::extrapolated(const Vector& times) const {
  return variation && variation->extrapolated(times);
}

double Model::begin(Index run) const {
  if (!variation) return 0;
  const Vector& times = variation->start_times;
  return run >= 0 && run < times.size() ? times[run] : variation->begin;
}

double Model::end() const {
  if (variation) return variation->end;
  const Index samples = data.runs > 0 ? data.samples / data.runs : 0;
  return data.step > 0 && samples > 1 ? data.step * static_cast<double>(samples - 1) : 1;
}

std::string Model::modes_of() const {
  if (nonlinear) return "the law linearised at rest";
  if (sparse) return "the generator, those computed";
  return variation ? "the mean generator" : "the generator";
}

std::string frequency_unit(const Model& model) {
  return seconds_in(model.time_unit) ? "Hz" : "1/" + model.time_unit;
}

}  // namespace lgn
