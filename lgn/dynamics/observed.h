#pragma once

#include <memory>

#include "lgn/dynamics/structure.h"

namespace lgn {

/// A structure whose states are seen through a known C, instead of each in a channel of its own.
class ObservedStructure final : public ConstantStructure {
 public:
  ObservedStructure(std::shared_ptr<const ConstantStructure> inner, Observation observation)
      : inner_(std::move(inner)), observation_(std::move(observation)) {}

  std::string name() const override { return inner_->name(); }
  Index dimension() const override { return inner_->dimension(); }
  Index channels() const override { return observation_.outputs(); }
  Observation observation(const Vector&) const override { return observation_; }
  bool measures_states() const override { return observation_.identity(); }
  Guarantee guarantee() const override { return inner_->guarantee(); }
  Index parameters() const override { return inner_->parameters(); }
  Index free_parameters() const override { return inner_->free_parameters(); }
  std::vector<std::string> parameter_names() const override { return inner_->parameter_names(); }
  Matrix generator(const Vector& theta) const override { return inner_->generator(theta); }
  Vector pullback(const Vector& theta, const Matrix& g) const override {
    return inner_->pullback(theta, g);
  }
  Matrix pushforward(const Vector& theta, const Vector& delta) const override {
    return inner_->pushforward(theta, delta);
  }
  Matrix directions(const Vector& theta) const override { return inner_->directions(theta); }
  std::unique_ptr<const Generator> at(const Vector& theta) const override;
  Vector project(const Matrix& a) const override { return inner_->project(a); }
  Vector random_start(Random& random) const override { return inner_->random_start(random); }
  bool scales_with_time() const override { return inner_->scales_with_time(); }
  Vector lower_bounds() const override { return inner_->lower_bounds(); }
  Vector largest_steps(double duration) const override { return inner_->largest_steps(duration); }
  std::vector<NamedValue> named_values(const Vector& theta) const override {
    return inner_->named_values(theta);
  }
  std::optional<Matrix> energy(const Vector& theta) const override { return inner_->energy(theta); }
  bool common_unit() const override { return false; }
  const Constants* law_constants() const override { return inner_->law_constants(); }

 private:
  std::shared_ptr<const ConstantStructure> inner_;
  Observation observation_;
};

}  // namespace lgn
