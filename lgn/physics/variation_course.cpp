#include "lgn/physics/variation_course.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "lgn/core/constants_internal.h"
#include "lgn/core/gauss_legendre.h"
#include "lgn/dynamics/modulated.h"
#include "lgn/flow/flow.h"
#include "lgn/physics/assignment.h"

namespace lgn {
namespace {

/// Standard errors of JᵀX for the columns of `jacobian` (p × m).
Vector errors_along(const Matrix& jacobian, const Matrix& covariance) {
  return jacobian.cwiseProduct(covariance * jacobian)
      .colwise()
      .sum()
      .cwiseMax(0.0)
      .cwiseSqrt()
      .transpose();
}

/// How often the fastest wave of A(t) turns in this time, where it is known; at most a million.
double cycles(const Structure& structure, const Vector& theta, double time) {
  double omega = 0;
  if (const auto period = structure.period(theta)) omega = 2 * std::numbers::pi / *period;
  const Vector waves = structure.waves(theta);
  if (waves.size() > 0) omega = std::max(omega, waves.maxCoeff());
  return std::min(1e6, omega * time / (2 * std::numbers::pi));
}

/// ∂A_ij/∂θ_q of a course at its k-th time: row q, column j n + i. A column of A at a time, so that
/// memory stays O(n³).
Matrix entry_derivatives(const GeneratorCourse& course, Index k, Index n, Index p) {
  Matrix result(p, n * n);
  for (Index j = 0; j < n; ++j) {
    Matrix units = Matrix::Zero(n, n * n);
    for (Index i = 0; i < n; ++i) units(i, i * n + j) = 1;
    result.middleCols(j * n, n) = course.pullback_at(k, units);
  }
  return result;
}

/// The poles of A in the order of those before.
Eigensystem follow(const Matrix& a, const ComplexVector* before) {
  Eigensystem system = eigensystem(a);
  if (before == nullptr) return system;
  const EigenvalueMatch match = match_eigenvalues(*before, system.values);
  Eigensystem ordered = system;
  for (Index i = 0; i < system.values.size(); ++i) {
    const Index partner = match.partner[static_cast<std::size_t>(i)];
    ordered.values[i] = system.values[partner];
    ordered.right.col(i) = system.right.col(partner);
    ordered.left.col(i) = system.left.col(partner);
  }
  return ordered;
}

/// Real and imaginary parts of ∂λ_i/∂A = conj(w_i) v_iᵀ for all poles, side by side.
Matrix pole_gradients(const Eigensystem& system) {
  const Index n = system.values.size();
  Matrix gradients(n, 2 * n * n);
  for (Index i = 0; i < n; ++i) {
    const ComplexMatrix g = system.left.col(i).conjugate() * system.right.col(i).transpose();
    gradients.middleCols(2 * i * n, n) = g.real();
    gradients.middleCols((2 * i + 1) * n, n) = g.imag();
  }
  return gradients;
}

/// Amplitude and phase of c cos + s sin = amplitude · sin(ωt + phase).
HarmonicPart harmonic_part(Index frequency, double c, double s, const std::optional<Matrix>& pair) {
  HarmonicPart part{frequency, std::hypot(c, s), nan, std::atan2(c, s), nan};
  if (!pair || part.amplitude == 0) return part;
  // Columns: of the amplitude by (c, s), and of the phase.
  const double square = part.amplitude * part.amplitude;
  Matrix by_pair(2, 2);
  by_pair << c / part.amplitude, s / square, s / part.amplitude, -c / square;
  const Vector errors = errors_along(by_pair, *pair);
  part.amplitude_error = errors[0];
  part.phase_error = errors[1];
  return part;
}

/// Courses of the base's parameters, and of their harmonics.
std::vector<EntryCourse> entry_courses(const ModulatedStructure& structure, const Vector& theta,
                                       const Vector& times,
                                       const std::optional<Matrix>& covariance) {
  const TimeBasis& basis = structure.basis();
  const Vector omega = structure.omega(theta);
  const Matrix functions = basis.values(omega, times), slopes = basis.slopes(omega, times);
  const Matrix c = structure.coefficients(theta);
  const auto names = structure.base().parameter_names();
  const Matrix courses = c * functions;
  const Vector bounds = structure.base().lower_bounds();
  const bool softplus = structure.link() == ModulatedStructure::Link::softplus;
  Matrix values(courses.rows(), courses.cols());
  for (Index k = 0; k < times.size(); ++k)
    // A damping is never below zero, whatever its course.
    values.col(k) = structure.base_parameters(courses.col(k)).cwiseMax(bounds);
  std::vector<EntryCourse> result;
  for (Index e = 0; e < structure.entries(); ++e) {
    const auto& active = structure.active()[static_cast<std::size_t>(e)];
    EntryCourse entry;
    entry.name = names[static_cast<std::size_t>(e)];
    entry.varies = active.size() > 1;
    entry.values = values.row(e).transpose();
    entry.errors.setConstant(times.size(), nan);
    entry.mean_error = nan;
    Matrix jacobian = Matrix::Zero(theta.size(), times.size() + 1);  // the last column: of the mean
    for (Index k = 0; k < times.size(); ++k) {
      const double slope = softplus && bounds[e] == 0 ? -std::expm1(-values(e, k))
                                                      : (courses(e, k) < bounds[e] ? 0.0 : 1.0);
      for (const Index f : active) {
        jacobian(structure.place(e, f), k) += slope * functions(f, k);
        if (basis.owner(f) >= 0) jacobian(basis.owner(f), k) += slope * c(e, f) * slopes(f, k);
      }
    }
    entry.mean = entry.values.mean();
    jacobian.col(times.size()) = jacobian.leftCols(times.size()).rowwise().mean();
    if (basis.name() ==
        "harmonics") {  // their constant is the mean over a period, where no damping is held at zero
      entry.mean = c(e, 0);
      jacobian.col(times.size()) = Vector::Unit(theta.size(), structure.place(e, 0));
    }
    if (covariance) {
      const Vector errors = errors_along(jacobian, *covariance);
      entry.errors = errors.head(times.size());
      entry.mean_error = errors[times.size()];
    }
    for (Index j = 0; j < basis.parameters(); ++j) {
      const Index cosine = structure.place(e, 1 + 2 * j), sine = structure.place(e, 2 + 2 * j);
      if (cosine < 0) continue;
      std::optional<Matrix> pair;
      if (covariance) {
        pair = Matrix(2, 2);
        *pair << (*covariance)(cosine, cosine), (*covariance)(cosine, sine),
            (*covariance)(sine, cosine), (*covariance)(sine, sine);
      }
      entry.harmonics.push_back(harmonic_part(j, theta[cosine], theta[sine], pair));
    }
    result.push_back(std::move(entry));
  }
  return result;
}

}  // namespace

VariationCourse find_course(const Structure& structure, const Vector& theta, double begin,
                            double end, const std::optional<Matrix>& covariance, Index points) {
  const Index n = structure.dimension();
  VariationCourse course;
  constexpr double fewest = 101, most = 2001;
  if (points == 0)
    points = static_cast<Index>(
        std::clamp(16 * cycles(structure, theta, end - begin) + 1, fewest, most));
  course.times = Vector::LinSpaced(points, begin, end);
  const auto sampled = structure.sample(course.times);
  const auto generators = sampled->course(theta);
  course.generators = generators->generators();
  course.errors = Matrix::Constant(n, n * points, nan);
  course.poles.resize(n, points);
  course.re_errors = course.im_errors = Matrix::Constant(n, points, nan);
  for (Index k = 0; k < points; ++k) {
    const ComplexVector before = course.poles.col(std::max<Index>(k - 1, 0));
    const Eigensystem system =
        follow(course.generators.middleCols(k * n, n), k > 0 ? &before : nullptr);
    course.poles.col(k) = system.values;
    if (!covariance) continue;
    course.errors.middleCols(k * n, n) =
        errors_along(entry_derivatives(*generators, k, n, theta.size()), *covariance)
            .reshaped(n, n);
    if (!system.left.allFinite()) continue;
    const Vector errors =
        errors_along(generators->pullback_at(k, pole_gradients(system)), *covariance);
    for (Index i = 0; i < n; ++i) {
      course.re_errors(i, k) = errors[2 * i];
      course.im_errors(i, k) = errors[2 * i + 1];
    }
  }
  if (const ModulatedStructure* modulated = structure.modulated())
    course.entries = entry_courses(*modulated, theta, course.times, covariance);
  return course;
}

std::optional<Floquet> find_floquet(const Structure& structure, const Vector& theta, double begin,
                                    const MagnusOptions& magnus) {
  const auto period = structure.period(theta);
  if (!period) return {};
  const Index n = structure.dimension();
  constexpr Index pieces = 64;
  const Vector times =
      refine_times(structure, theta, Vector::LinSpaced(pieces + 1, begin, begin + *period)).times;
  const auto plan = plan_flow(structure, times, theta, magnus);
  Floquet floquet{*period, eigenvalues(plan->at(theta)->maps().bottomRows(n)), {}};
  auto& values = floquet.multipliers;
  std::stable_sort(values.begin(), values.end(), [](const Complex& a, const Complex& b) {
    return std::abs(a) < std::abs(b) * (1 - 1e-12);
  });
  floquet.exponents = values.unaryExpr([&](const Complex& m) { return std::log(m) / *period; });
  return floquet;
}

namespace {

/// Times and weights of the mean over one period or over the interval: enough points for splines with
/// 40 pieces, and to rounding for waves.
struct MeanRule {
  Vector times, weights;

