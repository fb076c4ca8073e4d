#include "lgn/dynamics/skew_part.h"

#include <fmt/format.h>

namespace lgn {

std::vector<std::string> SkewPart::names() const {
  std::vector<std::string> names;
  names.reserve(static_cast<std::size_t>(size()));
  for (Index i = 0; i < n_; ++i)
    for (Index j = i + 1; j < n_; ++j) names.push_back(fmt::format("S{},{}", i + 1, j + 1));
  return names;
}

void SkewPart::add_to(Matrix& a, const Eigen::Ref<const Vector>& s) const {
  Index k = 0;
  for (Index i = 0; i < n_; ++i)
    for (Index j = i + 1; j < n_; ++j, ++k) {
      a(i, j) += s[k];
      a(j, i) -= s[k];
    }
}

void SkewPart::pullback(const Matrix& g, Eigen::Ref<Vector> s) const {
  Index k = 0;
  for (Index i = 0; i < n_; ++i)
    for (Index j = i + 1; j < n_; ++j) s[k++] = g(i, j) - g(j, i);
}

void SkewPart::project(const Matrix& a, Eigen::Ref<Vector> s) const {
  pullback(a, s);
  s *= 0.5;
}

Matrix SkewPart::matrix(const Eigen::Ref<const Vector>& s) const {
  Matrix a = Matrix::Zero(n_, n_);
  add_to(a, s);
  return a;
}

}  // namespace lgn
