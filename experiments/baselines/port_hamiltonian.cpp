#include "experiments/baselines/port_hamiltonian.h"

#include <fmt/format.h>

#include <cmath>

#include "experiments/baselines/softplus.h"
#include "lgn/dynamics/scaled_sd.h"

namespace lgn::studies {
namespace {

constexpr double start_spread = 0.1;  ///< the paper's 0.1 · randn

}  // namespace

std::vector<std::string> PortHamiltonianStructure::parameter_names() const {
  auto names = skew_.names();
  for (std::string& name : names) name.front() = 'J';
  for (Index i = 0; i < n_; ++i) names.push_back(fmt::format("raw_R{}", i + 1));
  for (Index i = 0; i < n_; ++i) names.push_back(fmt::format("raw_M{}", i + 1));
  return names;
}

Vector PortHamiltonianStructure::dissipation(const Vector& theta) const {
  return theta.segment(skew_.size(), n_).unaryExpr(&softplus);
}

Vector PortHamiltonianStructure::hessian(const Vector& theta) const {
  return theta.tail(n_).unaryExpr(&softplus);
}

Matrix PortHamiltonianStructure::j_minus_r(const Vector& theta) const {
  Matrix m = skew_.matrix(theta.head(skew_.size()));
  m.diagonal() = -dissipation(theta);
  return m;
}

Matrix PortHamiltonianStructure::generator(const Vector& theta) const {
  return j_minus_r(theta) * hessian(theta).asDiagonal();
}

Vector PortHamiltonianStructure::pullback(const Vector& theta, const Matrix& g) const {
  const Matrix by_left = g * hessian(theta).asDiagonal();
  const Vector by_hessian = j_minus_r(theta).cwiseProduct(g).colwise().sum();
  Vector result(parameters());
  skew_.pullback(by_left, result.head(skew_.size()));
  result.segment(skew_.size(), n_) = -by_left.diagonal();
  result.tail(n_) = by_hessian;
  const Index diagonals = 2 * n_;
  result.tail(diagonals).array() *= theta.tail(diagonals).unaryExpr(&softplus_slope).array();
  return result;
}

Matrix PortHamiltonianStructure::pushforward(const Vector& theta, const Vector& delta) const {
  const Index diagonals = 2 * n_;
  const Vector change =
      delta.tail(diagonals).cwiseProduct(theta.tail(diagonals).unaryExpr(&softplus_slope));
  Matrix left = skew_.matrix(delta.head(skew_.size()));
  left.diagonal() = -change.head(n_);
  return left * hessian(theta).asDiagonal() + j_minus_r(theta) * change.tail(n_).asDiagonal();
}

Vector PortHamiltonianStructure::project(const Matrix& a) const {
  const ScaledSdStructure scaled(n_);
  const Vector own = scaled.project(a);
  const Vector m = scaled.energy(own)->diagonal();  // T⁻², with geometric mean 1
  const Vector scale = m.cwiseSqrt().cwiseInverse();
  const Matrix j = scale.asDiagonal() * skew_.matrix(own.head(skew_.size())) * scale.asDiagonal();
  const Vector r = own.segment(skew_.size(), n_).cwiseQuotient(m);
  Vector theta(parameters());
  skew_.project(j, theta.head(skew_.size()));
  theta.segment(skew_.size(), n_) = r.unaryExpr(&softplus_inverse);
  theta.tail(n_) = m.unaryExpr(&softplus_inverse);
  return theta;
}

Vector PortHamiltonianStructure::random_start(Random& random) const {
  return start_spread * random.normals(parameters());
}

std::vector<NamedValue> PortHamiltonianStructure::named_values(const Vector& theta) const {
  return {{"J", skew_.matrix(theta.head(skew_.size()))},
          {"R", dissipation(theta), NamedValue::Shape::vector},
          {"M", hessian(theta), NamedValue::Shape::vector}};
}

std::optional<Matrix> PortHamiltonianStructure::energy(const Vector& theta) const {
  return hessian(theta).asDiagonal().toDenseMatrix();
}

}  // namespace lgn::studies
