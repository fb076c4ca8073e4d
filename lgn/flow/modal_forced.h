#pragma once

#include <vector>

#include "lgn/dynamics/modal.h"
#include "lgn/flow/forced_response.h"

namespace lgn {

/// A modal structure under an input.
class ModalForcedPlan final : public ForcedPlan {
 public:
  /// `structure` must outlive it.
  ModalForcedPlan(const ModalStructure& structure, InputCourse course)
      : structure_(structure), course_(std::move(course)) {}
  std::unique_ptr<const ForcedResponse> at(const Vector& theta) const override;
  const Matrix& inputs() const override { return course_.at_samples; }

  const ModalStructure& structure() const { return structure_; }
  const InputCourse& course() const { return course_; }

 private:
  const ModalStructure& structure_;
  InputCourse course_;
};

/// Forced responses block by block. For a block M = [[0, w], [−w, −d]] every function of M is α I + β M with two numbers,
/// since M² = −d M − w² I; so is the response ∫ exp(M (t − s)) u_j(s) ds to input j, which is what is stepped, with its
/// derivatives by w and d where they are asked for: O(K m) for a block. The single state [−s] is the second one of w = 0, d = s. The plan must outlive it.
class ModalForcedResponse final : public ForcedResponse {
 public:
  ModalForcedResponse(const ModalForcedPlan& plan, const Vector& theta);

  Matrix output_maps(Index first, Index count) const override;
  Matrix states(const Matrix& b) const override;
  Vector outputs(const Matrix& b) const override;
  Matrix output_jacobian(const Matrix& b, Index first, Index count) const override;

 private:
  /// α and β of one block and one input at all samples, and their derivatives: columns of K numbers.
  struct Course {
    Matrix alpha, beta;  ///< K × 1: the value; K × 3: by w and by d, too
  };
  /// Of every block and input, with derivatives or without.
  std::vector<Course> courses(bool with_slopes) const;
  const Course& course(std::size_t block, Index input) const {
    return courses_[block * static_cast<std::size_t>(plan_.course().inputs()) +
                    static_cast<std::size_t>(input)];
  }
  /// The states of a block under all inputs (0), or their derivatives by w (1) or d (2): count × size.
  Matrix block_states(std::size_t block, const Matrix& b, int which, Index first,
                      Index count) const;

  const ModalForcedPlan& plan_;
  Vector theta_;
  Matrix c_;
  /// Block by block, input by input; with derivatives once they were asked for.
  mutable std::vector<Course> courses_;
};

}  // namespace lgn
