#include "lgn/dynamics/structural_systems.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "lgn/core/decompositions.h"
#include "lgn/core/error.h"
#include "lgn/core/setting.h"

namespace lgn {
namespace {

constexpr Index most_states = 1000;

void check(Index states, Index multiple, double highest, double damping_ratio) {
  if (states < multiple || states > most_states || states % multiple != 0)
    throw Error(fmt::format("{} states", states),
                fmt::format("{} must be a multiple of {} up to {}", setting("states"), multiple,
                            most_states / multiple * multiple));
  if (!(highest > 0 && damping_ratio > 0 && std::isfinite(highest + damping_ratio)))
    throw Error("the highest frequency and the damping ratio must be positive");
}

/// The system of these matrices, the stiffness scaled; one name for each degree of freedom.
System vibrating(const Matrix& mass, const Matrix& stiffness, double highest, double damping_ratio,
                 const std::vector<std::string>& names) {
  const Index n = mass.rows();
  const Matrix root = cholesky(mass);  // mass-normalised coordinates Lᵀ q
  const Matrix left = solve_lower(root, stiffness);
  const SymmetricEigen modes = symmetric_eigen(solve_lower(root, left.transpose()));
  const double scale =
      std::pow(2 * std::numbers::pi * highest, 2) / modes.values[modes.values.size() - 1];
  const Vector rates = (scale * modes.values).cwiseSqrt();
  // M⁻¹K and M⁻¹C are L⁻ᵀ V diag(ω²) Vᵀ Lᵀ and the same with 2 ζ ω.
  const Matrix shapes = solve_lower_transposed(root, modes.vectors);
  const Matrix inverse = modes.vectors.transpose() * root.transpose();
  System system{"full", {}, Matrix::Zero(2 * n, 2 * n), Matrix::Zero(2 * n, 2 * n), {}, false};
  system.a.topRightCorner(n, n).setIdentity();
  system.a.bottomLeftCorner(n, n) = -shapes * rates.cwiseAbs2().asDiagonal() * inverse;
  system.a.bottomRightCorner(n, n) = -2 * damping_ratio * shapes * rates.asDiagonal() * inverse;
  system.energy->topLeftCorner(n, n) = scale * stiffness;
  system.energy->bottomRightCorner(n, n) = mass;
  for (const char* prefix : {"", "v"})
    for (const auto& name : names) system.channels.push_back(prefix + name);
  for (const auto& [name, value] :
       {std::pair{"highest_frequency", highest}, {"damping_ratio", damping_ratio}})
    system.parameters.push_back({name, Matrix::Constant(1, 1, value), NamedValue::Shape::scalar});
  system.b = Matrix::Zero(2 * n, 1);
  system.b.bottomRows(n) = solve_definite(mass, Matrix::Identity(n, 1));
  return system;
}

}  // namespace

System truss(Index states, double highest, double damping_ratio, Random& random) {
  constexpr Index of_joint = 6, at_storey = 3;
  constexpr double radius = 1, height = 1.2, spread = 0.3;
  check(states, of_joint, highest, damping_ratio);
  const Index joints = states / of_joint;
  // Joints 0, 1 and 2 are the foot, which does not move.
  const auto place = [&](Index joint) {
    const double angle = 2 * std::numbers::pi * static_cast<double>(joint % at_storey) / at_storey;
    return Eigen::Vector3d(radius * std::cos(angle), radius * std::sin(angle),
                           height * static_cast<double>(joint / at_storey));
  };
  Matrix stiffness = Matrix::Zero(3 * joints, 3 * joints);
  const auto add_bar = [&](Index from, Index to) {
    const Eigen::Vector3d along = place(to) - place(from);
    const double strength = (1 + spread * (2 * random.uniform() - 1)) / along.norm();
    const Eigen::Matrix3d block = strength * along.normalized() * along.normalized().transpose();
    const Index i = 3 * (from - at_storey), j = 3 * (to - at_storey);
    stiffness.block(j, j, 3, 3) += block;
    if (i < 0) return;
    stiffness.block(i, i, 3, 3) += block;
    stiffness.block(i, j, 3, 3) -= block;
    stiffness.block(j, i, 3, 3) -= block;
  };
  std::vector<std::string> names;
  for (Index joint = at_storey; joint < joints + at_storey; ++joint) {
    const Index storey = joint / at_storey * at_storey;
    for (Index below = storey - at_storey; below < storey; ++below) add_bar(below, joint);
    for (Index beside = storey; beside < joint; ++beside) add_bar(beside, joint);
    for (const char* axis : {"x", "y", "z"})
      names.push_back(fmt::format("{}{}", axis, joint - at_storey + 1));
  }
  return vibrating(Matrix::Identity(3 * joints, 3 * joints), stiffness, highest, damping_ratio,
                   names);
}

System beam(Index states, double highest, double damping_ratio) {
  check(states, 4, highest, damping_ratio);
  const Index nodes = states / 4;
  // Of an element of unit length: deflection and rotation of its first node, then of its second.
  Eigen::Matrix4d bending, inertia;
  bending << 12, 6, -12, 6, 6, 4, -6, 2, -12, -6, 12, -6, 6, 2, -6, 4;
  inertia << 156, 22, 54, -13, 22, 4, 13, -3, 54, 13, 156, -22, -13, -3, -22, 4;
  Matrix stiffness = Matrix::Zero(2 * nodes + 2, 2 * nodes + 2), mass = stiffness;
  std::vector<std::string> names;
  for (Index k = 0; k < nodes; ++k) {
    stiffness.block(2 * k, 2 * k, 4, 4) += bending;
    mass.block(2 * k, 2 * k, 4, 4) += inertia / 420;
    for (const char* letter : {"w", "r"}) names.push_back(fmt::format("{}{}", letter, k + 1));
  }
  // The first node is clamped.
  return vibrating(mass.bottomRightCorner(2 * nodes, 2 * nodes),
                   stiffness.bottomRightCorner(2 * nodes, 2 * nodes), highest, damping_ratio,
                   names);
}

}  // namespace lgn
