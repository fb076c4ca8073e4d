#include "lgn/dynamics/parametric.h"

#include <cmath>

#include "lgn/core/gauss_newton.h"

namespace lgn {
Vector ParametricStructure::constants(const Vector& theta) const {
  return constants_.values(theta);
}

Vector ParametricStructure::parameters_of(const Vector& constants) const {
  return constants_.parameters(constants);
}

Matrix ParametricStructure::generator(const Vector& theta) const {
  return law_.generator(constants(theta));
}

Vector ParametricStructure::pullback(const Vector& theta, const Matrix& g) const {
  const Vector p = constants(theta);
  Vector result = constants_.slopes(theta);
  for (Index k = 0; k < p.size(); ++k) result[k] *= law_.derivative(p, k).cwiseProduct(g).sum();
  return result;
}

Matrix ParametricStructure::pushforward(const Vector& theta, const Vector& delta) const {
  const Vector p = constants(theta), rate = constants_.slopes(theta).cwiseProduct(delta);
  Matrix a = Matrix::Zero(dimension(), dimension());
  for (Index k = 0; k < p.size(); ++k) a += rate[k] * law_.derivative(p, k);
  return a;
}

Vector ParametricStructure::project(const Matrix& a) const {
  // Entries of A are often products and quotients of constants, so constants are sought by a logarithm φ,
  // in which those are straight lines: φ = log p for a positive one, φ = asinh p where zero or a sign must
  // be reached. A step changes a large constant by a factor of at most e².
  constexpr double largest_step = 2.0;
  using Range = Constant::Range;
  const auto from_search = [](Range range, double phi) {
    return range == Range::positive ? std::exp(phi) : std::sinh(phi);
  };
  const auto to_search = [](Range range, double p) {
    return range == Range::positive ? std::log(p) : std::asinh(p);
  };
  const auto search_slope = [](Range range, double phi) {
    return range == Range::positive ? std::exp(phi) : std::cosh(phi);
  };
  const auto residual = [&](const Vector& phi) -> Vector {
    return (law_.generator(constants_.map(phi, from_search)) - a).reshaped();
  };
  SumOfSquares distance;
  distance.cost = [&](const Vector& phi) { return residual(phi).squaredNorm(); };
  distance.model = [&](const Vector& phi) {
    const Vector p = constants_.map(phi, from_search), rate = constants_.map(phi, search_slope);
    Matrix jacobian(a.size(), phi.size());
    for (Index k = 0; k < p.size(); ++k)
      jacobian.col(k) = rate[k] * law_.derivative(p, k).reshaped();
    return std::make_unique<DenseModel>(
        std::make_shared<const Matrix>(jacobian.transpose() * jacobian),
        jacobian.transpose() * residual(phi));
  };
  distance.lower = lower_bounds();
  GaussNewtonOptions options;
  options.max_iterations = 200;
  options.tolerance = 0;
  options.largest_step = Vector::Constant(parameters(), largest_step);
  const Vector start = constants_.map(starting_constants(), to_search);
  const Vector phi = minimize_gauss_newton(distance, {.x = start}, options).state.x;
  return parameters_of(constants_.map(phi, from_search));
}

std::optional<Matrix> ParametricStructure::energy(const Vector& theta) const {
  return law_.energy(constants(theta));
}

}  // namespace lgn
