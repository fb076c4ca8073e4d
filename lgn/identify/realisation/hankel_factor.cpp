#include "lgn/identify/realisation/hankel_factor.h"

#include <algorithm>

#include "lgn/core/decompositions.h"
#include "lgn/core/stop.h"

namespace lgn {
namespace {

constexpr double most_products = 1e9;
constexpr double singular = 1e-11;
constexpr Index columns_per_row = 8;  ///< up to this many QR is cheap
constexpr Index block_columns = 512;

struct Column {
  const Matrix* run;
  Index begin;
};

/// At most about `most` columns of H, evenly spread.
std::vector<Column> spread_columns(const std::vector<Matrix>& runs, Index aperture, Index most) {
  Index all = 0;
  for (const auto& run : runs) all += std::max<Index>(0, run.cols() - aperture);
  const Index stride = std::max<Index>(1, (all + most - 1) / most);
  std::vector<Column> columns;
  for (const auto& run : runs)
    for (Index j = 0; j + aperture < run.cols(); j += stride) columns.push_back({&run, j});
  return columns;
}

/// Columns first, first + 1, … of H, as columns.
Matrix hankel_columns(const std::vector<Column>& columns, Index first, Index count,
                      const LagLattice& lattice) {
  const Index channels = columns.front().run->rows(), lags = std::ssize(lattice.lags);
  Matrix h(channels * lags, count);
  for (Index j = 0; j < count; ++j) {
    const auto& [run, begin] = columns[static_cast<std::size_t>(first + j)];
    if (channels == 1) {
      const double* const values = run->data() + begin;
      double* to = h.col(j).data();
      for (const Index lag : lattice.lags) *to++ = values[lag];
      continue;
    }
    for (Index i = 0; i < lags; ++i)
      h.col(j).segment(i * channels, channels) =
          run->col(begin + lattice.lags[static_cast<std::size_t>(i)]);
  }
  return h;
}

Matrix factor_by_qr(const std::vector<Column>& columns, const LagLattice& lattice, bool centred) {
  Matrix h = hankel_columns(columns, 0, std::ssize(columns), lattice);
  stop_point(0.3 * static_cast<double>(h.rows()) * static_cast<double>(h.size()));
  if (centred) h.colwise() -= h.rowwise().mean().eval();
  return qr_triangle(h.transpose()).transpose();
}

/// NaN or tiny pivots where H Hᵀ is singular.
Matrix factor_by_gram(const std::vector<Column>& columns, const LagLattice& lattice, bool centred) {
  const Index rows = columns.front().run->rows() * std::ssize(lattice.lags);
  const Index count = std::ssize(columns);
  Matrix gram = Matrix::Zero(rows, rows);
  Vector sum = Vector::Zero(rows);
  for (Index first = 0; first < count; first += block_columns) {
    const Matrix block =
        hankel_columns(columns, first, std::min(block_columns, count - first), lattice);
    stop_point(0.05 * static_cast<double>(rows) * static_cast<double>(block.size()));
    gram.selfadjointView<Eigen::Lower>().rankUpdate(block);
    sum += block.rowwise().sum();
  }
  if (centred)
    gram.selfadjointView<Eigen::Lower>().rankUpdate(sum, -1 / static_cast<double>(count));
  return cholesky(gram);
}

bool well_conditioned(const Matrix& factor) {
  const auto pivots = factor.diagonal().array().square();
  return pivots.minCoeff() > singular * factor.rowwise().squaredNorm().maxCoeff();
}

}  // namespace

Matrix hankel_factor(const std::vector<Matrix>& runs, const LagLattice& lattice, bool centred) {
  if (runs.empty()) return {};
  const Index rows = runs.front().rows() * std::ssize(lattice.lags), few = columns_per_row * rows;
  const double square = static_cast<double>(rows) * static_cast<double>(rows);
  const auto most = std::max(few, static_cast<Index>(most_products / square));
  const auto columns = spread_columns(runs, lattice.aperture(), most);
  if (columns.empty()) return {};
  if (std::ssize(columns) <= few) return factor_by_qr(columns, lattice, centred);
  const Matrix factor = factor_by_gram(columns, lattice, centred);
  if (well_conditioned(factor)) return factor;
  return factor_by_qr(spread_columns(runs, lattice.aperture(), few), lattice, centred);
}

}  // namespace lgn
