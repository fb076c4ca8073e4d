#include "lgn/physics/evaluation.h"

#include "lgn/physics/metrics.h"

namespace lgn {

namespace {

double fit_percent(const Vector& predicted, const Vector& truth) {
  const auto missing = truth.array().isNaN();
  const double count = static_cast<double>((!missing).count());
  const double mean = missing.select(0.0, truth.array()).sum() / count;
  const double size = missing.select(0.0, truth.array() - mean).matrix().norm();
  return 100 * (1 - missing.select(0.0, truth - predicted).matrix().norm() / size);
}

}  // namespace

Evaluation evaluate(const Propagator& model, const std::optional<Matrix>& energy,
                    const Dataset& data, const Matrix& initial_states, const Vector& rest,
                    const Propagator& state_model) {
  EnergyOfStates course;
  if (energy) course = [&](const Matrix& states) { return energies(states, *energy); };
  return evaluate(model, course, data, initial_states, rest, state_model);
}

Evaluation evaluate(const Propagator& model, const EnergyOfStates& energy, const Dataset& data,
                    const Matrix& initial_states, const Vector& rest,
                    const Propagator& state_model) {
  Evaluation result;
  const Vector offset = rest.size() > 0 ? rest : Vector::Zero(data.dimension());
  Matrix predicted(data.dimension(), data.samples()), truth(data.dimension(), data.samples());
  Index column = 0;
  double grown = 0, steps = 0;
  for (std::size_t r = 0; r < data.runs().size(); ++r) {
    const auto& run = data.runs()[r];
    const Matrix states =
        model(initial_states.col(static_cast<Index>(r)), run.times(), run.inputs()).colwise() -
        offset;
    const Matrix measured = run.states().colwise() - offset;
    Score score{run.label(), nrmse(states, measured)};
    if (energy) {
      const Vector e = energy(state_model ? state_model(initial_states.col(static_cast<Index>(r)),
                                                        run.times(), run.inputs())
                                          : states);
      score.violations = energy_violations(e, 1e-6 * e[0]);
      score.spread = energy_spread(e);
      grown += score.violations * static_cast<double>(run.samples() - 1);
      steps += static_cast<double>(run.samples() - 1);
    }
    result.runs.push_back(score);
    predicted.middleCols(column, run.samples()) = states;
    truth.middleCols(column, run.samples()) = measured;
    column += run.samples();
  }
  for (Index c = 0; c < data.dimension(); ++c)
    result.channels.push_back({data.channels()[static_cast<std::size_t>(c)],
                               nrmse(predicted.row(c), truth.row(c)),
                               fit_percent(predicted.row(c), truth.row(c))});
  result.nrmse = nrmse(predicted, truth);
  result.violations = steps > 0 ? grown / steps : std::nan("");
  return result;
}

}  // namespace lgn
