#include <cmath>

#include "lgn/core/constants_internal.h"
#include "lgn/core/decompositions.h"
#include "lgn/core/nonnegative_least_squares.h"
#include "lgn/dynamics/log_scale.h"
#include "lgn/dynamics/network.h"

namespace lgn {
namespace {}  // namespace

Vector NetworkStructure::project_storages(const Matrix& a) const {
  const auto nodes = static_cast<Index>(nodes_.size());
  if (!storages_) return Vector::Ones(nodes);
  std::vector<LogTie> ties;
  for (const auto& e : elements_) {
    if (e.to == NetworkElement::ground) continue;
    // The two entries off the diagonal.
    const auto entries = stencil(e);
    const bool coupling = e.type == ElementType::coupling;
    const Entry &forth = entries[coupling ? 0 : 1], &back = entries[coupling ? 1 : 2];
    const double up = forth.value * a(forth.row, forth.col);
    const double down = back.value * a(back.row, back.col);
    if (e.sign != 0) {
      if (e.sign * up > 0)
        ties.push_back({e.from, LogTie::nothing, -std::log(e.sign * up), std::abs(up)});
      if (e.sign * down > 0)
        ties.push_back({e.to, LogTie::nothing, -std::log(e.sign * down), std::abs(down)});
    } else if ((up > 0 && down > 0) || (!e.bounded() && up < 0 && down < 0)) {
      const double forth_size = std::abs(up), back_size = std::abs(down);
      ties.push_back({e.from, e.to, std::log(back_size) - std::log(forth_size),
                      std::sqrt(forth_size) * std::sqrt(back_size)});
    }
  }
  Vector logs = solve_ties(nodes, ties);
  for (Index i = 0; i < nodes; ++i)
    if (storage_parameter_[lgn::at(i)] == fixed) logs[i] = 0;
  return logs.array().exp();
}

Vector NetworkStructure::project(const Matrix& a) const {
  Vector theta = Vector::Zero(parameters_);
  const Vector m = project_storages(a);
  for (std::size_t i = 0; i < nodes_.size(); ++i)
    if (storage_parameter_[i] != fixed)
      theta[storage_parameter_[i]] = std::log(m[static_cast<Index>(i)]);
  // Couplings share no entry with one another or with the rest, nor stiffnesses with dampers.
  std::vector<std::size_t> rest, of_either_sign;
  for (std::size_t e = 0; e < elements_.size(); ++e) {
    if (elements_[e].bounded()) rest.push_back(e);
    if (elements_[e].type == ElementType::stiffness) of_either_sign.push_back(e);
    if (elements_[e].type != ElementType::coupling || element_parameter_[e] == fixed) continue;
    double product = 0, square = 0;
    for (const auto& [row, col, value] : element_entries(elements_[e], m)) {
      product += value * a(row, col);
      square += value * value;
    }
    theta[element_parameter_[e]] = product / square;
  }
  project_together(a, m, rest, true, theta);
  project_together(a, m, of_either_sign, false, theta);
  return theta;
}

void NetworkStructure::project_together(const Matrix& a, const Vector& m,
                                        const std::vector<std::size_t>& rest, bool non_negative,
                                        Vector& theta) const {
  if (rest.empty()) return;
  // One equation for each entry that they touch.
  std::vector<Index> equation(lgn::at(n_ * n_), -1);
  std::vector<double> right;
  for (const std::size_t e : rest)
    for (const auto& entry : stencil(elements_[e]))
      if (Index& k = equation[lgn::at(entry.row * n_ + entry.col)]; k < 0) {
        k = static_cast<Index>(right.size());
        right.push_back(a(entry.row, entry.col));
      }
  const auto unknowns = static_cast<Index>(rest.size());
  Matrix rows = Matrix::Zero(static_cast<Index>(right.size()), unknowns);
  for (Index q = 0; q < unknowns; ++q)
    for (const auto& [row, col, value] : element_entries(elements_[rest[lgn::at(q)]], m))
      rows(equation[lgn::at(row * n_ + col)], q) = value;
  const Eigen::Map<const Vector> target(right.data(), rows.rows());
  // Rows of light nodes are large: columns of size one keep the least squares well scaled.
  const Vector size = rows.colwise().norm();
  rows = (rows * size.cwiseInverse().asDiagonal()).eval();
  Vector values = solve_least_squares(rows, target);
  if (non_negative && (values.array() < 0).any()) values = nonnegative_least_squares(rows, target);
  for (Index q = 0; q < unknowns; ++q)
    theta[element_parameter_[rest[lgn::at(q)]]] = values[q] / size[q];
}

}  // namespace lgn
