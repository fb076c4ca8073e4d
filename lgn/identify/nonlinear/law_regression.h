#pragma once

#include <optional>
#include <vector>

#include "lgn/data/dataset.h"
#include "lgn/dynamics/nonlinear_structure.h"
#include "lgn/flow/input_course.h"
#include "lgn/identify/nonlinear/smoothing.h"

namespace lgn {

/// Terms of a law: which of its parameters may differ from zero.
using ActiveTerms = std::vector<bool>;

/// The most likely values of the scales of an energy before there are data, by the sizes of the states: 1 where all are alike.
/// With a logarithm that has a deviation of one about it, they decide only where data do not.
Vector scale_guesses(const NonlinearStructure& structure, const Vector& sizes);

/// ẋ = C(θ) m(x, u) in the weak form, −∫ψ̇ x = C ∫ψ m(x, u) over windows (weak_form.h), m taken of smoothed samples, inputs as they act:
/// nothing is integrated, and the residual is linear in C. Where positions alone are measured it is ∫ψ̈ q = C ∫ψ m(q, v) of the second-order equation, v
/// the rates of the smoothed positions. Kept as its triangular factor: O(functions³) whatever the data.
class LawRegression {
 public:
  /// The structure must outlive it. Throws NotIdentified where there are fewer windows than functions.
  LawRegression(const Dataset& data, const Dataset& smoothed, const NonlinearStructure& structure,
                double width, const InputTiming& timing);

  struct Result {
    Vector theta;
    ActiveTerms active;
    /// Root mean square of the residuals of each equation, and of what it explains.
    Vector residual, size;
  };
  /// θ of least squares inside the structure, equations weighed by their sizes; parameters that are not active stay zero.
  Result solve(const Vector& start, const ActiveTerms& active, const Vector& scales) const;
  /// The same, terms without evidence (θ/se)² ≥ `threshold` removed one by one, least first.
  Result eliminate(Result from, double threshold, const Vector& scales) const;
  /// Root mean square of the residuals of any law made of the same functions: what no structure can improve on. Nothing where
  /// there are not enough windows for these.
  std::optional<Vector> free_residual() const;

 private:
  Matrix information(const Vector& theta, const Vector& weight) const;

  const NonlinearStructure& structure_;
  Matrix functions_, derivatives_;        ///< of the triangular factor
  double windows_ = 0, independent_ = 0;  ///< all windows, and so many that do not overlap
  Vector size_;
};

}  // namespace lgn
