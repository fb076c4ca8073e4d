#include "lgn/identify/driven/late_inputs.h"

#include <algorithm>
#include <cmath>

#include "lgn/data/scales.h"
#include "lgn/flow/exponential.h"
#include "lgn/identify/hidden/hidden_fit.h"
#include "lgn/identify/hidden/order.h"
#include "lgn/identify/likelihood/maximum_likelihood.h"
#include "lgn/identify/residuals.h"

namespace lgn {
namespace {

double gain_of_earlier_inputs(const Fit& fit, const FitResiduals& left, const Dataset& data,
                              FitOptions how) {
  if (leaves_noise_only(left)) return 0;
  double least = order_criterion(fit, left) - strong_evidence, gain = 0;
  for (const int samples : {1, 2, 4, 8}) {
    how.delay_value = fit.drive.timing.delay - samples * median_step(data);
    const Fit earlier = maximum_likelihood(data, fit.structure, {.theta = {fit.theta}}, how);
    const FitResiduals rest = find_residuals(earlier, data);
    const double reached = order_criterion(earlier, rest);
    if (!(reached < least)) break;
    least = reached;
    gain = 1 - rest.nrmse() / left.nrmse();
  }
  return gain;
}

/// Whether an entry of D is larger than half of the response to a step, at samples so far apart.
bool acts_at_once(const Fit& fit, double step) {
  const ConstantStructure* constant = fit.structure->autonomous();
  if (constant == nullptr || fit.drive.d.size() == 0) return false;
  constexpr double part = 0.5;
  constexpr int samples = 200;
  const Index n = fit.structure->dimension(), m = fit.drive.b.cols();
  Matrix driven = Matrix::Zero(n + m, n + m);
  driven.topLeftCorner(n, n) = constant->generator(fit.theta);
  driven.topRightCorner(n, m) = fit.drive.b;
  const Matrix both = exponential(step * driven);
  const Matrix phi = both.topLeftCorner(n, n), gamma = both.topRightCorner(n, m);
  const Matrix c = fit.structure->observation(fit.theta).matrix();
  Matrix x = Matrix::Zero(n, m), peak = fit.drive.d.cwiseAbs();
  for (int k = 0; k < samples; ++k) {
    x = (phi * x + gamma).eval();
    peak = peak.cwiseMax((c * x + fit.drive.d).cwiseAbs());
  }
  return (fit.drive.d.cwiseAbs().array() > part * peak.array()).any();
}

double evidence_of_lateness(const Fit& fit, const FitResiduals& left, const Dataset& data,
                            const FitOptions& options, FitOptions how) {
  const double step = median_step(data);
  const bool fed = fit.drive.d.size() > 0;
  // Residuals that are not noise make light of any price.
  if (options.feedthrough == Feedthrough::yes || !leaves_noise_only(left) ||
      acts_at_once(fit, step))
    return 0;
  how.feedthrough = Feedthrough::no;
  how.delay_value = fit.drive.timing.delay - step;
  how.max_iterations = std::min(how.max_iterations, 10);
  const double now = order_criterion(fit, left);
  const double price = static_cast<double>(fit.drive.d.size()) *
                       std::log(std::max(1.0, static_cast<double>(data.present())));
  double most = fed ? 0.5 * price : strong_evidence;
  bool late = false;
  for (const InputHold hold : {InputHold::zoh, InputHold::foh}) {
    if (options.hold != InputHold::automatic && options.hold != hold) continue;
    how.hold = hold;
    const Fit earlier = maximum_likelihood(data, fit.structure, {.theta = {fit.theta}}, how);
    const double saved = now - order_criterion(earlier, find_residuals(earlier, data));
    if (!(saved > most)) continue;
    most = saved;
    late = true;
  }
  return late ? most : 0;
}

}  // namespace

LateInputs find_late_inputs(const Fit& found, const Dataset& data, const FitOptions& options) {
  FitOptions how = enough_to_compare(options.in_stage("earlier"));
  Fit fit = found;
  how.offset = fit.offset.size() > 0 ? Offset::estimate : Offset::none;
  how.hold = fit.drive.timing.hold == Hold::zoh ? InputHold::zoh : InputHold::foh;
  how.feedthrough = fit.drive.d.size() > 0 ? Feedthrough::yes : Feedthrough::no;
  how.delay_value = fit.drive.timing.delay;
  // Simulations are compared with the best of them.
  const bool simulated = !fit.innovation.active();
  if (!simulated) fit = maximum_likelihood(data, fit.structure, {.theta = {fit.theta}}, how);
  const FitResiduals left = find_residuals(fit, data);
  LateInputs result;
  result.residuals = gain_of_earlier_inputs(fit, left, data, how);
  // Ports and networks say themselves where inputs act.
  const bool free = fit.structure->ports() == nullptr && fit.structure->network() == nullptr;
  if (simulated && free) result.evidence = evidence_of_lateness(fit, left, data, options, how);
  return result;
}

}  // namespace lgn
