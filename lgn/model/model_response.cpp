#include "lgn/model/model_response.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "lgn/core/error.h"
#include "lgn/core/setting.h"

namespace lgn {
namespace {

/// Rates of the modes that are not zero, slowest and fastest.
std::pair<double, double> rates_of(const Model& model) {
  double slowest = 0, fastest = 0;
  for (const Mode& mode : model.modes) fastest = std::max(fastest, std::abs(mode.pole));
  slowest = fastest;
  // A pole that absorbs a drift says nothing about where to look.
  constexpr double no_rate = 1e-4;
  for (const Mode& mode : model.modes)
    if (const double size = std::abs(mode.pole); size > no_rate * fastest)
      slowest = std::min(slowest, size);
  return fastest > 0 ? std::pair(slowest, fastest) : std::pair(1.0, 1.0);
}

/// The mean length of the runs of the data; infinite where it is not known.
double run_length(const Model& model) {
  const auto& [files, runs, samples, checksum, step, assumptions] = model.data;
  if (!(step > 0) || runs < 1 || samples < 2) return std::numeric_limits<double>::infinity();
  return step * static_cast<double>(samples) / static_cast<double>(runs);
}

}  // namespace

DrivenSystem driven_system(const Model& model) {
  if (!model.drive.active())
    throw Error("the model has no inputs, so that nothing responds to them",
                "fit data with an input: name its columns with " + setting("inputs"));
  if (model.variation)
    throw Error("the generator varies in time, so that it has no transfer function",
                "fit a constant one: " + setting("structure", "auto"));
  const Index n = model.dimension(), m = model.drive.b.cols();
  return {model.a, model.drive.b, model.hidden() ? model.c : Matrix(Matrix::Identity(n, n)),
          model.drive.d.size() > 0 ? model.drive.d : Matrix(Matrix::Zero(model.outputs(), m)),
          model.drive.timing.delay};
}

TransferFunction transfer_function(const Model& model) {
  return TransferFunction(driven_system(model), model.system_errors);
}

Vector response_frequencies(const Model& model, const TransferFunction& transfer) {
  constexpr Index points = 500;
  const auto [slowest, fastest] = rates_of(model);
  double low = 0.1 * slowest, high = 10 * fastest;
  if (model.data.step > 0) {
    high = std::min(high, std::numbers::pi / model.data.step);
    low = std::min(low, 0.01 * high);
  }
  std::vector<Complex> bends(transfer.poles().begin(), transfer.poles().end());
  const DrivenSystem& system = transfer.system();
  constexpr Index few = 12;  // pairs for which zeros are looked for here, too
  for (Index j = 0; j < system.inputs() && system.inputs() * system.outputs() <= few; ++j)
    for (Index i = 0; i < system.outputs(); ++i)
      for (const Complex& zero : transmission_zeros(system.pair(i, j))) bends.push_back(zero);
  return frequency_grid(Eigen::Map<const ComplexVector>(bends.data(), std::ssize(bends)), low, high,
                        points);
}

Vector response_times(const Model& model) {
  const auto [slowest, fastest] = rates_of(model);
  constexpr double settled = 6, per_period = 20;
  double decay = 0;
  for (const Mode& mode : model.modes)
    if (const double rate = -mode.pole.real(); rate > 1e-6 * fastest)
      decay = decay > 0 ? std::min(decay, rate) : rate;
  double length = decay > 0 ? settled / decay : 20 * 2 * std::numbers::pi / slowest;
  length = std::min(length, run_length(model)) + model.drive.timing.delay;
  const double points =
      std::clamp(per_period * length * fastest / (2 * std::numbers::pi), 300.0, 2000.0);
  return Vector::LinSpaced(static_cast<Index>(points), 0, length);
}

ModelResponse model_response(const Model& model, const Dataset* data) {
  const TransferFunction transfer = transfer_function(model);
  const Vector omega = response_frequencies(model, transfer), times = response_times(model);
  const DrivenSystem& system = transfer.system();
  ModelResponse result{frequency_responses(transfer, omega),
                       response_figures(transfer, omega),
                       {},
                       step_responses(system, transfer.errors(), times),
                       impulse_responses(system, transfer.errors(), times),
                       {}};
  if (system.inputs() > 1 && system.inputs() == system.outputs())
    result.zeros = estimated_zeros(transfer);
  if (data != nullptr) result.data = estimate_transfer(*data, model.drive.timing.hold);
  return result;
}

}  // namespace lgn
