#include "lgn/physics/driven_system.h"

#include <array>
#include <cmath>
#include <utility>

#include "lgn/core/decompositions.h"
#include "lgn/core/error.h"
#include "lgn/core/stop.h"

namespace lgn {
namespace {

Index rank_of(const Vector& singular_values, double least) {
  return (singular_values.array() > least).count();
}

/// An orthonormal basis of the first `rank` left singular directions, completed to the whole space.
Matrix completed(const Matrix& columns, Index rank) {
  if (rank == 0) return Matrix::Identity(columns.rows(), columns.rows());
  return completed_basis(columns.leftCols(rank));
}

DrivenSystem transposed(const DrivenSystem& s) {
  return {s.a.transpose(), s.c.transpose(), s.b.transpose(), s.d.transpose(), s.delay};
}

/// In units in which A, rows of C and columns of B have size one. Zeros are then in units of the first.
std::pair<DrivenSystem, double> scaled(const DrivenSystem& s) {
  const double rate = s.a.norm() > 0 ? s.a.norm() : 1.0;
  const auto unit = [](const Vector& sizes) -> Vector {
    return sizes.unaryExpr([](double size) { return size > 0 ? 1 / size : 1.0; });
  };
  const Vector of_b = unit(s.b.colwise().norm()), of_c = unit(s.c.rowwise().norm());
  return {{s.a / rate, s.b * of_b.asDiagonal(), of_c.asDiagonal() * s.c,
           rate * of_c.asDiagonal() * s.d * of_b.asDiagonal()},
          rate};
}

/// The same zeros with D of full row rank: outputs that inputs do not reach at once hold states at zero, and what holds them
/// there are outputs in turn.
DrivenSystem with_full_rows(DrivenSystem s, double tolerance) {
  while (s.outputs() > 0 && s.states() > 0) {
    stop_point(1e2 * static_cast<double>(s.states() * s.states() * s.states()));
    Index direct = 0;
    Matrix turn = Matrix::Identity(s.outputs(), s.outputs());
    if (s.d.size() > 0) {
      const SingularValues found = singular_value_decomposition(s.d);
      direct = rank_of(found.s, tolerance);
      turn = completed(found.u, direct);
    }
    const Matrix c = turn.transpose() * s.c, d = turn.transpose() * s.d;
    const Index others = s.outputs() - direct;
    if (others == 0) return s;
    const Matrix silent = c.bottomRows(others);
    Index held = 0;
    Matrix basis = Matrix::Identity(s.states(), s.states());
    if (silent.size() > 0) {
      const SingularValues found = singular_value_decomposition(silent);
      held = rank_of(found.s, tolerance);
      basis = completed(found.v, held);
    }
    if (held == s.states()) return {};  // no state is free
    const Matrix gone = basis.leftCols(held), left = basis.rightCols(s.states() - held);
    DrivenSystem next;
    next.a = left.transpose() * s.a * left;
    next.b = left.transpose() * s.b;
    next.c.resize(direct + held, left.cols());
    next.c << c.topRows(direct) * left, gone.transpose() * s.a * left;
    next.d.resize(direct + held, s.inputs());
    next.d << d.topRows(direct), gone.transpose() * s.b;
    s = std::move(next);
    if (held == 0) return s;
  }
  return s;
}

}  // namespace

DrivenSystem DrivenSystem::pair(Index output, Index input) const {
  return {a, b.col(input), c.row(output), d.block(output, input, 1, 1), delay};
}

DrivenSystem SystemErrors::move(Index column, const DrivenSystem& system) const {
  DrivenSystem result{Matrix::Zero(system.a.rows(), system.a.cols()),
                      Matrix::Zero(system.b.rows(), system.b.cols()),
                      Matrix::Zero(system.c.rows(), system.c.cols()),
                      Matrix::Zero(system.d.rows(), system.d.cols())};
  for (std::size_t e = 0; e < entries.size(); ++e) {
    const auto& [matrix, row, at] = entries[e];
    Matrix& where = matrix == 'A'   ? result.a
                    : matrix == 'B' ? result.b
                    : matrix == 'C' ? result.c
                                    : result.d;
    where(row, at) = root(static_cast<Index>(e), column);
  }
  return result;
}

SystemErrors system_errors_from(const DrivenSystem& system, const Matrix& root) {
  SystemErrors result;
  const std::array<std::pair<char, const Matrix*>, 4> parts{
      {{'A', &system.a}, {'B', &system.b}, {'C', &system.c}, {'D', &system.d}}};
  if (!root.allFinite()) return result;
  std::vector<Index> moving;
  Index place = 0;
  for (const auto& [name, part] : parts)
    for (Index j = 0; j < part->cols(); ++j)
      for (Index i = 0; i < part->rows(); ++i, ++place) {
        if (root.row(place).isZero(0)) continue;
        result.entries.push_back({name, i, j});
        moving.push_back(place);
      }
  result.root = root(moving, Eigen::all);
  if (result.root.cols() > result.root.rows() && result.root.rows() > 0)
    result.root = qr_triangle(result.root.transpose()).transpose().eval();
  return result;
}

ComplexVector transmission_zeros(const DrivenSystem& system, double tolerance) {
  if (!system.a.allFinite() || !system.b.allFinite() || !system.c.allFinite() ||
      !system.d.allFinite())
    throw Error("the system has entries that are not finite");
  const auto [start, rate] = scaled(system);
  DrivenSystem s = with_full_rows(start, tolerance);
  if (s.outputs() == 0) return {};
  s = transposed(with_full_rows(transposed(s), tolerance));
  if (s.inputs() == 0 || s.states() == 0) return {};
  const auto inner = solve_well_conditioned(s.d, s.c, 0);
  if (!inner) return {};
  return rate * eigenvalues(s.a - s.b * *inner);
}

}  // namespace lgn
