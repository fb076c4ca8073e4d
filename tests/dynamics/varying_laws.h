#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>

#include "lgn/dynamics/structure.h"
#include "tests/core/machine_epsilon.h"
#include "tests/dynamics/structure_laws.h"

/// The laws of a Structure as matchers, to be run over every one, a user's own included:
///     EXPECT_TRUE(varying_pullback_is_derivative(structure, theta, times, random));
namespace lgn::testing {

/// A(t_k; θ) side by side.
inline Matrix generators_at(const Structure& s, const Vector& theta, const Vector& times) {
  return s.sample(times)->course(theta)->generators();
}

/// ⟨pullback(G), δ⟩ = ⟨G, dA(θ + hδ)/dh⟩ over all times, for θ where the map is smooth.
inline ::testing::AssertionResult varying_pullback_is_derivative(const Structure& s,
                                                                 const Vector& theta,
                                                                 const Vector& times,
                                                                 Random& random) {
  const Matrix g = random.normals(s.dimension(), s.dimension() * times.size());
  const Vector delta = random.normals(s.parameters());
  const auto sampled = s.sample(times);
  const auto central = [&](double h) -> Matrix {
    return (sampled->course(theta + h * delta)->generators() -
            sampled->course(theta - h * delta)->generators()) /
           (2 * h);
  };
  const auto course = sampled->course(theta);
  const Vector pulled = course->pullback(g);
  if (pulled.size() != s.parameters()) return ::testing::AssertionFailure() << "wrong size";
  // Extrapolated: truncation about h⁴ = 1e-12 of the fifth derivative, for a frequency and times up
  // to 4 at most 4⁵ = 1000 times the functions; rounding ε‖A‖/h = 2e-13 ‖A‖.
  const Matrix numeric = (4 * central(5e-4) - central(1e-3)) / 3;
  const double size = g.norm() * (course->generators().norm() + numeric.norm());
  return at_most("|<pullback G, d> - <G, differences>|",
                 std::abs(pulled.dot(delta) - g.cwiseProduct(numeric).sum()), 1e-9 * size);
}

/// pullback is the sum of pullback_at over the times, one matrix or several at a time.
inline ::testing::AssertionResult varying_pullback_is_sum_over_times(const Structure& s,
                                                                     const Vector& theta,
                                                                     const Vector& times,
                                                                     Random& random) {
  const Index n = s.dimension();
  const Matrix g = random.normals(n, n * times.size());
  const auto course = s.sample(times)->course(theta);
  Vector sum = Vector::Zero(s.parameters()), sizes = sum;
  for (Index k = 0; k < times.size(); ++k) {
    const Matrix all = course->pullback_at(k, g);
    if (all.rows() != s.parameters() || all.cols() != times.size())
      return ::testing::AssertionFailure() << "wrong size";
    const Matrix one = course->pullback_at(k, g.middleCols(k * n, n));
    if (one != all.col(k))
      return ::testing::AssertionFailure() << "one matrix and several differ at time " << k;
    sum += all.col(k);
    sizes += all.cwiseAbs().rowwise().sum();
  }
  // A frequency's is a sum over functions and entries that may cancel, and all are sums over times.
  const double terms = static_cast<double>(s.parameters() + times.size());
  const double rounding =
      4 * terms * epsilon * (sizes.norm() + g.norm() * course->generators().norm());
  const Vector delta = random.normals(s.parameters());
  const auto adjoint = at_most(
      "|<pullback, change> - <G, pushforward>|",
      std::abs(course->pullback(g).dot(delta) - g.cwiseProduct(course->pushforward(delta)).sum()),
      rounding * (1 + delta.norm()));
  if (!adjoint) return adjoint;
  return at_most("|pullback - sum of pullback_at|", (course->pullback(g) - sum).norm(), rounding);
}

/// QA(t) + A(t)ᵀQ = 0 where conservative and ⪯ 0 where dissipative, at every one of the times.
inline ::testing::AssertionResult varying_energy_never_grows(const Structure& s,
                                                             const Vector& theta,
                                                             const Vector& times) {
  const Guarantee promise = s.guarantee();
  const Index n = s.dimension();
  const Matrix all = generators_at(s, theta, times);
  if (!all.allFinite()) return ::testing::AssertionFailure() << "A is not finite";
  const auto q = s.energy(theta);
  if (promise.dissipative != q.has_value())
    return ::testing::AssertionFailure() << "a guarantee without energy, or the other way round";
  if (!q) return ::testing::AssertionSuccess();
  for (Index k = 0; k < times.size(); ++k) {
    const Matrix a = all.middleCols(k * n, n);
    const MetricRounding rounding(a, *q);
    if (!rounding.positive) return ::testing::AssertionFailure() << "the energy can be negative";
    if (!rounding.resolved) continue;  // no energy that one could measure
    // Entries of QA are products and sums of up to n terms, and so are those of A itself.
    const double sums = static_cast<double>(n) * epsilon;
    const Matrix rate = *q * a + a.transpose() * *q;
    if (promise.conservative && rate.norm() > 2 * sums * (*q * a).norm())
      return ::testing::AssertionFailure() << "QA + A'Q is " << rate.norm() << " at " << times[k];
    const auto result = at_most("the growth rate of the energy", energy_growth_rate(a, *q),
                                4 * sums * rounding.in_energy_coordinates);
    if (!result) return result;
  }
  return ::testing::AssertionSuccess();
}

/// One name per parameter, none empty, none twice; bounds and values of matching size.
inline ::testing::AssertionResult varying_descriptions_fit(const Structure& s,
                                                           const Vector& theta) {
  const auto names = s.parameter_names();
  const auto count = static_cast<std::size_t>(s.parameters());
  const std::set<std::string> distinct(names.begin(), names.end());
  if (names.size() != count || distinct.size() != count || distinct.contains(""))
    return ::testing::AssertionFailure() << "a name is missing, empty or stands twice";
  if (s.lower_bounds().size() != s.parameters())
    return ::testing::AssertionFailure() << "bounds of wrong size";
  if (s.name().empty()) return ::testing::AssertionFailure() << "no name";
  for (const auto& value : s.named_values(theta))
    if (value.name.empty() || !value.value.allFinite())
      return ::testing::AssertionFailure() << "a value without a name, or not finite";
  return ::testing::AssertionSuccess();
}

/// A(t + T) = A(t), where the structure names a period T at these θ.
inline ::testing::AssertionResult varying_repeats(const Structure& s, const Vector& theta,
                                                  const Vector& times) {
  const auto period = s.period(theta);
  if (!period) return ::testing::AssertionFailure() << "no period";
  const Matrix now = generators_at(s, theta, times);
  const Matrix then = generators_at(s, theta, (times.array() + *period).matrix());
  // Angles, at most 2π (1 + |t|/T), are rounded by a few ε of themselves.
  const double angle = 2 * 3.15 * (1 + times.cwiseAbs().maxCoeff() / *period);
  return at_most("|A(t + T) - A(t)|", (then - now).norm(),
                 8 * angle * epsilon * (1 + theta.norm() * std::sqrt(now.cols())));
}

/// θ well inside its bounds with courses that vary too little to leave them: there the map is smooth.
inline Vector calm(const Structure& s, Random& random) {
  const Vector bound = s.lower_bounds();
  Vector theta = random.normals(s.parameters());
  for (Index i = 0; i < theta.size(); ++i)
    theta[i] = std::isfinite(bound[i]) ? bound[i] + 1 + std::abs(theta[i]) : 0.05 * theta[i];
  return theta;
}

}  // namespace lgn::testing
