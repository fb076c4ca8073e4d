#include "lgn/dynamics/parametric.h"

#include <cmath>

#include "lgn/core/least_squares.h"

namespace lgn {
namespace {

using Range = Constant::Range;

double to_constant(Range range, double theta) {
  switch (range) {
    case Range::positive: {
      const double larger = 0.5 * (std::abs(theta) + std::hypot(theta, 2.0));
      return theta < 0 ? 1 / larger : larger;
    }
    case Range::non_negative:
      return std::max(theta, 0.0);
    default:
      return theta;
  }
}

double slope(Range range, double theta) {
  if (range == Range::positive) return to_constant(range, theta) / std::hypot(theta, 2.0);
  return range == Range::non_negative && theta < 0 ? 0.0 : 1.0;
}

double to_parameter(Range range, double p) { return range == Range::positive ? p - 1 / p : p; }

template <class F>
Vector map_ranges(const Law& law, const Vector& x, F f) {
  Vector y(x.size());
  for (Index k = 0; k < x.size(); ++k)
    y[k] = f(law.constants()[static_cast<std::size_t>(k)].range, x[k]);
  return y;
}

}  // namespace

std::vector<std::string> ParametricStructure::parameter_names() const {
  std::vector<std::string> names;
  for (const auto& constant : law_.constants()) names.push_back(constant.name);
  return names;
}

Vector ParametricStructure::constants(const Vector& theta) const {
  return map_ranges(law_, theta, to_constant);
}

Vector ParametricStructure::parameters_of(const Vector& constants) const {
  return map_ranges(law_, constants, to_parameter);
}

Vector ParametricStructure::slopes(const Vector& theta) const {
  return map_ranges(law_, theta, slope);
}

Matrix ParametricStructure::generator(const Vector& theta) const {
  return law_.generator(constants(theta));
}

Vector ParametricStructure::pullback(const Vector& theta, const Matrix& g) const {
  const Vector p = constants(theta);
  Vector result = slopes(theta);
  for (Index k = 0; k < p.size(); ++k) result[k] *= law_.derivative(p, k).cwiseProduct(g).sum();
  return result;
}

Matrix ParametricStructure::pushforward(const Vector& theta, const Vector& delta) const {
  const Vector p = constants(theta), rate = slopes(theta).cwiseProduct(delta);
  Matrix a = Matrix::Zero(dimension(), dimension());
  for (Index k = 0; k < p.size(); ++k) a += rate[k] * law_.derivative(p, k);
  return a;
}

Vector ParametricStructure::project(const Matrix& a) const {
  // Entries of A are often products and quotients of constants, so constants are sought by a logarithm φ,
  // in which those are straight lines: φ = log p for a positive one, φ = asinh p where zero or a sign must
  // be reached. A step changes a large constant by a factor of at most e².
  constexpr double largest_step = 2.0;
  const auto from_search = [](Range range, double phi) {
    return range == Range::positive ? std::exp(phi) : std::sinh(phi);
  };
  const auto to_search = [](Range range, double p) {
    return range == Range::positive ? std::log(p) : std::asinh(p);
  };
  const auto search_slope = [](Range range, double phi) {
    return range == Range::positive ? std::exp(phi) : std::cosh(phi);
  };
  const Residuals distance = [&](const Vector& phi, Vector& residual, Matrix* jacobian) {
    const Vector p = map_ranges(law_, phi, from_search);
    residual = (law_.generator(p) - a).reshaped();
    if (jacobian == nullptr) return;
    const Vector rate = map_ranges(law_, phi, search_slope);
    jacobian->resize(a.size(), phi.size());
    for (Index k = 0; k < p.size(); ++k)
      jacobian->col(k) = rate[k] * law_.derivative(p, k).reshaped();
  };
  const Vector start = starting_constants();
  LeastSquaresOptions options;
  options.largest_step = Vector::Constant(parameters(), largest_step);
  const Vector phi =
      least_squares(distance, map_ranges(law_, start, to_search), lower_bounds(), options).x;
  return parameters_of(map_ranges(law_, phi, from_search));
}

Vector ParametricStructure::starting_constants() const {
  Vector start(parameters());
  for (Index k = 0; k < start.size(); ++k)
    start[k] = law_.constants()[static_cast<std::size_t>(k)].start;
  return start;
}

Vector ParametricStructure::lower_bounds() const {
  Vector bounds = Structure::lower_bounds();
  for (Index k = 0; k < bounds.size(); ++k)
    if (law_.constants()[static_cast<std::size_t>(k)].range == Range::non_negative) bounds[k] = 0;
  return bounds;
}

Vector ParametricStructure::random_start(Random& random) const {
  Vector start = starting_constants();
  for (double& constant : start) constant *= std::exp(0.1 * random.normal());
  return parameters_of(start);
}

std::vector<NamedValue> ParametricStructure::named_values(const Vector& theta) const {
  const Vector p = constants(theta);
  std::vector<NamedValue> values;
  for (Index k = 0; k < p.size(); ++k)
    values.push_back({law_.constants()[static_cast<std::size_t>(k)].name,
                      Matrix::Constant(1, 1, p[k]), NamedValue::Shape::scalar});
  return values;
}

std::optional<Matrix> ParametricStructure::energy(const Vector& theta) const {
  return law_.energy(constants(theta));
}

}  // namespace lgn
