#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "lgn/core/decompositions.h"
#include "lgn/core/error.h"
#include "lgn/core/stop.h"
#include "lgn/dynamics/nonlinear_structures.h"

namespace lgn {
namespace {

/// The symmetric part of Q^½ ∂f(c) Q^−½, affine in c: M_0 + Σ c_k M_k.
class SymmetricPart {
 public:
  SymmetricPart(const NonlinearStructure& structure, const Vector& theta, const Vector& root) {
    const Index n = structure.dimension();
    const NonlinearField field(structure, theta);
    const auto at = [&](const Vector& centre) {
      const Matrix scaled =
          root.asDiagonal() * field.jacobian(centre) * root.cwiseInverse().asDiagonal();
      return Matrix(0.5 * (scaled + scaled.transpose()));
    };
    parts_.push_back(at(Vector::Zero(n)));
    for (Index k = 0; k < n; ++k) parts_.push_back(at(Vector::Unit(n, k)) - parts_.front());
  }

  SymmetricEigen eigen(const Vector& centre) const {
    Matrix m = parts_.front();
    for (Index k = 0; k < centre.size(); ++k) m += centre[k] * part(k);
    return symmetric_eigen(m);
  }
  const Matrix& part(Index k) const { return parts_[static_cast<std::size_t>(k) + 1]; }

 private:
  std::vector<Matrix> parts_;
};

/// log tr exp(μM)/μ + ½ε‖c‖², smooth, convex and within log(n)/μ of λ_max, with its gradient.
struct Smoothed {
  double value;
  Vector gradient;
};
Smoothed smoothed(const SymmetricPart& m, const Vector& centre, double mu, double pull) {
  const SymmetricEigen eigen = m.eigen(centre);
  const double largest = eigen.values.maxCoeff();
  const Vector weight = (mu * (eigen.values.array() - largest)).exp();
  const Matrix w = eigen.vectors * (weight / weight.sum()).asDiagonal() * eigen.vectors.transpose();
  Vector gradient = pull * centre;
  for (Index k = 0; k < centre.size(); ++k) gradient[k] += m.part(k).cwiseProduct(w).sum();
  return {largest + std::log(weight.sum()) / mu + 0.5 * pull * centre.squaredNorm(), gradient};
}

/// Newton's steps, the Hessian by differences of the gradient.
Vector minimised(const SymmetricPart& m, Vector centre, double mu, double pull) {
  const Index n = centre.size();
  Smoothed now = smoothed(m, centre, mu, pull);
  for (int step = 0; step < 60; ++step) {
    stop_point(1e4 * static_cast<double>(n));
    Matrix hessian(n, n);
    const double move = 1e-5 * (1 + centre.norm());
    for (Index k = 0; k < n; ++k) {
      const Vector d = move * Vector::Unit(n, k);
      hessian.col(k) = (smoothed(m, centre + d, mu, pull).gradient -
                        smoothed(m, centre - d, mu, pull).gradient) /
                       (2 * move);
    }
    hessian = 0.5 * (hessian + hessian.transpose()).eval();
    hessian.diagonal().array() += 1e-3 * pull + 1e-12 * hessian.norm();
    Vector way = -solve_semidefinite(hessian, now.gradient);
    if (!(way.dot(now.gradient) < 0)) way = -now.gradient;
    double length = 1;
    Smoothed next = smoothed(m, centre + way, mu, pull);
    while (!(next.value < now.value) && length > 1e-9) {
      length *= 0.5;
      next = smoothed(m, centre + length * way, mu, pull);
    }
    if (!(next.value < now.value)) break;
    centre += length * way;
    now = next;
  }
  return centre;
}

}  // namespace

std::optional<TrappingBall> certified_bound(const NonlinearStructure& structure,
                                            const Vector& theta) {
  if (structure.name() != "lossless")
    throw Error(fmt::format("a trapping ball of the structure \"{}\"", structure.name()),
                "lossless laws have one");
  const Index n = structure.dimension();
  Vector q = Vector::Ones(n);
  q.tail(n - 1) = theta.head(n - 1);
  const Vector root = q.cwiseSqrt();
  const SymmetricPart m(structure, theta, root);
  const double size = m.eigen(Vector::Zero(n)).values.cwiseAbs().maxCoeff();
  if (!(size > 0)) return {};
  // Where several centres are as good, one that is not far.
  const double pull = 1e-9 * size;
  Vector centre = Vector::Zero(n);
  for (double mu = 3 / size; mu < 1e5 / size; mu *= 3) centre = minimised(m, centre, mu, pull);
  TrappingBall ball;
  ball.centre = centre;
  ball.metric = q.asDiagonal();
  ball.rate = m.eigen(centre).values.maxCoeff();
  // Less than rounding of the eigenvalues proves nothing.
  if (!(ball.rate < -1e-12 * size)) return {};
  ball.radius = root.cwiseProduct(structure.field(theta, centre)).norm() / -ball.rate;
  return ball;
}

}  // namespace lgn
