#include "lgn/design/quadratic_program.h"

#include <algorithm>

#include "lgn/core/decompositions.h"

namespace lgn {
namespace {

/// How far a positive vector may go along a direction before an entry is zero; 1 at most.
double longest(const Vector& v, const Vector& d) {
  double step = 1;
  for (Index i = 0; i < v.size(); ++i)
    if (d[i] < 0) step = std::min(step, -v[i] / d[i]);
  return step;
}

}  // namespace

QuadraticSolution solve(const QuadraticProgram& problem) {
  const Index n = problem.gradient.size(), m = problem.limits.size();
  const Matrix& g = problem.rows;
  const double size =
      1 + std::max(problem.gradient.cwiseAbs().maxCoeff(), problem.limits.cwiseAbs().maxCoeff());
  QuadraticSolution found{Vector::Zero(n), Vector::Ones(m)};
  Vector &x = found.x, &z = found.multipliers;
  Vector s = problem.limits.cwiseMax(1.0);
  for (int iteration = 0; iteration < 100; ++iteration) {
    const Vector dual = problem.hessian * x + problem.gradient + g.transpose() * z;
    const Vector primal = g * x + s - problem.limits;
    const double gap = s.dot(z) / static_cast<double>(m);
    // Multipliers have no more digits than the last factorisations leave them; x is held to more.
    constexpr double least_gap = 1e-18, of_multipliers = 1e-9, of_rows = 1e-12;
    if (gap < least_gap * size && dual.cwiseAbs().maxCoeff() < of_multipliers * size &&
        primal.cwiseAbs().maxCoeff() < of_rows * (1 + problem.limits.cwiseAbs().maxCoeff())) {
      found.converged = true;
      break;
    }
    Matrix normal = problem.hessian + g.transpose() * z.cwiseQuotient(s).asDiagonal() * g;
    normal.diagonal().array() += 1e-14 * normal.diagonal().cwiseAbs().maxCoeff();
    const Matrix factor = cholesky(normal);
    if (!factor.allFinite()) break;
    struct Direction {
      Vector x, s, z;
    };
    // From z s + z ds + s dz = centre: what is left of complementarity.
    const auto direction = [&](const Vector& complementarity) {
      const Vector inner = (z.cwiseProduct(primal) - complementarity).cwiseQuotient(s);
      const Vector right = -dual - g.transpose() * inner;
      Direction d;
      d.x = solve_lower_transposed(factor, solve_lower(factor, right));
      d.s = -primal - g * d.x;
      d.z = -(complementarity + z.cwiseProduct(d.s)).cwiseQuotient(s);
      return d;
    };
    const Direction affine = direction(s.cwiseProduct(z));
    const double step_s = longest(s, affine.s), step_z = longest(z, affine.z);
    const double ahead =
        (s + step_s * affine.s).dot(z + step_z * affine.z) / static_cast<double>(m);
    const double centring = std::pow(ahead / gap, 3);
    const Direction d =
        direction((s.cwiseProduct(z) + affine.s.cwiseProduct(affine.z)).array() - centring * gap);
    if (!d.x.allFinite() || !d.z.allFinite()) break;
    const double step = std::min(1.0, 0.995 * std::min(longest(s, d.s), longest(z, d.z)));
    x += step * d.x;
    s += step * d.s;
    z += step * d.z;
    s = s.cwiseMax(1e-300);
    z = z.cwiseMax(1e-300);
  }
  return found;
}

}  // namespace lgn
