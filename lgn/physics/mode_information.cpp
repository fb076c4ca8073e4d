#include <algorithm>
#include <cmath>
#include <limits>

#include "lgn/core/decompositions.h"
#include "lgn/core/inverse_root.h"
#include "lgn/physics/uncertainty.h"

namespace lgn {
namespace {

/// Real parameters of conjugate pairs, (Re, |Im|) side by side, to the complex pair itself.
ComplexMatrix conjugate_pairs(const ComplexVector& values) {
  const Index n = values.size();
  ComplexMatrix result = ComplexMatrix::Zero(n, n);
  for (Index k = 0; k < n; ++k) {
    result(k, k) = 1;
    if (values[k].imag() == 0 || k + 1 == n) continue;
    const Complex turn(0, values[k].imag() > 0 ? 1 : -1);
    result(k + 1, k) = 1;
    result(k, k + 1) = turn;
    result(k + 1, k + 1) = -turn;
    ++k;
  }
  return result;
}

/// The modes that some run shows, in the order of the poles.
struct VisibleModes {
  std::vector<Index> index;
  ComplexVector values;
  ComplexMatrix shapes;      ///< columns v_k relative to the noise of each channel
  ComplexMatrix amplitudes;  ///< a_kr, row k of run r
};

VisibleModes find_visible(const Matrix& a, const Matrix& initial_states, const Vector& noise) {
  const Eigensystem system = eigensystem(a);
  const ComplexMatrix amplitudes = system.left.adjoint() * initial_states.cast<Complex>();
  const double largest = amplitudes.cwiseAbs().maxCoeff();
  VisibleModes modes;
  for (Index k = 0; k < a.rows(); ++k)
    if (amplitudes.row(k).cwiseAbs().maxCoeff() > 1e-15 * largest) modes.index.push_back(k);
  const auto count = static_cast<Index>(modes.index.size());
  modes.values.resize(count);
  modes.shapes.resize(a.rows(), count);
  modes.amplitudes.resize(count, initial_states.cols());
  for (Index j = 0; j < count; ++j) {
    const Index k = modes.index[static_cast<std::size_t>(j)];
    modes.values[j] = system.values[k];
    modes.shapes.col(j) = noise.cwiseInverse().cast<Complex>().cwiseProduct(system.right.col(k));
    modes.amplitudes.row(j) = amplitudes.row(k);
  }
  return modes;
}

/// Columns over all samples of all runs.
struct Design {
  ComplexMatrix shapes;     ///< a_kr e^(λ_k t): what multiplies v_k
  ComplexMatrix exponents;  ///< t a_kr e^(λ_k t): what multiplies dλ_k v_k
  /// e^(λ_k t) of one run: what multiplies da_kr v_k. The largest amplitude of each mode is fixed,
  /// its scale belongs to the shape.
  ComplexMatrix amplitudes;
  std::vector<Index> amplitude_mode;
};

Design make_design(const VisibleModes& modes, const Dataset& data) {
  const Index n = modes.values.size();
  Design design;
  design.shapes = ComplexMatrix::Zero(data.samples(), n);
  design.exponents = design.shapes;
  std::vector<std::pair<Index, Index>> free;  // mode, run
  for (Index k = 0; k < n; ++k) {
    Index fixed = 0;
    modes.amplitudes.row(k).cwiseAbs().maxCoeff(&fixed);
    for (Index r = 0; r < modes.amplitudes.cols(); ++r)
      if (r != fixed) free.emplace_back(k, r);
  }
  design.amplitudes = ComplexMatrix::Zero(data.samples(), static_cast<Index>(free.size()));
  for (const auto& [mode, run] : free) design.amplitude_mode.push_back(mode);
  Index row = 0;
  for (std::size_t r = 0; r < data.runs().size(); ++r) {
    const auto& run = data.runs()[r];
    const Vector time = run.times().array() - run.times()[0];
    const ComplexMatrix growth = (time.cast<Complex>() * modes.values.transpose()).array().exp();
    const ComplexMatrix part = growth * modes.amplitudes.col(static_cast<Index>(r)).asDiagonal();
    design.shapes.middleRows(row, run.samples()) = part;
    design.exponents.middleRows(row, run.samples()) = time.asDiagonal() * part;
    for (std::size_t f = 0; f < free.size(); ++f)
      if (free[f].second == static_cast<Index>(r))
        design.amplitudes.block(row, static_cast<Index>(f), run.samples(), 1) =
            growth.col(free[f].first);
    row += run.samples();
  }
  return design;
}

}  // namespace

PoleCovariances pole_covariances_of_modes(const Matrix& a, const Matrix& initial_states,
                                          const Dataset& data, const Vector& noise) {
  const Eigen::Matrix2d unknown =
      Eigen::Matrix2d::Identity() * std::numeric_limits<double>::infinity();
  PoleCovariances result(static_cast<std::size_t>(a.rows()), unknown);
  const VisibleModes modes = find_visible(a, initial_states, noise);
  const Index n = modes.values.size();
  Design design = make_design(modes, data);
  if (n == 0 || !design.exponents.allFinite()) return result;

  // What shapes cannot imitate, then what amplitudes cannot either.
  const Index extra = design.amplitudes.cols();
  ComplexMatrix moved(data.samples(), n + extra);
  moved << design.exponents, design.amplitudes;
  moved = outside_of_range(design.shapes, moved);
  ComplexMatrix shapes(modes.shapes.rows(), n + extra);
  shapes.leftCols(n) = modes.shapes;
  for (Index f = 0; f < extra; ++f)
    shapes.col(n + f) = modes.shapes.col(design.amplitude_mode[static_cast<std::size_t>(f)]);
  const ComplexMatrix information =
      (moved.adjoint() * moved).cwiseProduct(shapes.adjoint() * shapes);

  // The amplitudes are free complex numbers; conjugate modes have conjugate ones, so that the sums
  // over both stay real.
  ComplexMatrix schur = information.topLeftCorner(n, n);
  if (extra > 0)
    schur -= information.topRightCorner(n, extra) *
             complex_solve_minimum_norm(information.bottomRightCorner(extra, extra),
                                        information.bottomLeftCorner(extra, n));
  const ComplexMatrix pairs = conjugate_pairs(modes.values);
  const Matrix f = (pairs.adjoint() * schur * pairs).real();
  const Matrix root = inverse_root(f);
  for (Index k = 0; k < n; ++k) {
    const bool pair = modes.values[k].imag() != 0 && k + 1 < n;
    const auto place = static_cast<std::size_t>(modes.index[static_cast<std::size_t>(k)]);
    if (!(f(k, k) > 0)) {
      k += pair ? 1 : 0;
      continue;
    }
    if (!pair) {
      result[place] << root.row(k).squaredNorm(), 0, 0, 0;
      continue;
    }
    // The second parameter is |Im λ|, which falls where Im λ < 0 grows.
    const Eigen::Matrix2d covariance = root.middleRows(k, 2) * root.middleRows(k, 2).transpose();
    result[place + 1] = covariance;
    result[place] = covariance;
    result[place](0, 1) = result[place](1, 0) = -covariance(0, 1);
    ++k;
  }
  return result;
}

}  // namespace lgn
