#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "lgn/dynamics/structure.h"

namespace lgn {

/// A(t_k; θ) at K fixed times and one θ, with its derivative.
class GeneratorCourse {
 public:
  virtual ~GeneratorCourse() = default;
  /// A(t_1), A(t_2) … side by side, n × nK.
  virtual const Matrix& generators() const = 0;
  /// Σ_k (∂A(t_k)/∂θ)ᵀ G_k for G_1, G_2 … side by side, n × nK.
  virtual Vector pullback(const Matrix& g) const = 0;
  /// (∂A(t_k)/∂θ)ᵀ G_i for each of G_1 … G_m side by side (n × nm): p × m.
  virtual Matrix pullback_at(Index k, const Matrix& g) const = 0;
};

/// A structure at fixed times: what does not depend on θ is computed once.
class SampledStructure {
 public:
  virtual ~SampledStructure() = default;
  virtual std::unique_ptr<const GeneratorCourse> course(const Vector& theta) const = 0;
};

/// The structure of a generator that varies in time: a smooth map θ, t → A(t; θ) whose image has a
/// physical guarantee at every time.
///
/// Laws, checked for every structure by one test suite: pullback is the transpose of ∂A/∂θ by
/// central differences, and QA(t) + A(t)ᵀQ ⪯ 0 (= 0 where conservative) for every t and θ where
/// the structure promises it, Q = energy(θ).
class VaryingStructure {
 public:
  virtual ~VaryingStructure() = default;

  /// The name by which the program knows it ("ltv-sd", "parametric:ltv-oscillator").
  virtual std::string name() const = 0;
  virtual Index dimension() const = 0;
  /// What is promised for every θ at every time.
  virtual Guarantee guarantee() const = 0;
  virtual Index parameters() const = 0;
  virtual std::vector<std::string> parameter_names() const = 0;

  /// The structure at these times, which need not be in order. It refers to this structure.
  virtual std::unique_ptr<const SampledStructure> sample(const Vector& times) const = 0;
  /// A(t; θ).
  Matrix generator(const Vector& theta, double time) const;

  virtual Vector lower_bounds() const = 0;
  virtual std::vector<NamedValue> named_values(const Vector& theta) const = 0;
  /// Q of the energy ½ xᵀQx that the guarantee is about; nothing when no energy is known.
  virtual std::optional<Matrix> energy(const Vector& theta) const = 0;
  /// T with A(t + T) = A(t), where the variation repeats.
  virtual std::optional<double> period(const Vector& theta) const = 0;
  /// Whether A(t) means something beyond the times that it was learned from.
  virtual bool extrapolates() const = 0;
};

}  // namespace lgn
