#include "lgn/identify/realisation/modal_realisation.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <tuple>

#include "lgn/core/decompositions.h"
#include "lgn/core/stop.h"

namespace lgn {
namespace {

constexpr double least_modulus = 1e-3;
constexpr double least_turn = 1e-12;  ///< per sample: a pair stays one

struct ShiftMap {
  Index shift;
  Matrix map;
};

Matrix block_rows(const Matrix& basis, const std::vector<Index>& lags, Index channels) {
  Matrix rows(std::ssize(lags) * channels, basis.cols());
  for (Index i = 0; i < std::ssize(lags); ++i)
    rows.middleRows(i * channels, channels) =
        basis.middleRows(lags[static_cast<std::size_t>(i)] * channels, channels);
  return rows;
}

/// The X with the least ‖from X − to‖. Rows of an orthonormal basis are nearly orthonormal themselves: their normal equations are
/// then solved to rounding, in a fraction of the time.
Matrix shift_map(const Matrix& from, const Matrix& to) {
  constexpr double least_pivot = 0.1;
  Matrix gram = Matrix::Zero(from.cols(), from.cols());
  gram.selfadjointView<Eigen::Lower>().rankUpdate(from.transpose());
  const Matrix root = cholesky(gram);
  if (!(root.diagonal().minCoeff() > least_pivot)) return solve_minimum_norm(from, to);
  return solve_lower_transposed(root, solve_lower(root, from.transpose() * to));
}

std::vector<ShiftMap> shift_maps(const Matrix& basis, const LagLattice& lattice, Index channels) {
  std::vector<ShiftMap> maps;
  for (const Index shift : lattice.shifts) {
    const auto [from, to] = lattice.pairs(shift);
    if (std::ssize(from) * channels < basis.cols()) continue;
    stop_point(2 * static_cast<double>(basis.size()) * static_cast<double>(basis.cols()));
    maps.push_back(
        {shift, shift_map(block_rows(basis, from, channels), block_rows(basis, to, channels))});
  }
  return maps;
}

/// Weights that differ, so that modes which one shift takes for the same are told apart by the sum.
Matrix weighted_sum(const std::vector<ShiftMap>& maps) {
  Matrix sum = Matrix::Zero(maps.front().map.rows(), maps.front().map.cols());
  double weight = 1;
  for (const auto& [shift, map] : maps) {
    sum += weight * map;
    weight += 0.37;
  }
  return sum;
}

/// λ per sample from μ of all shifts, smallest first.
Complex pole_of(const std::vector<ShiftMap>& maps, const ComplexVector& right,
                const ComplexVector& left, bool real) {
  Complex pole = 0;
  double precision = 0;
  for (const auto& [shift, map] : maps) {
    const Complex mu = left.dot(map * right);
    const double s = static_cast<double>(shift), modulus = std::max(std::abs(mu), least_modulus);
    const double here = s * std::min(modulus, 1 / modulus);
    if (here <= precision) continue;
    const double turn = 2 * std::numbers::pi, angle = real ? 0 : std::arg(mu);
    const double turns = precision > 0 ? std::round((pole.imag() * s - angle) / turn) : 0;
    pole = Complex(std::log(modulus), angle + turns * turn) / s;
    precision = here;
  }
  return pole;
}

/// The shape for which shape·z^L is closest to the mode's rows, |z| ≤ 1.
ComplexVector shape_of(const ComplexVector& rows, Complex pole, const LagLattice& lattice,
                       Index channels) {
  ComplexVector shape = ComplexVector::Zero(channels);
  const Complex decay(-std::abs(pole.real()), pole.imag());
  for (Index i = 0; i < std::ssize(lattice.lags); ++i) {
    const auto lag = static_cast<double>(lattice.lags[static_cast<std::size_t>(i)]);
    shape += std::exp(std::conj(decay) * lag) * rows.segment(i * channels, channels);
  }
  const double norm = shape.norm();
  return norm > 0 ? ComplexVector(shape / norm) : shape;
}

}  // namespace

double modal_assurance(const ComplexVector& a, const ComplexVector& b) {
  const double sizes = a.squaredNorm() * b.squaredNorm();
  return sizes > 0 ? std::norm(a.dot(b)) / sizes : 0;
}

Realisation stable_realisation(std::vector<ShapedPole> modes, double least_damping) {
  Index order = 0;
  for (auto& [pole, shape] : modes) {
    pole.real(-std::max(std::abs(pole.real()), least_damping));
    order += pole.imag() > 0 ? 2 : 1;
  }
  std::stable_sort(modes.begin(), modes.end(), [](const ShapedPole& a, const ShapedPole& b) {
    return std::tuple(a.pole.imag(), a.pole.real()) < std::tuple(b.pole.imag(), b.pole.real());
  });
  Realisation all{ComplexVector(order), ComplexMatrix(modes.front().shape.size(), order)};
  Index k = 0;
  for (const auto& [pole, shape] : modes) {
    all.poles[k] = pole;
    all.shapes.col(k++) = shape;
    if (pole.imag() == 0) continue;
    all.poles[k] = std::conj(pole);
    all.shapes.col(k++) = shape.conjugate();
  }
  return all;
}

std::optional<std::vector<ShapedPole>> shift_modes(const Matrix& basis, const LagLattice& lattice) {
  const Index channels = basis.rows() / std::ssize(lattice.lags);
  const auto maps = shift_maps(basis, lattice, channels);
  if (maps.empty()) return std::nullopt;
  const Matrix sum = weighted_sum(maps);
  if (!sum.allFinite()) return std::nullopt;
  const Eigensystem system = eigensystem(sum);
  if (!system.left.allFinite()) return std::nullopt;
  std::vector<ShapedPole> modes;
  for (Index k = 0; k < system.values.size(); ++k) {
    if (system.values[k].imag() < 0) continue;
    const ComplexVector right = system.right.col(k), left = system.left.col(k);
    const bool real = system.values[k].imag() == 0;
    const Complex pole = pole_of(maps, right, left, real);
    ComplexVector shape = shape_of(basis * right, pole, lattice, channels);
    // Which of two conjugates has Im λ > 0 the sum does not tell.
    if (pole.imag() < 0) shape = shape.conjugate().eval();
    const double turn = real ? 0 : std::max(std::abs(pole.imag()), least_turn);
    modes.push_back({Complex(pole.real(), turn), shape});
  }
  return modes;
}

}  // namespace lgn
