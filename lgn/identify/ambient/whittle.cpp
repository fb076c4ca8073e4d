#include "lgn/identify/ambient/whittle.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "lgn/core/stop.h"
#include "lgn/flow/exponential.h"

namespace lgn {
namespace {

/// Of a block: one or two rows.
using Small = Eigen::Matrix<Complex, Eigen::Dynamic, Eigen::Dynamic, 0, 2, 2>;

Small inverse(const Small& a) {
  if (a.rows() == 1) return Small::Constant(1, 1, 1.0 / a(0, 0));
  const Complex determinant = a(0, 0) * a(1, 1) - a(0, 1) * a(1, 0);
  Small result(2, 2);
  result << a(1, 1), -a(0, 1), -a(1, 0), a(0, 0);
  return result / determinant;
}

/// exp(A t) of a block and its slopes along E.
struct StepOfBlock {
  Small map;
  std::array<Small, 2> slopes;
};

StepOfBlock step_of_block(const Matrix& a, const std::vector<Matrix>& directions, double time) {
  const Exponential exponential(a * time);
  StepOfBlock result{exponential.value().cast<Complex>(), {}};
  for (std::size_t q = 0; q < directions.size(); ++q)
    result.slopes[q] = exponential.derivative(directions[q] * time).cast<Complex>();
  return result;
}

/// Hermitian matrices as real columns with the same products: tr(X Y) = xᵀ y.
template <class Column>
void as_reals(const ComplexMatrix& x, Column column) {
  const Index l = x.rows();
  Index row = 0;
  for (Index j = 0; j < l; ++j) {
    column[row++] = x(j, j).real();
    for (Index i = j + 1; i < l; ++i) {
      column[row++] = std::sqrt(2.0) * x(i, j).real();
      column[row++] = std::sqrt(2.0) * x(i, j).imag();
    }
  }
}

/// X + Xᴴ for X = a b, a column and a row, the same way.
template <class Column>
void outer_as_reals(const ComplexVector& a, const Eigen::RowVectorXcd& b, Column column) {
  const Index l = a.size();
  Index row = 0;
  for (Index j = 0; j < l; ++j) {
    column[row++] = 2 * (a[j] * b[j]).real();
    for (Index i = j + 1; i < l; ++i) {
      const Complex sum = a[i] * b[j] + std::conj(a[j] * b[i]);
      column[row++] = std::sqrt(2.0) * sum.real();
      column[row++] = std::sqrt(2.0) * sum.imag();
    }
  }
}

/// So many channels, mostly, for which calls of BLAS take longer than the arithmetic; and those of OpenBLAS 0.3.21 for
/// AVX-512 read beyond the end of small complex matrices.
constexpr int few = 6;
using FewChannels =
    Eigen::Matrix<Complex, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor, few, few>;

/// The Cholesky factor, computed in another type of matrix; whether there is one.
template <class Type>
bool factorise(const ComplexMatrix& matrix, ComplexMatrix& root) {
  const Eigen::LLT<Type> factor(Type{matrix});
  if (factor.info() != Eigen::Success) return false;
  root = factor.matrixL();
  return true;
}

}  // namespace

struct WhittleLikelihood::Blocks {
  struct One {
    ModalStructure::Block at;
    StepOfBlock step, record;  ///< over one sample, and over all of them
    std::size_t rates = 0;     ///< how many
  };
  std::vector<One> all;
};

struct WhittleLikelihood::Place {
  ComplexMatrix c_t, t_g, spectrum, root;
  std::vector<std::array<Small, 2>> slopes;  ///< of T's blocks
};

WhittleLikelihood::WhittleLikelihood(std::vector<SpectralCell> cells,
                                     const ModalStructure& structure, double step, Index samples)
    : cells_(std::move(cells)), structure_(structure), step_(step), samples_(samples) {}

Index WhittleLikelihood::unknowns() const {
  const Index l = structure_.channels();
  return structure_.parameters() + structure_.dimension() * l + l * (l + 1) / 2;
}

Vector WhittleLikelihood::packed(const AmbientParameters& parameters) const {
  const Index p = structure_.parameters(), l = structure_.channels();
  Vector phi(unknowns());
  phi.head(p) = parameters.theta;
  phi.segment(p, parameters.g.size()) = parameters.g.reshaped();
  Index place = p + parameters.g.size();
  for (Index b = 0; b < l; ++b)
    for (Index a = b; a < l; ++a) phi[place++] = parameters.variance(a, b);
  return phi;
}

AmbientParameters WhittleLikelihood::unpacked(const Vector& phi) const {
  const Index p = structure_.parameters(), n = structure_.dimension(), l = structure_.channels();
  AmbientParameters result{phi.head(p), phi.segment(p, n * l).reshaped(n, l), Matrix(l, l)};
  Index place = p + n * l;
  for (Index b = 0; b < l; ++b)
    for (Index a = b; a < l; ++a) result.variance(a, b) = result.variance(b, a) = phi[place++];
  return result;
}

double WhittleLikelihood::values() const {
  double lines = 0;
  for (const auto& cell : cells_) lines += cell.lines;
  return 2 * lines * static_cast<double>(structure_.channels());
}

std::unique_ptr<const WhittleLikelihood::Blocks> WhittleLikelihood::blocks(const Vector& theta,
                                                                           bool slopes) const {
  auto result = std::make_unique<Blocks>();
  const Matrix a = structure_.generator(theta);
  for (const auto& block : structure_.blocks()) {
    const Matrix own = a.block(block.state, block.state, block.size(), block.size());
    std::vector<Matrix> directions;
    const std::size_t rates = block.pair && !structure_.lossless() ? 2 : 1;
    for (std::size_t q = 0; slopes && q < rates; ++q) {
      Vector along = Vector::Zero(theta.size());
      along[block.rates + static_cast<Index>(q)] = 1;
      directions.push_back(structure_.pushforward(theta, along)
                               .block(block.state, block.state, block.size(), block.size()));
    }
    result->all.push_back({block, step_of_block(own, directions, step_),
                           step_of_block(own, directions, step_ * static_cast<double>(samples_)),
                           rates});
  }
  return result;
}

bool WhittleLikelihood::evaluate(const Blocks& blocks, const AmbientParameters& at, const Matrix& c,
                                 double frequency, bool slopes, Place& place) const {
  const Index n = structure_.dimension(), l = structure_.channels();
  const Complex turn = std::polar(1.0, -frequency * step_);
  const double share = 1.0 / static_cast<double>(samples_);
  place.c_t.resize(l, n);
  place.t_g.resize(n, l);
  place.slopes.resize(blocks.all.size());
  for (std::size_t b = 0; b < blocks.all.size(); ++b) {
    const auto& block = blocks.all[b];
    const Index size = block.at.size(), first = block.at.state;
    const Small one = Small::Identity(size, size);
    const Small v = inverse(one - turn * block.step.map);
    const Small rest = one - block.record.map, before = v - one;
    const Small t = before - share * before * rest * v;
    place.c_t.middleCols(first, size).noalias() = c.middleCols(first, size) * t;
    place.t_g.middleRows(first, size).noalias() = t * at.g.middleRows(first, size);
    for (std::size_t q = 0; slopes && q < block.rates; ++q) {
      const Small dv = v * (turn * block.step.slopes[q]) * v;
      place.slopes[b][q] =
          dv - share * (dv * rest * v - before * block.record.slopes[q] * v + before * rest * dv);
    }
  }
  const ComplexMatrix half = place.c_t * at.g;
  place.spectrum = at.variance + half + half.adjoint();
  if (!place.spectrum.allFinite()) return false;
  return place.spectrum.rows() <= few ? factorise<FewChannels>(place.spectrum, place.root)
                                      : factorise<ComplexMatrix>(place.spectrum, place.root);
}

double WhittleLikelihood::cost(const Vector& phi) const {
  const AmbientParameters at = unpacked(phi);
  const Matrix c = structure_.observation(at.theta).matrix();
  const auto now = blocks(at.theta, false);
  Place place;
  double sum = 0;
  for (const SpectralCell& cell : cells_) {
    stop_point(30.0 * static_cast<double>(c.size()) + 300);
    if (!evaluate(*now, at, c, cell.frequency, false, place))
      return std::numeric_limits<double>::infinity();
    const ComplexMatrix scaled = place.root.triangularView<Eigen::Lower>().solve(cell.periodogram);
    const ComplexMatrix both =
        place.root.triangularView<Eigen::Lower>().solve(scaled.adjoint().eval());
    const double log_determinant = 2 * place.root.diagonal().real().array().log().sum();
    sum += cell.lines * (log_determinant + both.trace().real());
  }
  return std::isfinite(sum) ? 2 * sum : std::numeric_limits<double>::infinity();
}

WhittleLikelihood::Normal WhittleLikelihood::linearise(const Vector& phi) const {
  const AmbientParameters at = unpacked(phi);
  const Matrix c = structure_.observation(at.theta).matrix();
  const auto now = blocks(at.theta, true);
  const Index l = structure_.channels(), n = structure_.dimension(), p = structure_.parameters();
  const Index unknown = unknowns(), rows = l * l;
  constexpr Index together = 64;
  Matrix columns(rows * together, unknown);
  Normal normal{Vector::Zero(unknown), Matrix::Zero(unknown, unknown)};
  Place place;
  Vector left(rows);
  Index waiting = 0;
  const auto add = [&] {
    const auto part = columns.topRows(rows * waiting);
    normal.information.selfadjointView<Eigen::Lower>().rankUpdate(part.transpose());
    waiting = 0;
    stop_point(0.1 * static_cast<double>(rows * together) * static_cast<double>(unknown) *
               static_cast<double>(unknown));
  };
  for (const SpectralCell& cell : cells_) {
    if (!evaluate(*now, at, c, cell.frequency, true, place)) continue;
    const auto lower = place.root.triangularView<Eigen::Lower>();
    // L⁻¹ of the unit vectors, of C T, and of C; T G L⁻ᴴ and G L⁻ᴴ.
    const ComplexMatrix units = lower.solve(ComplexMatrix::Identity(l, l));
    const ComplexMatrix c_t = units * place.c_t, t_g = place.t_g * units.adjoint();
    const ComplexMatrix own_c = units * c, own_g = at.g * units.adjoint();
    auto part = columns.middleRows(rows * waiting, rows);
    Index column = 0;
    for (std::size_t b = 0; b < now->all.size(); ++b) {
      const auto& block = now->all[b];
      const Index first = block.at.state, size = block.at.size();
      for (std::size_t q = 0; q < block.rates; ++q) {
        const ComplexMatrix x =
            own_c.middleCols(first, size) * place.slopes[b][q] * own_g.middleRows(first, size);
        as_reals(x + x.adjoint(), part.col(block.at.rates + static_cast<Index>(q)));
      }
      Index row = 0;
      for (Index channel = 0; channel < l; ++channel) {
        if (channel == block.at.reference) continue;
        for (Index i = 0; i < size; ++i)
          outer_as_reals(units.col(channel), t_g.row(first + i),
                         part.col(block.at.rows + size * row + i));
        ++row;
      }
    }
    column = p;
    for (Index channel = 0; channel < l; ++channel)
      for (Index i = 0; i < n; ++i)
        outer_as_reals(c_t.col(i), units.col(channel).adjoint(), part.col(column++));
    for (Index j = 0; j < l; ++j)
      for (Index i = j; i < l; ++i) {
        outer_as_reals(units.col(i), units.col(j).adjoint(), part.col(column));
        if (i == j) part.col(column) *= 0.5;
        ++column;
      }
    const ComplexMatrix whitened =
        ComplexMatrix::Identity(l, l) - units * cell.periodogram * units.adjoint();
    as_reals(whitened, left.head(rows));
    normal.gradient.noalias() += cell.lines * (part.transpose() * left);
    part *= std::sqrt(cell.lines);
    if (++waiting == together) add();
  }
  if (waiting > 0) add();
  normal.information = normal.information.selfadjointView<Eigen::Lower>();
  return normal;
}

std::vector<WhittleLikelihood::CellResponse> WhittleLikelihood::responses(const Vector& phi) const {
  const AmbientParameters at = unpacked(phi);
  const Matrix c = structure_.observation(at.theta).matrix();
  const auto now = blocks(at.theta, false);
  Place place;
  std::vector<CellResponse> result;
  for (const SpectralCell& cell : cells_) {
    evaluate(*now, at, c, cell.frequency, false, place);
    const Index l = place.root.rows();
    result.push_back(
        {place.c_t, place.t_g,
         place.root.triangularView<Eigen::Lower>().solve(ComplexMatrix::Identity(l, l))});
  }
  return result;
}

WhittleLikelihood::Misfit WhittleLikelihood::misfit(const Vector& phi) const {
  const AmbientParameters at = unpacked(phi);
  const Matrix c = structure_.observation(at.theta).matrix();
  const auto now = blocks(at.theta, false);
  Place place;
  Misfit result{Vector::Zero(structure_.channels())};
  double beyond_chance = 0, scatter = 0, power = 0;
  for (const SpectralCell& cell : cells_) {
    evaluate(*now, at, c, cell.frequency, false, place);
    const Eigen::ArrayXd seen = cell.periodogram.diagonal().real(),
                         model = place.spectrum.diagonal().real();
    result.excess.array() += cell.lines * (seen / model - 1).square();
    beyond_chance += (cell.lines * (seen - model).square() - model.square()).sum();
    // Of m (Ī − S)² the variance is (2 + 6 / m) S⁴; channels may be as one.
    scatter += (2 + 6 / cell.lines) * std::pow(model.square().sum(), 2);
    power += cell.lines * seen.square().sum();
  }
  constexpr double deviations = 2;
  beyond_chance -= deviations * std::sqrt(scatter);
  result.excess /= static_cast<double>(std::max<std::size_t>(1, cells_.size()));
  result.relative = power > 0 ? std::sqrt(std::max(0.0, beyond_chance / power)) : 0;
  return result;
}

}  // namespace lgn
