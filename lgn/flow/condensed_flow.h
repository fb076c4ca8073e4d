#pragma once

#include <memory>

#include "lgn/flow/flow.h"
#include "lgn/flow/uniform_blocks.h"

namespace lgn {

/// Functions of the samples of a block in which trajectories of ẋ = A x lie to rounding, for every A near one: polynomials times
/// the entries of exp(jhA), made orthonormal. What a block of evenly spaced samples says about such an A are its products with these
/// few functions, and the squares of what they leave.
class BlockFunctions {
 public:
  /// Of blocks of so many samples, around A; with 1, where `constant`.
  BlockFunctions(const Matrix& a, double step, Index block, bool constant);

  Index block() const { return u_.rows(); }
  Index size() const { return u_.cols(); }
  /// Orthonormal columns: block × size.
  const Matrix& columns() const { return u_; }
  /// How many numbers of each channel stand for so many samples: those of whole blocks, then the samples of the rest.
  Index condensed(Index samples) const { return samples / block() * size() + samples % block(); }
  /// These numbers for samples less an offset, l × condensed(K); what they leave of each channel's squares is added to `left`. O(K).
  Matrix condense(const Matrix& samples, const Vector& offset, Vector& left) const;
  /// Those of a signal that is one throughout.
  Vector of_ones(Index samples) const;

 private:
  Matrix u_;
};

/// The flow of ẋ = A x at evenly spaced times, its samples condensed (BlockFunctions): the numbers that stand for them, K of
/// Flow, with their exact derivatives. A block costs as much as one sample for each of its functions.
class CondensedFlow final : public Flow {
 public:
  /// For so many samples in time; the structure and the functions must outlive it.
  CondensedFlow(const ConstantStructure& structure, const Vector& theta, double step, Index samples,
                std::shared_ptr<const BlockFunctions> functions);

  /// Whether trajectories lie in the functions, to rounding.
  bool fits() const { return fits_; }
  const std::shared_ptr<const BlockFunctions>& functions() const { return functions_; }

  Index samples() const override { return samples_; }
  Index block() const override { return functions_->size() * together_; }
  Matrix states(const Matrix& x0) const override { return maps_of(0, samples_) * x0; }
  Matrix maps() const override { return maps_of(0, samples_); }
  Matrix jacobian(const Matrix& x0) const override { return jacobian_of(x0, 0, samples_); }
  Matrix tangent(const Vector& delta, const Matrix& x0) const override;
  Gradient adjoint(const Matrix& states, const Matrix& pull) const override;
  Matrix adjoint_x0(const Matrix& pull) const override { return maps().transpose() * pull; }
  const Observation& observation() const override { return observation_; }
  Matrix output_maps(Index first, Index count) const override {
    return observation_.observe(maps_of(first, count));
  }
  Matrix output_jacobian(const Matrix& x0, Index first, Index count) const override {
    return observation_.observe_jacobian(jacobian_of(x0, first, count));
  }

 private:
  /// Of numbers from `first` on, which begins a block or is of the rest.
  Matrix maps_of(Index first, Index count) const;
  Matrix jacobian_of(const Matrix& x0, Index first, Index count) const;
  void find_derivatives() const;

  const ConstantStructure& structure_;
  Vector theta_;
  Observation observation_;
  std::shared_ptr<const BlockFunctions> functions_;
  Index blocks_, rest_, samples_, together_ = 1;
  UniformBlocks flow_;
  Matrix within_;  ///< of a block: size n × n
  Matrix after_;   ///< of the rest: rest n × n
  bool fits_ = true;
  mutable Matrix directions_;
  mutable std::vector<Matrix> derivatives_;  ///< of `within_` by each parameter, as it is
};

}  // namespace lgn
