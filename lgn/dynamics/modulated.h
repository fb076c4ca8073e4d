#pragma once

#include "lgn/dynamics/structure.h"
#include "lgn/dynamics/time_basis.h"

namespace lgn {

/// A structure whose parameters follow courses in time (theory, Eq. 57), A(t) = A(u(t)) with
///     u_e(t) = Σ_f c_ef φ_f(t; ω).
///
/// Each parameter u_e ("entry") is a sum of the functions that are active for it; the constant
/// alone for one that does not vary. θ holds ω, then the coefficients entry by entry. Where the base
/// keeps its guarantee for every u and one energy for all of them (skew, sd, psd), so does A(t) at
/// every time. `ltv-sd` is a modulated `sd`, `ltv-full` a modulated `full`.
class ModulatedStructure final : public Structure {
 public:
  /// How a bounded parameter of the base, such as a damping, is made from its course.
  enum class Link {
    clip,     ///< as the base does: max(u, 0) for a damping
    softplus  ///< log(1 + exp(u)), the paper's
  };
  /// `active`: the functions of each entry, ascending. Empty: all functions for all entries.
  ModulatedStructure(std::shared_ptr<const ConstantStructure> base,
                     std::shared_ptr<const TimeBasis> basis,
                     std::vector<std::vector<Index>> active = {}, Link link = Link::clip);

  std::string name() const override { return "ltv-" + base_->name(); }
  Index dimension() const override { return base_->dimension(); }
  Guarantee guarantee() const override;
  Index parameters() const override { return parameters_; }
  std::vector<std::string> parameter_names() const override;
  std::unique_ptr<const SampledStructure> sample(const Vector& times) const override;
  Vector lower_bounds() const override;
  /// A frequency moves by at most a quarter of a cycle over the longest run.
  Vector largest_steps(double duration) const override;
  std::vector<NamedValue> named_values(const Vector& theta) const override;
  std::optional<Matrix> energy(const Vector& theta) const override;
  bool common_unit() const override { return base_->common_unit(); }
  std::optional<double> period(const Vector& theta) const override;
  Vector waves(const Vector& theta) const override { return basis_->waves(omega(theta)); }
  bool extrapolates() const override { return basis_->extrapolates() || constant(); }
  /// Knots of the basis, and where the course of a bounded entry crosses zero, to rounding.
  std::vector<double> corners(const Vector& theta, const Vector& times) const override;
  const ModulatedStructure* modulated() const override { return this; }

  const ConstantStructure& base() const { return *base_; }
  std::shared_ptr<const ConstantStructure> shared_base() const { return base_; }
  const TimeBasis& basis() const { return *basis_; }
  std::shared_ptr<const TimeBasis> shared_basis() const { return basis_; }
  const std::vector<std::vector<Index>>& active() const { return active_; }
  Link link() const { return link_; }
  Index entries() const { return base_->parameters(); }
  /// Whether no entry has more than its constant.
  bool constant() const;

  /// Where in θ the coefficient of function f in entry e stands; −1 where it is not active.
  Index place(Index entry, Index function) const;
  Vector omega(const Vector& theta) const { return theta.head(basis_->parameters()); }
  /// c_ef, zero where not active.
  Matrix coefficients(const Vector& theta) const;
  /// θ of these coefficients; those that are not active are left out.
  Vector theta_of(const Vector& omega, const Matrix& coefficients) const;
  /// What a base parameter is at the value u of its course, and the other way round.
  Vector base_parameters(const Vector& u) const;
  Vector course_values(const Vector& base_theta) const;

 private:
  class Sampled;
  class Course;

  std::shared_ptr<const ConstantStructure> base_;
  std::shared_ptr<const TimeBasis> basis_;
  std::vector<std::vector<Index>> active_;
  std::vector<Index> first_;  ///< where the coefficients of an entry begin in θ
  Link link_;
  Vector bounds_;  ///< of the base
  Index parameters_ = 0;
};

}  // namespace lgn
