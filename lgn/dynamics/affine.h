#pragma once

#include "lgn/dynamics/structure.h"

namespace lgn {

/// A(c) = A₀ + Σ_q c_q E_q: a generator with the directions in which it may move. What the data say about the
/// coefficients is what they say about those directions at A₀, whatever structure they belong to.
class AffineStructure final : public ConstantStructure {
 public:
  /// `directions`: E_1 … E_p below one another, p n × n.
  AffineStructure(Matrix a, Matrix directions)
      : a_(std::move(a)), directions_(std::move(directions)) {}
  std::string name() const override { return "affine"; }
  Index dimension() const override { return a_.rows(); }
  Guarantee guarantee() const override { return {}; }
  Index parameters() const override { return a_.rows() > 0 ? directions_.rows() / a_.rows() : 0; }
  std::vector<std::string> parameter_names() const override;
  Matrix generator(const Vector& theta) const override;
  Vector pullback(const Vector& theta, const Matrix& g) const override;
  Matrix pushforward(const Vector& theta, const Vector& delta) const override;
  Matrix directions(const Vector&) const override { return directions_; }
  /// By least squares.
  Vector project(const Matrix& a) const override;
  Vector random_start(Random& random) const override { return random.normals(parameters()); }
  bool common_unit() const override { return false; }
  std::vector<NamedValue> named_values(const Vector& theta) const override;

 private:
  Matrix a_, directions_;
};

}  // namespace lgn
