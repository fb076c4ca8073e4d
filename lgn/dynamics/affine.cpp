#include "lgn/dynamics/affine.h"

namespace lgn {

std::vector<std::string> AffineStructure::parameter_names() const {
  std::vector<std::string> names;
  for (Index q = 1; q <= parameters(); ++q) names.push_back("c" + std::to_string(q));
  return names;
}

Matrix AffineStructure::generator(const Vector& theta) const { return a_ + pushforward({}, theta); }

Vector AffineStructure::pullback(const Vector&, const Matrix& g) const {
  const Index n = dimension();
  Vector result(parameters());
  for (Index q = 0; q < result.size(); ++q)
    result[q] = directions_.middleRows(q * n, n).cwiseProduct(g).sum();
  return result;
}

Matrix AffineStructure::pushforward(const Vector&, const Vector& delta) const {
  const Index n = dimension();
  Matrix change = Matrix::Zero(n, n);
  for (Index q = 0; q < delta.size(); ++q)
    if (delta[q] != 0) change += delta[q] * directions_.middleRows(q * n, n);
  return change;
}

Vector AffineStructure::project(const Matrix& a) const {
  const Index n = dimension(), p = parameters();
  Matrix columns(n * n, p);
  for (Index q = 0; q < p; ++q) columns.col(q) = directions_.middleRows(q * n, n).reshaped();
  const Vector target = (a - a_).reshaped();
  return columns.completeOrthogonalDecomposition().solve(target);
}

std::vector<NamedValue> AffineStructure::named_values(const Vector& theta) const {
  return {{"c", theta, NamedValue::Shape::vector}};
}

}  // namespace lgn
