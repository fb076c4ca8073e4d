#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>

#include "lgn/dynamics/generator.h"
#include "lgn/dynamics/structure.h"
#include "lgn/flow/propagate.h"
#include "tests/core/machine_epsilon.h"

/// The laws of a ConstantStructure as matchers, to be run over every structure, a user's own included:
///     EXPECT_TRUE(pullback_is_adjoint(structure, theta, random));
namespace lgn::testing {

inline ::testing::AssertionResult at_most(const char* what, double found, double allowed) {
  if (found <= allowed) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << what << " is " << found << ", allowed " << allowed;
}

/// A in the coordinates y = Lᵀx where the energy ½ xᵀQx, Q = LLᵀ, is ½‖y‖²: LᵀAL⁻ᵀ.
inline Matrix in_energy_coordinates(const Matrix& a, const Matrix& q) {
  const Matrix lt = q.llt().matrixU();
  return lt * a * lt.inverse();
}

/// What rounding does where the energy has a metric Q = LLᵀ. Entry by entry, so that a diagonal Q,
/// a mere change of units, costs nothing.
struct MetricRounding {
  MetricRounding(const Matrix& a, const Matrix& q) {
    const Eigen::LLT<Matrix> root(q);
    const Matrix lt = root.matrixU();
    const Matrix inverse =
        lt.triangularView<Eigen::Upper>().solve(Matrix::Identity(q.rows(), q.cols()));
    const Matrix size = lt.cwiseAbs(), inverse_size = inverse.cwiseAbs();
    const Matrix scaled = lt * a * inverse;
    // Skeel's condition of L: a Cholesky factor is one of Q + δQ with |δQ| ≤ n ε |L||Lᵀ|, which
    // changes the energy by this much of itself.
    const double skeel = (inverse_size.transpose() * size.transpose()).rowwise().sum().maxCoeff();
    const double rounded = static_cast<double>(q.rows()) * epsilon * skeel * skeel;
    resolved = root.info() == Eigen::Success && rounded < 1;
    // With a diagonal of ones, a Gram matrix is rounded by n ε per entry, so by n² ε altogether.
    // A state without energy has none with others either.
    const Vector unit =
        q.diagonal().unaryExpr([](double d) { return d > 0 ? 1 / std::sqrt(d) : 0.0; });
    bool silent = true;
    for (Index i = 0; i < q.rows(); ++i) silent = silent && (q(i, i) != 0 || q.row(i).isZero(0));
    const Matrix even = unit.asDiagonal() * q * unit.asDiagonal();
    const double n = static_cast<double>(q.rows());
    positive = (q.diagonal().array() >= 0).all() && silent &&
               Eigen::SelfAdjointEigenSolver<Matrix>(even, Eigen::EigenvaluesOnly)
                       .eigenvalues()
                       .minCoeff() >= -n * n * epsilon;
    // A is a product (AQ⁻¹) Q, whose rounding is relative to |AQ⁻¹||Q|.
    const Matrix factors =
        (a * inverse * inverse.transpose()).cwiseAbs() * (size.transpose() * size);
    in_energy_coordinates =
        std::max((size * factors * inverse_size).norm(), skeel * skeel * scaled.norm());
    in_channels = std::max(factors.norm(), (inverse_size * scaled.cwiseAbs() * size).norm());
  }
  bool positive = false;             ///< Q ⪰ 0 up to its rounding
  bool resolved = false;             ///< Q differs from a singular matrix by more than its rounding
  double in_energy_coordinates = 0;  ///< the size to which LᵀAL⁻ᵀ is rounded; its norm for Q = I
  double in_channels = 0;  ///< the size to which A is rounded when made from Q; its norm for Q = I
};

/// A(θ) as an operator is A(θ) as a matrix: products with A, Aᵀ and ∂A δ, and ⟨Λ, (∂A δ) X⟩ = ⟨g, δ⟩.
inline ::testing::AssertionResult operator_is_generator(const ConstantStructure& s,
                                                        const Vector& theta, Random& random) {
  const auto generator = s.at(theta);
  const Matrix a = s.generator(theta), x = random.normals(s.dimension(), 3);
  const Matrix lambda = random.normals(s.dimension(), 3);
  const Vector delta = random.normals(s.parameters());
  const Matrix change = s.pushforward(theta, delta);
  // Sums of at most n products, in another order; entries of a sparse A are sums of a few elements.
  const double rounding = 8 * static_cast<double>(s.dimension()) * epsilon;
  const double size = a.norm() * x.norm(), moved = change.norm() * x.norm();
  Vector gradient = Vector::Zero(s.parameters());
  generator->add_gradient(lambda, x, gradient);
  const Vector expected = s.pullback(theta, lambda * x.transpose());
  for (const auto& result :
       {at_most("A as a matrix", (generator->dense() - a).norm(), rounding * a.norm()),
        at_most("A X", (generator->apply(x) - a * x).norm(), rounding * size),
        at_most("Aᵀ X", (generator->apply_transpose(x) - a.transpose() * x).norm(),
                rounding * size),
        at_most("∂A X", (generator->apply_tangent(delta, x) - change * x).norm(),
                rounding * (moved + size * delta.norm())),
        at_most("the gradient", (gradient - expected).norm(),
                rounding * (expected.norm() + lambda.norm() * x.norm() * (1 + a.norm()))),
        at_most("‖A‖ over its bound", norm1(a), generator->norm_bound() * (1 + rounding))})
    if (!result) return result;
  return ::testing::AssertionSuccess();
}

/// ⟨pullback(θ, G), δ⟩ = ⟨G, pushforward(θ, δ)⟩.
inline ::testing::AssertionResult pullback_is_adjoint(const ConstantStructure& s,
                                                      const Vector& theta, Random& random) {
  const Index n = s.dimension();
  const Matrix g = random.normals(n, n);
  const Vector delta = random.normals(s.parameters());
  const Matrix forward = s.pushforward(theta, delta);
  const Vector backward = s.pullback(theta, g);
  if (backward.size() != s.parameters() || forward.rows() != n || forward.cols() != n)
    return ::testing::AssertionFailure() << "wrong size";
  // Each entry is a sum of at most 2n rounded products.
  const double size = g.norm() * forward.norm() + backward.norm() * delta.norm();
  return at_most("|<pullback G, d> - <G, pushforward d>|",
                 std::abs(backward.dot(delta) - g.cwiseProduct(forward).sum()),
                 4 * static_cast<double>(n) * epsilon * size);
}

/// pushforward(θ, δ) = d/dt A(θ + tδ) at 0, for θ where the map is smooth.
inline ::testing::AssertionResult pushforward_is_derivative(const ConstantStructure& s,
                                                            const Vector& theta, Random& random) {
  const Vector delta = random.normals(s.parameters());
  const Matrix exact = s.pushforward(theta, delta);
  const auto central = [&](double h) -> Matrix {
    return (s.generator(theta + h * delta) - s.generator(theta - h * delta)) / (2 * h);
  };
  // Extrapolated: truncation about h⁴ = 1e-12 of the fifth derivative (at most 100 times the first
  // here), rounding ε‖A‖/h = 2e-13 ‖A‖.
  const Matrix numeric = (4 * central(5e-4) - central(1e-3)) / 3;
  return at_most("|pushforward - differences|", (exact - numeric).norm(),
                 1e-10 * (s.generator(theta).norm() + exact.norm()));
}

/// QA + AᵀQ = 0 where conservative, ⪯ 0 where dissipative, and Re λ ≤ 0 where stable, up to
/// rounding.
inline ::testing::AssertionResult guarantee_holds(const ConstantStructure& s, const Vector& theta) {
  const Guarantee promise = s.guarantee();
  const Matrix a = s.generator(theta);
  const double n = static_cast<double>(s.dimension());
  if (!a.allFinite()) return ::testing::AssertionFailure() << "A is not finite";
  const auto q = s.energy(theta);
  if ((promise.dissipative || promise.conservative) && !q)
    return ::testing::AssertionFailure() << "a guarantee about an energy that is not given";
  if (q && !MetricRounding(a, *q).positive)
    return ::testing::AssertionFailure() << "the energy can be negative";
  // A metric that is singular to rounding has no energy that one could measure.
  if (q && !MetricRounding(a, *q).resolved) return ::testing::AssertionSuccess();
  const Matrix scaled = q ? in_energy_coordinates(a, *q) : a;
  const double size = q ? MetricRounding(a, *q).in_energy_coordinates : a.norm();
  // Entries of QA and of the scaled A are products and sums of up to n terms.
  const double allowed = 4 * n * epsilon * size;
  if (promise.conservative) {
    const Matrix rate = *q * a + a.transpose() * *q;
    const auto result = at_most("|QA + A'Q|", rate.norm(), 2 * n * epsilon * (*q * a).norm());
    if (!result) return result;
  }
  if (promise.dissipative) {
    const auto result =
        at_most("the growth rate of the energy", energy_growth_rate(a, *q), allowed);
    if (!result) return result;
  }
  if (promise.stable) {
    // Computed eigenvalues belong to a matrix within n ε of the scaled A, so they may exceed its
    // numerical abscissa by that.
    const double rightmost = eigenvalues(scaled).real().maxCoeff();
    return at_most("the largest real part", rightmost, 10 * n * epsilon * size);
  }
  return ::testing::AssertionSuccess();
}

/// ½ xᵀQx along a trajectory: constant where conservative, never growing where dissipative.
inline ::testing::AssertionResult flow_keeps_guarantee(const ConstantStructure& s,
                                                       const Vector& theta, Random& random) {
  const Guarantee promise = s.guarantee();
  const auto q = s.energy(theta);
  if (!promise.dissipative || !q) return ::testing::AssertionSuccess();
  const Matrix a = s.generator(theta), root = q->llt().matrixU();
  const double rate = in_energy_coordinates(a, *q).norm();
  const double step = rate > 0 ? 1 / rate : 1.0;
  const Matrix x = propagate(a, random.normals(s.dimension()), step * Vector::LinSpaced(6, 0, 5));
  // A step map is good to about 10 n ε in the coordinates x; those of the energy differ by ‖L‖
  // ‖L⁻¹‖.
  const double skewness = root.norm() * root.inverse().norm();
  const double allowed = 10 * static_cast<double>(s.dimension()) * epsilon * skewness;
  // Where rounding may be as large as the state itself there is nothing to see.
  if (!(allowed < 1) || !MetricRounding(a, *q).resolved) return ::testing::AssertionSuccess();
  for (Index k = 0; k + 1 < x.cols(); ++k) {
    const double change = (root * x.col(k + 1)).norm() / (root * x.col(k)).norm() - 1;
    const auto result = at_most("the change of |x|_Q in a step",
                                promise.conservative ? std::abs(change) : change, allowed);
    if (!result) return result;
  }
  return ::testing::AssertionSuccess();
}

/// The size to which a projection rounds A: ‖A‖, or that of the factors where it goes through a
/// metric.
inline double projected_size(const ConstantStructure& s, const Matrix& a) {
  const auto q = s.energy(s.project(a));
  const double size = q ? MetricRounding(a, *q).in_channels : a.norm();
  // An energy that is zero for some states is no metric that A could be made from.
  return std::isfinite(size) ? size : a.norm();
}

/// Projecting twice is projecting once.
inline ::testing::AssertionResult projection_repeats(const ConstantStructure& s, const Matrix& a) {
  const Matrix once = s.generator(s.project(a)), twice = s.generator(s.project(once));
  // A few backward stable steps (an eigendecomposition and a QR for psd), n ε each.
  return at_most(
      "|P(P(A)) - P(A)|", (twice - once).norm(),
      20 * static_cast<double>(s.dimension()) * epsilon * (a.norm() + projected_size(s, once)));
}

/// A member is its own projection.
inline ::testing::AssertionResult projection_keeps_member(const ConstantStructure& s,
                                                          const Vector& theta) {
  const Matrix a = s.generator(theta);
  return at_most("|P(A(theta)) - A(theta)|", (s.generator(s.project(a)) - a).norm(),
                 20 * static_cast<double>(s.dimension()) * epsilon * projected_size(s, a));
}

/// No member near the projection is nearer to A.
inline ::testing::AssertionResult projection_is_nearest(const ConstantStructure& s, const Matrix& a,
                                                        Random& random) {
  const Vector theta = s.project(a);
  const double distance = (s.generator(theta) - a).norm();
  for (int k = 0; k < 60; ++k) {
    const Vector other = theta + std::pow(10.0, -(k % 6)) * random.normals(s.parameters());
    // Both distances are rounded, n ε ‖A‖, and so is the projection.
    const auto result =
        at_most("how much nearer another member is", distance - (s.generator(other) - a).norm(),
                20 * static_cast<double>(s.dimension()) * epsilon * a.norm());
    if (!result) return result;
  }
  return ::testing::AssertionSuccess();
}

/// One name per parameter, none empty, none twice; bounds and values of matching size.
inline ::testing::AssertionResult descriptions_fit(const ConstantStructure& s,
                                                   const Vector& theta) {
  const auto names = s.parameter_names();
  const auto count = static_cast<std::size_t>(s.parameters());
  if (names.size() != count)
    return ::testing::AssertionFailure() << names.size() << " names for " << count;
  const std::set<std::string> distinct(names.begin(), names.end());
  if (distinct.size() != count || distinct.contains(""))
    return ::testing::AssertionFailure() << "a name is empty or stands twice";
  if (s.lower_bounds().size() != s.parameters())
    return ::testing::AssertionFailure() << "bounds of wrong size";
  for (const auto& value : s.named_values(theta))
    if (value.name.empty() || !value.value.allFinite())
      return ::testing::AssertionFailure() << "a value without a name, or not finite";
  return ::testing::AssertionSuccess();
}

/// θ well inside its bounds, where the map is smooth and one-to-one.
inline Vector interior(const ConstantStructure& s, Random& random) {
  const Vector bound = s.lower_bounds();
  Vector theta = random.normals(s.parameters());
  for (Index i = 0; i < theta.size(); ++i)
    if (std::isfinite(bound[i])) theta[i] = bound[i] + 0.1 + std::abs(theta[i]);
  return theta;
}

}  // namespace lgn::testing
