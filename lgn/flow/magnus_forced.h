#pragma once

#include <memory>
#include <vector>

#include "lgn/flow/forced_response.h"
#include "lgn/flow/magnus_flow.h"

namespace lgn {

/// ẋ = A(t; θ) x + Σ_j f_j(t) for c columns of forces f, each a straight line on pieces of time, as one linear system
///     z = (x, v, τ v),   ẋ = A(t; θ) x + (α_k + β_k τ) v,   v̇ = 0,   d(τ v)/dt = v/ℓ,
/// with α_k, β_k (n × c) those of piece k and τ the time since the first edge in units of ℓ, the mean length of a piece
/// (theory, Eq. 75). A Magnus method for it is one for x, of the same order, with exact derivatives.
///
/// Its parameters are those of A; it promises nothing. Times that it is sampled at are inside of pieces: a method
/// whose nodes are at both ends of its steps would meet the edges, where forces jump.
class ForcedStructure final : public Structure {
 public:
  /// Forces at the begin and at the end of each piece, n × c side by side. `base` must outlive it.
  ForcedStructure(const Structure& base, Vector edges, const Matrix& begin, const Matrix& end);

  std::string name() const override { return base_.name(); }
  Index dimension() const override { return base_.dimension() + 2 * columns_; }
  Guarantee guarantee() const override { return {}; }
  Index parameters() const override { return base_.parameters(); }
  std::vector<std::string> parameter_names() const override { return base_.parameter_names(); }
  std::unique_ptr<const SampledStructure> sample(const Vector& times) const override;
  std::vector<NamedValue> named_values(const Vector& theta) const override {
    return base_.named_values(theta);
  }

  /// z that belongs to x in the first rows: one column, or c of them with the columns of the identity for v.
  Matrix at_rest() const;

 private:
  const Structure& base_;
  Index columns_;
  Vector edges_;
  double unit_;               ///< ℓ
  Matrix constant_, linear_;  ///< α and β of the pieces, side by side
};

/// What inputs do to a system whose generator varies in time: steps are chosen at the first θ that is asked about, or by
/// `plan`, so that twice as many change the responses by less than the tolerance.
class MagnusForcedPlan final : public ForcedPlan {
 public:
  MagnusForcedPlan(const Structure& structure, InputCourse course, const MagnusOptions& magnus);

  std::unique_ptr<const ForcedResponse> at(const Vector& theta) const override;
  const Matrix& inputs() const override { return course_.at_samples; }
  bool plan(const Vector& theta, const MagnusOptions& magnus) override;

  const Structure& structure() const { return structure_; }
  const InputCourse& course() const { return course_; }
  /// The system under B u.
  ForcedStructure under(const Matrix& b) const;

  struct Steps {
    MagnusGrid grid;             ///< through the edges of all pieces, with more times between them
    std::vector<Index> samples;  ///< where the samples are among its times
    std::vector<std::unique_ptr<const MagnusPlan>> units;  ///< under unit entries of B, by input
  };

 private:
  void choose(const Vector& theta, const MagnusOptions& magnus) const;

  const Structure& structure_;
  InputCourse course_;
  MagnusOptions magnus_;
  std::vector<std::unique_ptr<const ForcedStructure>> forced_;
  mutable std::shared_ptr<const Steps> steps_;  ///< null: not chosen yet
};

}  // namespace lgn
