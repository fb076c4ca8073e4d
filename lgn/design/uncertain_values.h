#pragma once

#include <string>
#include <vector>

#include "lgn/design/named_system.h"

namespace lgn {

/// How far the values of a system may be from what is written down: p = chosen (1 + δ), or chosen e^δ where the search knew a
/// logarithm, with δ = R z and z of independent standard normals.
///
/// The relative errors are those of the model's own covariance, jointly. A value that a designer changes keeps its relative error,
/// unless it has a tolerance: then it is independent of the others, and within the tolerance with 95%.
class UncertainValues {
 public:
  UncertainValues() = default;
  /// Tolerances are written "R*=1%"; 0 makes a value exact. Throws Error for words that mean nothing, and where nothing is
  /// uncertain.
  UncertainValues(const NamedSystem& system, const std::vector<std::string>& tolerances);

  /// Of z.
  Index directions() const { return root_.cols(); }
  /// The values with errors, and where these stand among all.
  const std::vector<Index>& members() const { return members_; }
  Vector values(Vector chosen, const Vector& z) const;
  /// ∂/∂z of a number whose derivatives by log|p| of the members are `slopes`, at z.
  Vector pulled_back(const Vector& slopes, const Vector& z) const;

 private:
  std::vector<Index> members_;
  std::vector<bool> logarithm_;  ///< of each member
  Matrix root_;                  ///< R, a row for each member
};

}  // namespace lgn
