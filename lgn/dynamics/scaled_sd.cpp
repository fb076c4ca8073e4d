#include "lgn/dynamics/scaled_sd.h"

#include <fmt/format.h>

#include <cmath>

#include "lgn/dynamics/log_scale.h"
#include "lgn/dynamics/triangle_internal.h"

namespace lgn {
namespace {

/// T M T⁻¹.
Matrix rescale(const Matrix& m, const Vector& scale) {
  return scale.asDiagonal() * m * scale.cwiseInverse().asDiagonal();
}

/// What pairs of opposite signs say about the scales.
std::vector<LogTie> ties_of(const Matrix& a) {
  std::vector<LogTie> ties;
  for (Index j = 0; j < a.cols(); ++j)
    for (Index i = 0; i < j; ++i) {
      const double up = a(i, j), down = a(j, i);
      if (!(up < 0 && down > 0) && !(up > 0 && down < 0)) continue;
      const double forth = std::abs(up), back = std::abs(down);
      ties.push_back(
          {i, j, 0.5 * (std::log(forth) - std::log(back)), std::sqrt(forth) * std::sqrt(back)});
    }
  return ties;
}

}  // namespace

std::vector<std::string> ScaledSdStructure::parameter_names() const {
  auto names = skew_.names();
  for (Index i = 0; i < n_; ++i) names.push_back(fmt::format("d{}", i + 1));
  for (Index i = 1; i < n_; ++i) names.push_back(fmt::format("log_scale{}", i + 1));
  return names;
}

Vector ScaledSdStructure::scale(const Vector& theta) const {
  Vector scale = Vector::Ones(n_);
  scale.tail(scales()) = theta.tail(scales()).unaryExpr(&from_log_scale);
  return scale;
}

Vector ScaledSdStructure::scale_moves(const Vector& theta) const {
  Vector moves = Vector::Zero(n_);
  moves.tail(scales()) = (theta.tail(scales()).array().abs() <= largest_log_scale).cast<double>();
  return moves;
}

Matrix ScaledSdStructure::in_own_units(const Vector& theta) const {
  Matrix m = skew_.matrix(theta.head(skew_.size()));
  m.diagonal() = -theta.segment(skew_.size(), n_).cwiseMax(0.0);
  return m;
}

Matrix ScaledSdStructure::generator(const Vector& theta) const {
  return rescale(in_own_units(theta), scale(theta));
}

Vector ScaledSdStructure::pullback(const Vector& theta, const Matrix& g) const {
  const Matrix by_m = rescale(g, scale(theta));
  Vector result(parameters());
  skew_.pullback(by_m, result.head(skew_.size()));
  for (Index i = 0; i < n_; ++i)
    result[skew_.size() + i] = theta[skew_.size() + i] < 0 ? 0.0 : -g(i, i);
  // ∂Aᵢⱼ/∂τₖ is Aᵢⱼ for k = i and −Aᵢⱼ for k = j; the diagonal does not move.
  const Matrix product = by_m.cwiseProduct(in_own_units(theta));
  const Vector by_tau = (product.rowwise().sum() - product.colwise().sum().transpose())
                            .cwiseProduct(scale_moves(theta));
  result.tail(scales()) = by_tau.tail(scales());
  return result;
}

Matrix ScaledSdStructure::pushforward(const Vector& theta, const Vector& delta) const {
  Matrix dm = skew_.matrix(delta.head(skew_.size()));
  for (Index i = 0; i < n_; ++i)
    dm(i, i) = theta[skew_.size() + i] < 0 ? 0.0 : -delta[skew_.size() + i];
  Vector dtau = Vector::Zero(n_);
  dtau.tail(scales()) = delta.tail(scales());
  dtau = dtau.cwiseProduct(scale_moves(theta)).eval();
  const Matrix m = in_own_units(theta);
  dm += dtau.asDiagonal() * m - m * dtau.asDiagonal();
  return rescale(dm, scale(theta));
}

Vector ScaledSdStructure::project(const Matrix& a) const {
  Vector theta(parameters());
  const Vector tau = solve_ties(n_, ties_of(a));
  Index k = 0;
  for (Index i = 0; i < n_; ++i)
    for (Index j = i + 1; j < n_; ++j) {
      // min over s of (Aᵢⱼ − s q)² + (Aⱼᵢ + s/q)².
      const double q = std::exp(tau[i] - tau[j]);
      theta[k++] = (q * a(i, j) - a(j, i) / q) / (q * q + 1 / (q * q));
    }
  theta.segment(k, n_) = (-a.diagonal()).cwiseMax(0.0);
  theta.tail(scales()) = tau.tail(scales());
  return theta;
}

Vector ScaledSdStructure::lower_bounds() const {
  Vector bounds = ConstantStructure::lower_bounds();
  bounds.segment(skew_.size(), n_).setZero();
  return bounds;
}

Vector ScaledSdStructure::random_start(Random& random) const {
  Vector theta = start_spread * random.normals(parameters());
  theta.segment(skew_.size(), n_).setConstant(start_spread);
  return theta;
}

std::vector<NamedValue> ScaledSdStructure::named_values(const Vector& theta) const {
  return {{"S", skew_.matrix(theta.head(skew_.size()))},
          {"d", theta.segment(skew_.size(), n_).cwiseMax(0.0), NamedValue::Shape::vector},
          {"scale", scale(theta), NamedValue::Shape::vector}};
}

std::optional<Matrix> ScaledSdStructure::energy(const Vector& theta) const {
  const Vector logs = scale(theta).array().log();
  const Vector q = (-2 * (logs.array() - logs.mean())).exp();
  return q.asDiagonal().toDenseMatrix();
}

Vector ScaledSdStructure::typical_parameters(const Vector& channel_sizes) const {
  Vector typical = Vector::Ones(parameters());
  const Vector logs = (channel_sizes / channel_sizes[0]).array().log();
  typical.tail(scales()) = logs.tail(scales()).cwiseAbs().cwiseMax(1.0);
  return typical;
}

}  // namespace lgn
