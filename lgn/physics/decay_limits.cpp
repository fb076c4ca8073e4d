#include "lgn/physics/decay_limits.h"

#include <algorithm>
#include <cmath>

#include "lgn/core/inverse_root.h"
#include "lgn/dynamics/affine.h"
#include "lgn/dynamics/observed.h"
#include "lgn/physics/uncertainty.h"

namespace lgn {
namespace {

/// The change of A that makes mode k decay faster, and nothing else.
Matrix faster_decay(const Eigensystem& system, Index k) {
  const ComplexMatrix projector = system.right.col(k) * system.left.col(k).adjoint();
  return (system.values[k].imag() == 0 ? -1.0 : -2.0) * projector.real();
}

/// How many standard errors a one-sided limit is away.
double one_sided_factor(double confidence) {
  return interval_factor(std::max(0.0, 2 * confidence - 1), 1e6);
}

}  // namespace

void add_decay_limits(std::vector<Mode>& modes, const FittedGenerator& fitted, double widening,
                      double confidence) {
  const Index n = fitted.a.rows(), p = fitted.directions.rows() / n;
  const Eigensystem system = eigensystem(fitted.a);
  if (!system.left.allFinite()) return;
  std::vector<Index> asked;
  for (Index k = 0; k < n; ++k)
    if (system.values[k].imag() >= 0) asked.push_back(k);
  Matrix directions((p + static_cast<Index>(asked.size())) * n, n);
  directions.topRows(p * n) = fitted.directions;
  for (std::size_t j = 0; j < asked.size(); ++j)
    directions.middleRows((p + static_cast<Index>(j)) * n, n) = faster_decay(system, asked[j]);
  std::shared_ptr<const ConstantStructure> structure =
      std::make_shared<AffineStructure>(fitted.a, directions);
  if (fitted.c.size() > 0)
    structure = std::make_shared<ObservedStructure>(std::move(structure), Observation(fitted.c));
  const ConstantStructure& freed = *structure;
  ProblemOptions known = fitted.known;
  known.condense = true;
  const Problem problem(fitted.data, freed, fitted.noise, std::move(known));
  const auto [information, gradient, overlap] =
      problem.linearise(*problem.profile(Vector::Zero(freed.parameters())));
  const Matrix root = inverse_root(information.topLeftCorner(p, p));
  const double one_sided = one_sided_factor(confidence);
  for (std::size_t j = 0; j < asked.size(); ++j) {
    const Index q = p + static_cast<Index>(j), k = asked[j];
    const Vector shared = root.transpose() * information.col(q).head(p);
    const double left = information(q, q) - shared.squaredNorm();
    // What the structure's own parameters do nearly as well has their error already.
    constexpr double other = 0.5;
    if (!(left > other * information(q, q))) continue;
    const double error = widening / std::sqrt(left);
    Mode& mode = modes[static_cast<std::size_t>(k)];
    constexpr double much_smaller = 0.1, distinct = 2;
    const double own = mode.se ? mode.se->re : 0.0, rate = -mode.pole.real();
    if (own > much_smaller * error || rate > distinct * error) continue;
    const double more =
        std::max(0.0, -(gradient[q] - shared.dot(root.transpose() * gradient.head(p))) / left);
    const double limit = std::max(0.0, rate) + more + one_sided * error;
    const double size = std::abs(mode.pole);
    for (Mode& each : modes) {
      if (each.pole != mode.pole && each.pole != std::conj(mode.pole)) continue;
      each.decay_below = limit;
      if (!each.se) continue;
      each.se->re = error;
      if (size > 0) each.se->damping_ratio = error / size;
      each.se->time_constant = std::nan("");
    }
  }
}

void limit_unresolved_decays(std::vector<Mode>& modes, double confidence) {
  for (Mode& mode : modes) {
    if (mode.decay_below || !mode.se) continue;
    const double rate = -mode.pole.real(), error = mode.se->re;
    if (!(rate >= 0 && rate < error)) continue;
    mode.decay_below = rate + one_sided_factor(confidence) * error;
    mode.se->time_constant = std::nan("");
  }
}

}  // namespace lgn
