#include "experiments/baselines/softplus_sd.h"

#include <fmt/format.h>

#include "experiments/baselines/softplus.h"

namespace lgn::studies {
namespace {

constexpr double softplus_spread = 0.1;  ///< the paper's 0.1 · randn

}  // namespace

std::vector<std::string> SoftplusSdStructure::parameter_names() const {
  auto names = skew_.names();
  for (Index i = 0; i < n_; ++i) names.push_back(fmt::format("raw_d{}", i + 1));
  return names;
}

Vector SoftplusSdStructure::dampings(const Vector& theta) const {
  return theta.tail(n_).unaryExpr(&softplus);
}

Matrix SoftplusSdStructure::generator(const Vector& theta) const {
  Matrix a = skew_.matrix(theta.head(skew_.size()));
  a.diagonal() = -dampings(theta);
  return a;
}

Vector SoftplusSdStructure::pullback(const Vector& theta, const Matrix& g) const {
  Vector result(parameters());
  skew_.pullback(g, result.head(skew_.size()));
  result.tail(n_) = -g.diagonal().cwiseProduct(theta.tail(n_).unaryExpr(&softplus_slope));
  return result;
}

Matrix SoftplusSdStructure::pushforward(const Vector& theta, const Vector& delta) const {
  Matrix a = skew_.matrix(delta.head(skew_.size()));
  a.diagonal() = -delta.tail(n_).cwiseProduct(theta.tail(n_).unaryExpr(&softplus_slope));
  return a;
}

Vector SoftplusSdStructure::project(const Matrix& a) const {
  Vector theta(parameters());
  skew_.project(a, theta.head(skew_.size()));
  theta.tail(n_) = (-a.diagonal()).unaryExpr(&softplus_inverse);
  return theta;
}

Vector SoftplusSdStructure::random_start(Random& random) const {
  Vector theta(parameters());
  theta.head(skew_.size()) = softplus_spread * random.normals(skew_.size());
  theta.tail(n_).setConstant(softplus_spread);
  return theta;
}

std::vector<NamedValue> SoftplusSdStructure::named_values(const Vector& theta) const {
  return {{"S", skew_.matrix(theta.head(skew_.size()))},
          {"d", dampings(theta), NamedValue::Shape::vector}};
}

}  // namespace lgn::studies
