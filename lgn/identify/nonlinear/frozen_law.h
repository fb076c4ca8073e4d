#pragma once

#include <memory>
#include <vector>

#include "lgn/dynamics/nonlinear_structure.h"

namespace lgn {

/// A nonlinear law frozen along known courses x̂(t): the linear generator that varies in time
///     A(t; θ) = C(θ) M(x̂(t)),   M(x) = ∫₀¹ ∂m/∂x(s x) ds,
/// for which A(x) x = f(x; θ) − f(0; θ). Its parameters are those of the law that move. Nothing is promised: the states that it moves
/// need not be x̂.
class FrozenLaw final : public Structure {
 public:
  /// x̂ at ascending times, a column each, cubic between them: values and slopes are continuous.
  struct Course {
    Vector times;
    Matrix states, slopes;
  };
  /// Courses do not overlap in time. The law, which must outlive this, has no constant terms among those that `theta` and `moving`
  /// leave; throws Error where it has.
  FrozenLaw(const NonlinearStructure& law, const Vector& theta, std::vector<Index> moving,
            std::vector<Course> courses);

  std::string name() const override { return law_.name(); }
  Index dimension() const override { return law_.dimension(); }
  Guarantee guarantee() const override { return {}; }
  Index parameters() const override { return static_cast<Index>(moving_.size()); }
  std::vector<std::string> parameter_names() const override;
  Vector lower_bounds() const override;
  std::vector<NamedValue> named_values(const Vector& theta) const override;
  bool common_unit() const override { return false; }
  bool extrapolates() const override { return false; }
  std::unique_ptr<const SampledStructure> sample(const Vector& times) const override;

  /// All parameters of the law, of which these move.
  Vector whole(const Vector& moved) const;
  /// M(x), functions × n.
  Matrix averaged_slopes(const Vector& x) const;

 private:
  Vector state_at(double time) const;

  /// ∂m_function/∂x_state = coefficient · factors.
  struct FunctionSlope {
    Index function, state;
    double coefficient;
    Factors factors;
  };
  const NonlinearStructure& law_;
  Vector theta_;
  std::vector<Index> moving_;
  std::vector<Course> courses_;
  std::vector<FunctionSlope> slopes_;
};

}  // namespace lgn
