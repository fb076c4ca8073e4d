#include "lgn/physics/evaluation.h"

#include "lgn/physics/metrics.h"

namespace lgn {

Evaluation evaluate(const Propagator& model, const std::optional<Matrix>& energy,
                    const Dataset& data, const Matrix& initial_states, const Vector& rest) {
  Evaluation result;
  const Vector offset = rest.size() > 0 ? rest : Vector::Zero(data.dimension());
  Matrix predicted(data.dimension(), data.samples()), truth(data.dimension(), data.samples());
  Index column = 0;
  double grown = 0, steps = 0;
  for (std::size_t r = 0; r < data.runs().size(); ++r) {
    const auto& run = data.runs()[r];
    const Matrix states =
        model(initial_states.col(static_cast<Index>(r)), run.times()).colwise() - offset;
    const Matrix measured = run.states().colwise() - offset;
    Score score{run.label(), nrmse(states, measured)};
    if (energy) {
      const Vector e = energies(states, *energy);
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
    result.channels.push_back(
        {data.channels()[static_cast<std::size_t>(c)], nrmse(predicted.row(c), truth.row(c))});
  result.nrmse = nrmse(predicted, truth);
  result.violations = steps > 0 ? grown / steps : std::nan("");
  return result;
}

}  // namespace lgn
