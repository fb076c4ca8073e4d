#include "lgn/flow/sample_runs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "lgn/core/error.h"
#include "lgn/flow/collocation.h"
#include "lgn/flow/excitation.h"
#include "lgn/flow/forced_response.h"
#include "lgn/flow/magnus_flow.h"
#include "lgn/flow/propagate.h"
#include "lgn/flow/propagate_sparse.h"
#include "lgn/flow/sample_network.h"
#include "lgn/flow/stationary.h"

namespace lgn {
namespace {

/// k·step without the dust of binary arithmetic: 0.3, not 0.30000000000000004.
double grid_time(Index k, double step) {
  return std::stod(fmt::format("{:.14g}", static_cast<double>(k) * step));
}

Vector random_start(Index n, Random& random) {
  const Vector x = 0.5 * random.normals(n);
  return x / std::sqrt(0.5 * x.squaredNorm() + 1e-6);
}

/// Standard deviation of each row over all runs, or of everything.
Vector deviations(const std::vector<Matrix>& states, bool common) {
  const Index n = states.front().rows();
  Vector sum = Vector::Zero(n), squares = Vector::Zero(n);
  double count = 0;
  for (const auto& x : states) {
    sum += x.rowwise().sum();
    squares += x.rowwise().squaredNorm();
    count += static_cast<double>(x.cols());
  }
  if (common) {
    const double mean = sum.mean() / count;
    return Vector::Constant(n, std::sqrt(std::max(0.0, squares.mean() / count - mean * mean)));
  }
  return (squares / count - (sum / count).cwiseAbs2()).cwiseMax(0.0).cwiseSqrt();
}

/// Of each step of a system that varies in time.
constexpr double exact = 1e-14;
/// Of each step of a nonlinear law, over the size of ∂f/∂x: its seventh power over 10⁵ is 1e-14.
constexpr double fine = 0.05;

/// When samples are taken. Throws Error for options that make no sense for n states.
Vector sample_times(Index n, const SamplingOptions& options) {
  if (!(options.step > 0) || !std::isfinite(options.step))
    throw Error("the time step must be positive");
  if (!(options.end > options.step) || !std::isfinite(options.end))
    throw Error("the end time must be larger than the time step",
                "a run needs at least two samples");
  if (options.runs < 1) throw Error("there must be at least one run");
  if (!(options.noise >= 0) || !std::isfinite(options.noise))
    throw Error("the noise must not be negative");
  if (options.start && options.start->size() != n)
    throw Error(fmt::format("the initial state has {} values, the system {} states",
                            options.start->size(), n));
  const double samples = std::ceil(options.end / options.step - 1e-9);
  constexpr double most_values = 1e9;
  if (samples * static_cast<double>(n * options.runs) > most_values)
    throw Error(fmt::format("{:.3g} samples of {} channels in {} runs are more than {:.0e} values",
                            samples, n, options.runs, most_values),
                "use a longer step or an earlier end");
  Vector times(static_cast<Index>(samples));
  for (Index k = 0; k < times.size(); ++k) times[k] = grid_time(k, options.step);
  return times;
}

/// The runs with noise; without inputs where the options name none.
Dataset noisy_runs(const System& system, const SamplingOptions& options, const Vector& times,
                   std::vector<Matrix> states, std::vector<Matrix> inputs) {
  Random noise(options.seed ^ 0x9e3779b97f4a7c15u);
  const Vector sigma = options.noise * deviations(states, system.common_unit);
  std::vector<Trajectory> runs;
  for (std::size_t r = 0; r < states.size(); ++r) {
    Matrix& x = states[r];
    if (options.noise > 0) x += sigma.asDiagonal() * noise.normals(x.rows(), times.size());
    runs.emplace_back(std::to_string(r + 1), times, std::move(x), std::move(inputs[r]));
  }
  if (options.input.empty()) return Dataset(system.channels, std::move(runs));
  return Dataset(system.channels, std::move(runs), {"u"});
}

void refuse_inputs(const SamplingOptions& options) {
  if (!options.input.empty())
    throw Error(
        "this system has no input",
        "drive an oscillator, rlc, ladder, mass-spring, ltv-oscillator, ltv-chain or a nonlinear one");
}

}  // namespace

Dataset sample_runs(const System& system, const SamplingOptions& options) {
  const Index n = system.a.rows();
  const Vector times = sample_times(n, options);
  if (system.b.size() == 0) refuse_inputs(options);
  Random starts(options.seed);
  std::vector<Matrix> states, inputs;
  Random driving(options.seed ^ 0x2545f4914f6cdd1du);
  for (Index r = 0; r < options.runs; ++r) {
    const Vector start = options.start             ? *options.start
                         : system.start.size() > 0 ? system.start
                                                   : random_start(n, starts);
    inputs.push_back(options.input.empty()
                         ? Matrix(0, times.size())
                         : Matrix(excitation(options.input, times, driving).transpose()));
    const Vector law_start =
        system.law && !options.start ? Vector(system.law->start_size * start) : start;
    if (!options.input.empty() && system.law) {
      const KnownLaw law = with_input(*system.law, system.b.col(0));
      states.push_back(propagate(NonlinearField(*build_nonlinear(law.recipe), law.theta), law_start,
                                 input_course(times, inputs.back(), {options.hold, 0}),
                                 {fine, true}));
    } else if (!options.input.empty() && system.varying)
      states.push_back(
          propagate(*system.varying, system.theta, start, times, {.tolerance = exact}) +
          plan_forced(*system.varying, input_course(times, inputs.back(), {options.hold, 0}),
                      {.tolerance = exact})
              ->at(system.theta)
              ->states(system.b));
    else if (!options.input.empty())
      states.push_back(forced_states(system.a, start, system.b,
                                     input_course(times, inputs.back(), {options.hold, 0})));
    else if (system.law)
      states.push_back(
          propagate(NonlinearField(*build_nonlinear(system.law->recipe), system.law->theta),
                    law_start, times, {fine, true}));
    else if (system.forces.size() > 0)
      states.push_back(
          stationary_states(system.a, system.forces, times.size(), options.step, starts));
    else
      states.push_back(system.varying ? propagate(*system.varying, system.theta, start, times,
                                                  {.tolerance = exact})
                                      : propagate(system.a, start, times));
    if (system.c.size() > 0) states.back() = system.c * states.back();
  }
  return noisy_runs(system, options, times, std::move(states), std::move(inputs));
}

Dataset sample_network(const NetworkSystem& network, const SamplingOptions& options) {
  if (network.large == nullptr) return sample_runs(network.system, options);
  const Index n = network.dimension();
  const Vector times = sample_times(n, options);
  refuse_inputs(options);
  Random starts(options.seed);
  Matrix x0(n, options.runs);
  for (Index r = 0; r < options.runs; ++r)
    x0.col(r) = options.start ? *options.start : random_start(n, starts);
  std::vector<Matrix> states = propagate_sparse(*network.large, network.theta, x0, times);
  std::vector<Matrix> inputs(states.size(), Matrix(0, times.size()));
  return noisy_runs(network.system, options, times, std::move(states), std::move(inputs));
}

}  // namespace lgn
