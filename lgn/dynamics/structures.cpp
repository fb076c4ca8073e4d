#include "lgn/dynamics/structures.h"

#include <fmt/format.h>

#include <cmath>

#include "lgn/core/decompositions.h"
#include "lgn/dynamics/triangle_internal.h"

namespace lgn {
// skew

Vector SkewStructure::pullback(const Vector&, const Matrix& g) const {
  Vector s(skew_.size());
  skew_.pullback(g, s);
  return s;
}

Vector SkewStructure::project(const Matrix& a) const {
  Vector s(skew_.size());
  skew_.project(a, s);
  return s;
}

Vector SkewStructure::random_start(Random& random) const {
  return start_spread * random.normals(skew_.size());
}

std::vector<NamedValue> SkewStructure::named_values(const Vector& theta) const {
  return {{"S", skew_.matrix(theta)}};
}

// sd

std::vector<std::string> SdStructure::parameter_names() const {
  auto names = skew_.names();
  for (Index i = 0; i < n_; ++i) names.push_back(fmt::format("d{}", i + 1));
  return names;
}

Matrix SdStructure::generator(const Vector& theta) const {
  Matrix a = skew_.matrix(theta.head(skew_.size()));
  a.diagonal() = -theta.tail(n_).cwiseMax(0.0);
  return a;
}

Vector SdStructure::pullback(const Vector& theta, const Matrix& g) const {
  Vector result(skew_.size() + n_);
  skew_.pullback(g, result.head(skew_.size()));
  for (Index i = 0; i < n_; ++i)
    result[skew_.size() + i] = theta[skew_.size() + i] < 0 ? 0.0 : -g(i, i);
  return result;
}

Matrix SdStructure::pushforward(const Vector& theta, const Vector& delta) const {
  Matrix a = skew_.matrix(delta.head(skew_.size()));
  for (Index i = 0; i < n_; ++i)
    a(i, i) = theta[skew_.size() + i] < 0 ? 0.0 : -delta[skew_.size() + i];
  return a;
}

Vector SdStructure::project(const Matrix& a) const {
  Vector theta(skew_.size() + n_);
  skew_.project(a, theta.head(skew_.size()));
  theta.tail(n_) = (-a.diagonal()).cwiseMax(0.0);
  return theta;
}

Vector SdStructure::lower_bounds() const {
  Vector bounds = ConstantStructure::lower_bounds();
  bounds.tail(n_).setZero();
  return bounds;
}

Vector SdStructure::random_start(Random& random) const {
  Vector theta(skew_.size() + n_);
  theta.head(skew_.size()) = start_spread * random.normals(skew_.size());
  theta.tail(n_).setConstant(start_spread);
  return theta;
}

std::vector<NamedValue> SdStructure::named_values(const Vector& theta) const {
  return {{"S", skew_.matrix(theta.head(skew_.size()))},
          {"d", theta.tail(n_).cwiseMax(0.0), NamedValue::Shape::vector}};
}

// psd

std::vector<std::string> PsdStructure::parameter_names() const {
  auto names = skew_.names();
  for_lower(n_, [&](Index i, Index j) { names.push_back(fmt::format("L{},{}", i + 1, j + 1)); });
  return names;
}

Matrix PsdStructure::lower(const Vector& theta) const {
  Matrix l = Matrix::Zero(n_, n_);
  Index k = skew_.size();
  for_lower(n_, [&](Index i, Index j) { l(i, j) = theta[k++]; });
  return l;
}

Matrix PsdStructure::generator(const Vector& theta) const {
  const Matrix l = lower(theta);
  Matrix a = -(l * l.transpose());
  skew_.add_to(a, theta.head(skew_.size()));
  return a;
}

Vector PsdStructure::pullback(const Vector& theta, const Matrix& g) const {
  Vector result(n_ * n_);
  skew_.pullback(g, result.head(skew_.size()));
  const Matrix dl = -(g + g.transpose()) * lower(theta);
  Index k = skew_.size();
  for_lower(n_, [&](Index i, Index j) { result[k++] = dl(i, j); });
  return result;
}

Matrix PsdStructure::pushforward(const Vector& theta, const Vector& delta) const {
  const Matrix half = lower(delta) * lower(theta).transpose();
  Matrix a = -(half + half.transpose());
  skew_.add_to(a, delta.head(skew_.size()));
  return a;
}

Vector PsdStructure::project(const Matrix& a) const {
  Vector theta(n_ * n_);
  skew_.project(a, theta.head(skew_.size()));
  // The nearest positive semidefinite matrix drops negative eigenvalues; with −sym(A) ≈ V diag(w)
  // Vᵀ and diag(√w) Vᵀ = QR, it is RᵀR, so L = Rᵀ even where it is singular.
  const SymmetricEigen eigen = symmetric_eigen(-0.5 * (a + a.transpose()));
  const Matrix r =
      qr_triangle(eigen.values.cwiseMax(0.0).cwiseSqrt().asDiagonal() * eigen.vectors.transpose());
  Index k = skew_.size();
  for_lower(n_, [&](Index i, Index j) { theta[k++] = r(j, j) < 0 ? -r(j, i) : r(j, i); });
  return theta;
}

Vector PsdStructure::random_start(Random& random) const {
  Vector theta = start_spread * random.normals(n_ * n_);
  Index k = skew_.size();
  for_lower(n_, [&](Index i, Index j) { theta[k++] += i == j ? std::sqrt(start_spread) : 0.0; });
  return theta;
}

std::vector<NamedValue> PsdStructure::named_values(const Vector& theta) const {
  return {{"S", skew_.matrix(theta.head(skew_.size()))}, {"L", lower(theta)}};
}

// full

std::vector<std::string> FullStructure::parameter_names() const {
  std::vector<std::string> names;
  for (Index j = 0; j < n_; ++j)
    for (Index i = 0; i < n_; ++i) names.push_back(fmt::format("A{},{}", i + 1, j + 1));
  return names;
}

Vector FullStructure::random_start(Random& random) const {
  Matrix a = start_spread * random.normals(n_, n_);
  a.diagonal().array() -= start_spread;
  return a.reshaped();
}

Vector FullStructure::typical_parameters(const Vector& channel_sizes) const {
  return (channel_sizes * channel_sizes.cwiseInverse().transpose()).reshaped();
}

std::vector<NamedValue> FullStructure::named_values(const Vector& theta) const {
  return {{"A", theta.reshaped(n_, n_)}};
}

}  // namespace lgn
