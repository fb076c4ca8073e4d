#pragma once

#include "lgn/dynamics/skew_part.h"
#include "lgn/dynamics/structure.h"

namespace lgn {

/// A = S, Sᵀ = −S: ‖x‖ is exactly constant (theory, Eq. 5). n(n−1)/2 parameters.
class SkewStructure final : public ConstantStructure {
 public:
  explicit SkewStructure(Index n) : n_(n), skew_(n) {}
  std::string name() const override { return "skew"; }
  Index dimension() const override { return n_; }
  Guarantee guarantee() const override { return {true, true, true}; }
  Index parameters() const override { return skew_.size(); }
  std::vector<std::string> parameter_names() const override { return skew_.names(); }
  Matrix generator(const Vector& theta) const override { return skew_.matrix(theta); }
  Vector pullback(const Vector& theta, const Matrix& g) const override;
  Matrix pushforward(const Vector&, const Vector& delta) const override {
    return skew_.matrix(delta);
  }
  Vector project(const Matrix& a) const override;
  Vector random_start(Random& random) const override;
  std::vector<NamedValue> named_values(const Vector& theta) const override;

 private:
  Index n_;
  SkewPart skew_;
};

/// A = S − diag(d), d ≥ 0 (the paper's LGN-SD): Re λ ≤ 0 and ‖x‖² never grows
/// (theory, Eq. 6). n(n+1)/2 parameters.
///
/// d_i = max(θ_i, 0), so an exact zero can be reached and a negative θ_i still dissipates; the
/// lower bound 0 keeps an optimiser where the map is one-to-one.
class SdStructure final : public ConstantStructure {
 public:
  explicit SdStructure(Index n) : n_(n), skew_(n) {}
  std::string name() const override { return "sd"; }
  Index dimension() const override { return n_; }
  Guarantee guarantee() const override { return {true, true, false}; }
  Index parameters() const override { return skew_.size() + n_; }
  std::vector<std::string> parameter_names() const override;
  Matrix generator(const Vector& theta) const override;
  Vector pullback(const Vector& theta, const Matrix& g) const override;
  Matrix pushforward(const Vector& theta, const Vector& delta) const override;
  Vector project(const Matrix& a) const override;
  Vector lower_bounds() const override;
  Vector random_start(Random& random) const override;
  std::vector<NamedValue> named_values(const Vector& theta) const override;

 private:
  Index n_;
  SkewPart skew_;
};

/// A = S − LLᵀ with L lower triangular: as sd, with a full symmetric part (theory, Eq. 7). n²
/// parameters.
class PsdStructure final : public ConstantStructure {
 public:
  explicit PsdStructure(Index n) : n_(n), skew_(n) {}
  std::string name() const override { return "psd"; }
  Index dimension() const override { return n_; }
  Guarantee guarantee() const override { return {true, true, false}; }
  Index parameters() const override { return n_ * n_; }
  std::vector<std::string> parameter_names() const override;
  Matrix generator(const Vector& theta) const override;
  Vector pullback(const Vector& theta, const Matrix& g) const override;
  Matrix pushforward(const Vector& theta, const Vector& delta) const override;
  Vector project(const Matrix& a) const override;
  Vector random_start(Random& random) const override;
  std::vector<NamedValue> named_values(const Vector& theta) const override;

 private:
  Matrix lower(const Vector& theta) const;

  Index n_;
  SkewPart skew_;
};

/// A without structure (the paper's LGN-FA): no guarantee. n² parameters.
class FullStructure final : public ConstantStructure {
 public:
  explicit FullStructure(Index n) : n_(n) {}
  std::string name() const override { return "full"; }
  Index dimension() const override { return n_; }
  Guarantee guarantee() const override { return {}; }
  Index parameters() const override { return n_ * n_; }
  std::vector<std::string> parameter_names() const override;
  Matrix generator(const Vector& theta) const override { return theta.reshaped(n_, n_); }
  Vector pullback(const Vector&, const Matrix& g) const override { return g.reshaped(); }
  Matrix pushforward(const Vector&, const Vector& delta) const override {
    return delta.reshaped(n_, n_);
  }
  Vector project(const Matrix& a) const override { return a.reshaped(); }
  bool common_unit() const override { return false; }
  /// A_ij carries the unit of channel i over that of channel j.
  Vector typical_parameters(const Vector& channel_sizes) const override;
  Vector random_start(Random& random) const override;
  std::vector<NamedValue> named_values(const Vector& theta) const override;

 private:
  Index n_;
};

}  // namespace lgn
