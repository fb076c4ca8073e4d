#pragma once

#include "lgn/dynamics/law.h"

namespace lgn {

/// A law's generator with its constants as parameters, A(p(θ)). Ranges hold for every θ
/// (constant.h).
class ParametricStructure final : public ConstantStructure {
 public:
  explicit ParametricStructure(Law law) : law_(std::move(law)), constants_(law_.constants()) {}

  std::string name() const override { return "parametric:" + law_.name(); }
  Index dimension() const override { return law_.dimension(); }
  Guarantee guarantee() const override { return law_.guarantee(); }
  Index parameters() const override { return constants_.size(); }
  std::vector<std::string> parameter_names() const override { return constants_.names(); }
  Matrix generator(const Vector& theta) const override;
  Vector pullback(const Vector& theta, const Matrix& g) const override;
  Matrix pushforward(const Vector& theta, const Vector& delta) const override;
  /// By Levenberg–Marquardt from the law's starting constants. Returns a member to rounding; where no member is
  /// nearest, because a constant would have to be 0 or ∞, it stops where the distance no longer shows it, √ε away.
  Vector project(const Matrix& a) const override;
  Vector lower_bounds() const override { return constants_.lower_bounds(); }
  /// The starting constants, each scattered by about 10%.
  Vector random_start(Random& random) const override { return constants_.random_start(random); }
  std::vector<NamedValue> named_values(const Vector& theta) const override {
    return constants_.named(theta);
  }
  std::optional<Matrix> energy(const Vector& theta) const override;
  bool common_unit() const override { return false; }
  bool scales_with_time() const override { return false; }

  const Constants* law_constants() const override { return &constants_; }
  const Law& law() const { return law_; }
  const Constants& constant_list() const { return constants_; }
  /// p(θ) and its inverse.
  Vector constants(const Vector& theta) const;
  Vector parameters_of(const Vector& constants) const;
  /// Where the law starts from.
  Vector starting_constants() const { return constants_.starting_values(); }

 private:
  Law law_;
  Constants constants_;
};

}  // namespace lgn
