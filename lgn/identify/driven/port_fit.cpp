#include "lgn/identify/driven/port_fit.h"

#include <fmt/format.h>

#include <cmath>

#include "lgn/core/error.h"
#include "lgn/core/inverse_root.h"
#include "lgn/core/setting.h"
#include "lgn/core/stop.h"
#include "lgn/identify/estimate.h"
#include "lgn/identify/hidden/order.h"
#include "lgn/identify/likelihood/maximum_likelihood.h"
#include "lgn/identify/wiring/network_fit.h"

namespace lgn {
namespace {

/// Which entries of B can be there: all, or those of velocities.
Matrix possible_entries(const Dataset& data, bool mechanical, const FitOptions& options) {
  const auto inputs = static_cast<Index>(data.inputs().size());
  Matrix result = Matrix::Ones(data.dimension(), inputs);
  for (const auto& node : network_nodes(data.channels(), options.network.kinds, mechanical))
    if (mechanical) result.row(node.state).setZero();
  return result;
}

/// Standard errors of B, those of θ included.
Matrix drive_errors(const Fit& fit, const Dataset& data) {
  const Problem problem(data, *fit.structure, fit.noise, problem_options(fit, true));
  const auto profile = problem.profile(fit.theta);
  const Problem::Normal normal = problem.linearise(*profile);
  const Matrix follows = profile->shared_covariance * normal.shared_overlap.transpose() *
                         inverse_root(normal.information);
  const Vector variances = profile->shared_covariance.diagonal() + follows.rowwise().squaredNorm();
  const Matrix& b = fit.drive.b;
  return variances.segment(fit.offset.size(), b.size())
      .cwiseMax(0.0)
      .cwiseSqrt()
      .reshaped(b.rows(), b.cols());
}

/// 1 where an entry of B is worth its place, and where it is the plainest of its input.
Matrix entries_with_evidence(const Fit& fit, const Dataset& data) {
  const Matrix errors = drive_errors(fit, data);
  const double price = std::log(static_cast<double>(data.present()));
  const Matrix evidence =
      (errors.array() > 0).select((fit.drive.b.array() / errors.array().max(1e-300)).square(), 0.0);
  Matrix result = (evidence.array() > price).cast<double>();
  for (Index j = 0; j < result.cols(); ++j) {
    Index plainest = 0;
    evidence.col(j).maxCoeff(&plainest);
    result(plainest, j) = 1;
  }
  return result;
}

}  // namespace

Fit fit_ports(const Dataset& data, bool mechanical, const FitOptions& options) {
  FitOptions how = options;
  how.drive_pattern = possible_entries(data, mechanical, options);
  NetworkFit found = fit_network(data, mechanical, options.network, how);
  if (!found.sparse || !found.structure)
    throw NotIdentified(
        fmt::format("{:.0f}% of all pairs couple: there is no sparse topology to find",
                    100 * found.density),
        "use " + setting("structure", "metric") + ", or give the topology: " + setting("edges"));
  Fit best = std::move(found.fit);
  if (best.stopped || best.noise.size() == 0) return best;
  const bool to_the_end = unless_stopped([&] {
    const Matrix entries = entries_with_evidence(best, data);
    if (entries == how.drive_pattern) return;
    FitOptions fewer = how.in_stage("ports");
    fewer.drive_pattern = entries;
    Fit sparse = estimate(data, found.structure, fewer, {.theta = best.theta});
    sparse.iterations += best.iterations;
    if (order_criterion(sparse, find_residuals(sparse, data)) <=
        order_criterion(best, find_residuals(best, data)))
      best = std::move(sparse);
  });
  if (to_the_end) return best;
  best.stopped = true;
  best.converged = false;
  return best;
}

}  // namespace lgn
