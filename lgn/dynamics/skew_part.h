#pragma once

#include <string>
#include <vector>

#include "lgn/core/linear_algebra.h"

namespace lgn {

/// The skew-symmetric part S of a generator as n(n−1)/2 numbers, S_ij for i < j, row by row.
/// Building block of the structures skew, sd and psd.
class SkewPart {
 public:
  explicit SkewPart(Index n) : n_(n) {}

  Index size() const { return n_ * (n_ - 1) / 2; }
  std::vector<std::string> names() const;
  /// Adds S to `a`.
  void add_to(Matrix& a, const Eigen::Ref<const Vector>& s) const;
  /// Transpose of add_to: G_ij − G_ji.
  void pullback(const Matrix& g, Eigen::Ref<Vector> s) const;
  /// (A_ij − A_ji)/2, the nearest skew matrix.
  void project(const Matrix& a, Eigen::Ref<Vector> s) const;
  Matrix matrix(const Eigen::Ref<const Vector>& s) const;

 private:
  Index n_;
};

}  // namespace lgn
