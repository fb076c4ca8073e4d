#pragma once

#include "lgn/dynamics/skew_part.h"
#include "lgn/dynamics/structure.h"

namespace lgn::studies {

/// The paper's LGN-SD as its authors parameterise it: A = S − diag(d), d_i = softplus(θ_i) > 0.
///
/// An exact zero of d is not reached; near it the gradient vanishes with d. n(n+1)/2 parameters.
class SoftplusSdStructure final : public ConstantStructure {
 public:
  explicit SoftplusSdStructure(Index n) : n_(n), skew_(n) {}
  std::string name() const override { return "softplus-sd"; }
  Index dimension() const override { return n_; }
  Guarantee guarantee() const override { return {true, true, false}; }
  Index parameters() const override { return skew_.size() + n_; }
  std::vector<std::string> parameter_names() const override;
  Matrix generator(const Vector& theta) const override;
  Vector pullback(const Vector& theta, const Matrix& g) const override;
  Matrix pushforward(const Vector& theta, const Vector& delta) const override;
  /// The nearest S − diag(d) with d ≥ 1e-12.
  Vector project(const Matrix& a) const override;
  /// S of 0.1·randn, θ_i = 0.1 for every damping: the start of experiment 3.
  Vector random_start(Random& random) const override;
  std::vector<NamedValue> named_values(const Vector& theta) const override;

 private:
  Vector dampings(const Vector& theta) const;

  Index n_;
  SkewPart skew_;
};

}  // namespace lgn::studies
