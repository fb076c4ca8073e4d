#include "lgn/flow/condensed_flow.h"

#include <algorithm>

#include "lgn/core/decompositions.h"
#include "lgn/core/stop.h"

namespace lgn {
namespace {

/// Polynomials up to this degree: poles may move by a tenth of a radian over half a block before what they leave is seen.
constexpr Index degree = 7;
/// Directions of functions this far below the strongest are rounding; what trajectories may have outside of the functions.
constexpr double same = 1e-14, to_rounding = 1e-13;

/// Legendre's polynomials at the middle of each of m cells of [−1, 1], one column each.
Matrix polynomials(Index m) {
  Matrix p = Matrix::Ones(m, degree + 1);
  const auto cells = static_cast<double>(m);
  const Vector x = (2 * Vector::LinSpaced(m, 0, cells - 1).array() + 1) / cells - 1;
  p.col(1) = x;
  for (Index q = 1; q < degree; ++q) {
    const auto d = static_cast<double>(q);
    p.col(q + 1) = ((2 * d + 1) * x.cwiseProduct(p.col(q)) - d * p.col(q - 1)) / (d + 1);
  }
  return p;
}

/// An orthonormal basis of what these columns span, whatever their sizes.
Matrix span_of(Matrix columns) {
  for (Index k = 0; k < columns.cols(); ++k) {
    const double size = columns.col(k).norm();
    if (size > 0) columns.col(k) /= size;
  }
  const SingularValues svd = singular_value_decomposition(columns);
  const Index rank = (svd.s.array() > same * svd.s[0]).count();
  return svd.u.leftCols(rank);
}

/// Column r of each block's first row of samples: a view of state i of start j over time, n × m with columns n starts apart.
auto samples_of(const Matrix& states, Index start, Index starts, Index m) {
  return Eigen::Map<const Matrix, 0, Eigen::OuterStride<>>(
      states.data() + start * states.rows(), states.rows(), m,
      Eigen::OuterStride<>(starts * states.rows()));
}

}  // namespace

BlockFunctions::BlockFunctions(const Matrix& a, double step, Index block, bool constant) {
  const Index n = a.rows();
  const Matrix states = UniformFlow(a, step, block).states(Matrix::Identity(n, n));
  Matrix entries(block, n * n);
  for (Index j = 0; j < n; ++j)
    entries.middleCols(j * n, n) = samples_of(states, j, n, block).transpose();
  entries = span_of(std::move(entries));
  const Matrix p = polynomials(block);
  Matrix all(block, entries.cols() * p.cols() + (constant ? 1 : 0));
  for (Index q = 0; q < p.cols(); ++q)
    all.middleCols(q * entries.cols(), entries.cols()) = p.col(q).asDiagonal() * entries;
  if (constant) all.rightCols(1).setOnes();
  u_ = span_of(std::move(all));
}

Matrix BlockFunctions::condense(const Matrix& samples, const Vector& offset, Vector& left) const {
  const Index m = block(), blocks = samples.cols() / m, rest = samples.cols() % m;
  Matrix result(samples.rows(), condensed(samples.cols()));
  Matrix part(samples.rows(), m);
  for (Index b = 0; b < blocks; ++b) {
    stop_point(static_cast<double>(part.size() * size()));
    part = samples.middleCols(b * m, m).colwise() - offset;
    auto products = result.middleCols(b * size(), size());
    products.noalias() = part * u_;
    // Differences of squares would lose what is small.
    part.noalias() -= products * u_.transpose();
    left += part.rowwise().squaredNorm();
  }
  result.rightCols(rest) = samples.rightCols(rest).colwise() - offset;
  return result;
}

Vector BlockFunctions::of_ones(Index samples) const {
  const Index blocks = samples / block();
  Vector result = Vector::Ones(condensed(samples));
  result.head(blocks * size()) = u_.colwise().sum().transpose().replicate(blocks, 1);
  return result;
}

CondensedFlow::CondensedFlow(const ConstantStructure& structure, const Vector& theta, double step,
                             Index samples, std::shared_ptr<const BlockFunctions> functions)
    : structure_(structure),
      theta_(theta),
      observation_(structure.observation(theta)),
      functions_(std::move(functions)),
      blocks_(samples / functions_->block()),
      rest_(samples % functions_->block()),
      samples_(functions_->condensed(samples)),
      flow_(structure.generator(theta), step, samples, functions_->block()) {
  // What is asked about at once stays in the cache of a core.
  constexpr Index numbers = 125'000;
  const Index n = structure.dimension(), m = functions_->block();
  const Index widest = n * std::max(n, structure.parameters()) * functions_->size();
  together_ = std::clamp<Index>(numbers / widest, 1, std::max<Index>(1, blocks_ / 2));
  const Matrix states = flow_.within(m).states(Matrix::Identity(n, n));
  within_.resize(functions_->size() * n, n);
  double outside = 0;
  const Matrix& u = functions_->columns();
  for (Index j = 0; j < n; ++j) {
    const auto course = samples_of(states, j, n, m);
    const Matrix product = course * u;
    within_.col(j) = product.reshaped();
    outside += (course - product * u.transpose()).squaredNorm();
  }
  fits_ = outside <= to_rounding * to_rounding * states.squaredNorm();
  if (rest_ > 0) after_ = flow_.within(rest_).maps() * flow_.reached(blocks_);
}

Matrix CondensedFlow::maps_of(Index first, Index count) const {
  const Index n = structure_.dimension(), size = functions_->size(), whole = blocks_ * size;
  Matrix result(count * n, n);
  stop_point(0.2 * static_cast<double>(result.size() * n) + 1000);
  for (Index k = first; k < std::min(first + count, whole); k += size)
    result.middleRows((k - first) * n, size * n).noalias() = within_ * flow_.reached(k / size);
  const Index begin = std::max(first, whole), of_rest = first + count - begin;
  if (of_rest > 0)
    result.bottomRows(of_rest * n) = after_.middleRows((begin - whole) * n, of_rest * n);
  return result;
}

void CondensedFlow::find_derivatives() const {
  if (!derivatives_.empty()) return;
  directions_ = structure_.directions(theta_);
  const Index n = structure_.dimension(), m = functions_->block();
  const UniformFlow& flow = flow_.within(m);
  const Matrix states = flow.states(Matrix::Identity(n, n));
  for (Index q = 0; q < theta_.size(); ++q) {
    const Matrix changes = flow.derivative(directions_.middleRows(q * n, n), states);
    Matrix& found = derivatives_.emplace_back(within_.rows(), n);
    for (Index j = 0; j < n; ++j)
      found.col(j) = (samples_of(changes, j, n, m) * functions_->columns()).reshaped();
  }
}

Matrix CondensedFlow::jacobian_of(const Matrix& x0, Index first, Index count) const {
  find_derivatives();
  const Index n = structure_.dimension(), p = theta_.size(), runs = x0.cols(),
              size = functions_->size(), whole = blocks_ * size;
  Matrix result(p * runs, count * n);
  Matrix changes(size * n, p);
  for (Index k = first; k < std::min(first + count, whole); k += size) {
    stop_point(static_cast<double>(changes.size() * n * runs));
    const auto b = static_cast<std::size_t>(k / size);
    const Matrix& reached = flow_.reached_derivatives(directions_, b);
    for (Index r = 0; r < runs; ++r) {
      const Vector begins = flow_.reached(k / size) * x0.col(r);
      changes.noalias() = within_ * (reached * x0.col(r)).reshaped(n, p);
      for (Index q = 0; q < p; ++q)
        changes.col(q).noalias() += derivatives_[static_cast<std::size_t>(q)] * begins;
      for (Index i = 0; i < n; ++i)
        for (Index f = 0; f < size; ++f)
          result.block(r * p, i * count + k - first + f, p, 1) = changes.row(f * n + i).transpose();
    }
  }
  const Index begin = std::max(first, whole), of_rest = first + count - begin;
  if (of_rest > 0) {
    const Matrix& reached =
        flow_.reached_derivatives(directions_, static_cast<std::size_t>(blocks_));
    Matrix starts(p * runs, n);
    for (Index r = 0; r < runs; ++r)
      starts.middleRows(r * p, p) = (reached * x0.col(r)).reshaped(n, p).transpose();
    const UniformFlow& flow = flow_.within(rest_);
    const Matrix all =
        flow.derivatives(directions_, flow.states(flow_.reached(blocks_) * x0), starts);
    for (Index i = 0; i < n; ++i)
      result.middleCols(i * count + begin - first, of_rest) =
          all.middleCols(i * rest_ + begin - whole, of_rest);
  }
  return result;
}

Matrix CondensedFlow::tangent(const Vector& delta, const Matrix& x0) const {
  const Matrix changes = jacobian(x0);
  const Index n = structure_.dimension(), p = delta.size();
  Matrix result(samples_ * n, x0.cols());
  for (Index r = 0; r < x0.cols(); ++r)
    result.col(r).reshaped(n, samples_) =
        (delta.transpose() * changes.middleRows(r * p, p)).reshaped(samples_, n).transpose();
  return result;
}

Flow::Gradient CondensedFlow::adjoint(const Matrix& states, const Matrix& pull) const {
  const Index n = structure_.dimension(), p = theta_.size();
  // The first block is what its start makes of it.
  const Matrix x0 = solve_minimum_norm(within_, states.topRows(within_.rows()));
  const Matrix changes = jacobian(x0);
  Vector theta = Vector::Zero(p);
  for (Index r = 0; r < pull.cols(); ++r)
    theta +=
        changes.middleRows(r * p, p) * pull.col(r).reshaped(n, samples_).transpose().reshaped();
  return {theta, adjoint_x0(pull)};
}

}  // namespace lgn
