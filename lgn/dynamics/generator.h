#pragma once

#include <memory>

#include "lgn/dynamics/generator_pattern.h"
#include "lgn/dynamics/structure.h"

namespace lgn {

/// A(θ) at one θ as an operator on blocks of states, with its derivative: what a flow needs, without saying how A is
/// stored. Laws, checked for every structure by one test suite:
///     ⟨Y, A X⟩ = ⟨Aᵀ Y, X⟩,   ⟨Λ, (∂A δ) X⟩ = ⟨g, δ⟩ where add_gradient(Λ, X, g) began with g = 0.
class Generator {
 public:
  virtual ~Generator() = default;
  virtual Index dimension() const = 0;
  /// Y = A X.
  virtual Matrix apply(const Matrix& x) const = 0;
  /// Y = Aᵀ X.
  virtual Matrix apply_transpose(const Matrix& x) const = 0;
  /// Y = (∂A/∂θ δ) X.
  virtual Matrix apply_tangent(const Vector& delta, const Matrix& x) const = 0;
  /// g += ∂⟨Λ, A X⟩/∂θ.
  virtual void add_gradient(const Matrix& lambda, const Matrix& x, Vector& g) const = 0;
  /// A number that ‖A‖₁ does not exceed.
  virtual double norm_bound() const = 0;
  /// Numbers that are stored: the cost of a product with one state.
  virtual Index entries() const = 0;
  /// A as a matrix, n² numbers.
  virtual Matrix dense() const = 0;
};

/// A as a dense matrix: O(n²) for each state. The structure must outlive it.
class DenseGenerator final : public Generator {
 public:
  DenseGenerator(const ConstantStructure& structure, const Vector& theta);
  Index dimension() const override { return a_.rows(); }
  Matrix apply(const Matrix& x) const override { return a_ * x; }
  Matrix apply_transpose(const Matrix& x) const override { return a_.transpose() * x; }
  Matrix apply_tangent(const Vector& delta, const Matrix& x) const override;
  void add_gradient(const Matrix& lambda, const Matrix& x, Vector& g) const override;
  double norm_bound() const override { return norm1(a_); }
  Index entries() const override { return a_.size(); }
  Matrix dense() const override { return a_; }

 private:
  const ConstantStructure& structure_;
  Vector theta_;
  Matrix a_;
};

/// A on a sparsity pattern, with ∂A/∂θ on the same pattern: nothing is ever dense, O(entries) for each state.
class SparseGenerator final : public Generator {
 public:
  SparseGenerator(std::shared_ptr<const GeneratorPattern> pattern, const Vector& theta);
  Index dimension() const override { return places().n; }
  Matrix apply(const Matrix& x) const override { return product(values_, x); }
  Matrix apply_transpose(const Matrix& x) const override;
  Matrix apply_tangent(const Vector& delta, const Matrix& x) const override;
  void add_gradient(const Matrix& lambda, const Matrix& x, Vector& g) const override;
  double norm_bound() const override;
  Index entries() const override { return places().entries(); }
  Matrix dense() const override;

  const SparsePattern& places() const { return pattern_->pattern(); }
  /// A, a number for each entry of the pattern.
  const Vector& values() const { return values_; }

 private:
  Matrix product(const Vector& values, const Matrix& x) const;

  std::shared_ptr<const GeneratorPattern> pattern_;
  Vector theta_, values_;
};

}  // namespace lgn