  MeanRule(const Structure& structure, const Vector& theta, double begin, double end) {
    const double interval = end - begin;
    const double length = std::min(interval, structure.period(theta).value_or(interval));
    constexpr Index points = 8;
    const auto pieces =
        std::max<Index>(40, static_cast<Index>(2 * cycles(structure, theta, length)));
    const GaussRule rule = gauss_legendre(points);
    times.resize(pieces * points);
    weights.resize(pieces * points);
    for (Index piece = 0; piece < pieces; ++piece)
      for (Index i = 0; i < points; ++i) {
        const double place = static_cast<double>(piece) + 0.5 * (1 + rule.points[i]);
        times[piece * points + i] = begin + length * place / static_cast<double>(pieces);
        weights[piece * points + i] = rule.weights[i] / (2 * static_cast<double>(pieces));
      }
  }
};

}  // namespace

Matrix mean_generator(const Structure& structure, const Vector& theta, double begin, double end) {
  if (const ConstantStructure* constant = structure.autonomous()) return constant->generator(theta);
  const MeanRule rule(structure, theta, begin, end);
  const auto sampled = structure.sample(rule.times);
  const auto course = sampled->course(theta);
  const Index n = structure.dimension();
  Matrix mean = Matrix::Zero(n, n);
  for (Index k = 0; k < rule.times.size(); ++k)
    mean += rule.weights[k] * course->generators().middleCols(k * n, n);
  return mean;
}

Matrix mean_directions(const Structure& structure, const Vector& theta, double begin, double end) {
  if (const ConstantStructure* constant = structure.autonomous())
    return constant->directions(theta);
  const MeanRule rule(structure, theta, begin, end);
  const auto sampled = structure.sample(rule.times);
  const auto course = sampled->course(theta);
  const Index n = structure.dimension(), p = structure.parameters();
  Matrix by_entry = Matrix::Zero(p, n * n);
  for (Index k = 0; k < rule.times.size(); ++k)
    by_entry += rule.weights[k] * entry_derivatives(*course, k, n, p);
  Matrix directions(p * n, n);
  for (Index q = 0; q < p; ++q) directions.middleRows(q * n, n) = by_entry.row(q).reshaped(n, n);
  return directions;
}

}  // namespace lgn
