#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "lgn/core/linear_algebra.h"
#include "lgn/core/random.h"

namespace lgn {

/// Functions of time φ_0 = 1, φ_1, φ_2 … that a parameter's course is a sum of.
///
/// Functions may depend on parameters ω of the basis (frequencies), each on at most one of them.
class TimeBasis {
 public:
  virtual ~TimeBasis() = default;
  /// fourier, spline or harmonics.
  virtual std::string name() const = 0;
  /// Number of functions, the constant included.
  virtual Index size() const = 0;
  /// What follows a parameter's name for the coefficient of function f; empty for the constant.
  virtual std::string function_name(Index f) const = 0;
  /// φ_f(t_k) at row f, column k.
  virtual Matrix values(const Vector& omega, const Vector& times) const = 0;
  /// Whether the functions other than the constant are non-negative with sum one, so that bounds on
  /// coefficients bound the sum.
  virtual bool partitions_unity() const { return false; }
  /// Functions that belong together: all or none of a group take part in a parameter's course.
  virtual std::vector<std::vector<Index>> groups() const = 0;

  /// Length of ω.
  virtual Index parameters() const { return 0; }
  /// The parameter that function f depends on; −1: none.
  virtual Index owner(Index) const { return -1; }
  /// ∂φ_f(t_k)/∂ω_owner(f).
  virtual Matrix slopes(const Vector& omega, const Vector& times) const;

  /// T with φ(t + T) = φ(t) for all functions, to the rounding of a measurement.
  virtual std::optional<double> period(const Vector&) const { return {}; }
  virtual bool extrapolates() const { return false; }

  /// Where the functions are 1 and the cosine and sine of ω_k (t − origin), one pair after the other:
  /// every ω_k. Empty for other functions.
  virtual Vector waves(const Vector&) const { return {}; }
  virtual double origin() const { return 0; }
  /// Such a basis with so many frequencies as parameters; null where it has no such parameters.
  virtual std::shared_ptr<const TimeBasis> with_frequencies(Index) const { return nullptr; }
  /// Such a basis over another interval; null where it is tied to none.
  virtual std::shared_ptr<const TimeBasis> over(double, double) const { return nullptr; }
  /// Where the functions are cubic polynomials between times at which they are not smooth, and held
  /// before the first and after the last: these times, evenly spaced. Empty for other functions.
  virtual Vector knots() const { return {}; }
};

/// cos ω_k(t − origin), sin ω_k(t − origin) with fixed frequencies: the paper's features.
class FourierFeatures final : public TimeBasis {
 public:
  explicit FourierFeatures(Vector frequencies, double origin = 0);
  /// Frequencies drawn log-uniformly from [low, high].
  static FourierFeatures draw(Index count, double low, double high, Random& random);

  std::string name() const override { return "fourier"; }
  Index size() const override { return 1 + 2 * frequencies_.size(); }
  std::string function_name(Index f) const override;
  Matrix values(const Vector& omega, const Vector& times) const override;
  std::vector<std::vector<Index>> groups() const override;
  Vector waves(const Vector&) const override { return frequencies_; }
  double origin() const override { return origin_; }
  const Vector& frequencies() const { return frequencies_; }

 private:
  Vector frequencies_;
  double origin_;
};

/// The same functions with frequencies that are parameters, ω_k > 0.
class Harmonics final : public TimeBasis {
 public:
  explicit Harmonics(Index count, double origin = 0) : count_(count), origin_(origin) {}

  std::string name() const override { return "harmonics"; }
  Index size() const override { return 1 + 2 * count_; }
  std::string function_name(Index f) const override;
  Matrix values(const Vector& omega, const Vector& times) const override;
  std::vector<std::vector<Index>> groups() const override;
  Index parameters() const override { return count_; }
  Index owner(Index f) const override { return f == 0 ? -1 : (f - 1) / 2; }
  Matrix slopes(const Vector& omega, const Vector& times) const override;
  /// Up to six turns of the lowest frequency, after which every other has made whole turns, too, to a
  /// thousandth of one.
  std::optional<double> period(const Vector& omega) const override;
  bool extrapolates() const override { return true; }
  Vector waves(const Vector& omega) const override { return omega; }
  double origin() const override { return origin_; }
  std::shared_ptr<const TimeBasis> with_frequencies(Index count) const override {
    return std::make_shared<const Harmonics>(count, origin_);
  }

 private:
  Index count_;
  double origin_;
};

/// Cubic B-splines on uniform knots over [begin, end]: non-negative, sum one, smooth to the second
/// derivative. Before and after the interval the value at its end is held.
class SplineBasis final : public TimeBasis {
 public:
  /// `count` ≥ 4 splines. Throws Error otherwise, or where end ≤ begin.
  SplineBasis(Index count, double begin, double end);

  std::string name() const override { return "spline"; }
  Index size() const override { return 1 + count_; }
  std::string function_name(Index f) const override;
  Matrix values(const Vector& omega, const Vector& times) const override;
  std::vector<std::vector<Index>> groups() const override;
  bool partitions_unity() const override { return true; }
  std::shared_ptr<const TimeBasis> over(double begin, double end) const override {
    return std::make_shared<const SplineBasis>(count_, begin, end);
  }
  Vector knots() const override { return Vector::LinSpaced(count_ - 2, begin_, end_); }
  Index count() const { return count_; }
  double begin() const { return begin_; }
  double end() const { return end_; }

 private:
  Index count_;
  double begin_, end_;
};

}  // namespace lgn
