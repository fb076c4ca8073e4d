#pragma once

#include <string>
#include <vector>

#include "lgn/core/linear_algebra.h"
#include "lgn/dynamics/structure.h"

namespace lgn {

/// A physical constant of a law.
struct Constant {
  enum class Range { any, non_negative, positive, below_one };  ///< below one: −1 < p < 1

  std::string name;
  Range range = Range::any;
  double start = 1.0;  ///< where training starts unless told otherwise

  /// Whether a value is in the range.
  bool holds(double value) const;
};

/// The constants of a law as parameters without bounds: p(θ) is in its range for every θ.
///
/// A positive constant is p = exp(asinh(θ/2)), that is θ = p − 1/p, smooth, never zero and never
/// overflowing; a non-negative one is p = max(θ, 0) with lower bound 0; one below one in size is
/// p = θ/√(1 + θ²); otherwise p = θ.
class Constants {
 public:
  explicit Constants(std::vector<Constant> constants) : constants_(std::move(constants)) {}

  const std::vector<Constant>& list() const { return constants_; }
  Index size() const { return static_cast<Index>(constants_.size()); }
  std::vector<std::string> names() const;
  /// p(θ), its inverse, and dp/dθ.
  Vector values(const Vector& theta) const;
  Vector parameters(const Vector& values) const;
  Vector slopes(const Vector& theta) const;
  Vector lower_bounds() const;
  /// p to start from, and θ scattered about it by about 10%.
  Vector starting_values() const;
  Vector random_start(Random& random) const;
  std::vector<NamedValue> named(const Vector& theta) const;

  /// f(range, x) for each constant.
  template <class F>
  Vector map(const Vector& x, F f) const {
    Vector y(x.size());
    for (Index k = 0; k < x.size(); ++k)
      y[k] = f(constants_[static_cast<std::size_t>(k)].range, x[k]);
    return y;
  }

 private:
  std::vector<Constant> constants_;
};

}  // namespace lgn
