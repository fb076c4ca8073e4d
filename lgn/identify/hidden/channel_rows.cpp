#include <algorithm>
#include <cmath>
#include <vector>

#include "lgn/core/decompositions.h"
#include "lgn/core/inverse_root.h"
#include "lgn/data/scales.h"
#include "lgn/dynamics/modal.h"
#include "lgn/identify/hidden/channel_compression.h"
#include "lgn/identify/likelihood/correlated_residuals.h"
#include "lgn/identify/likelihood/maximum_likelihood.h"
#include "lgn/identify/residuals.h"

namespace lgn {
namespace {

/// Time courses of the states of a fit over a run.
Matrix courses(const Fit& fit, const Trajectory& run, Index index) {
  return propagate(fit.generator(), fit.initial_states.col(index), run.times());
}

/// The channels' least squares on the time courses of the states, and on one where an offset is estimated: a column of `rows` for
/// each. `root` Rᵀ makes the covariance of a channel in units of its variance.
struct LinearFit {
  Matrix rows;
  std::vector<Matrix> roots;  ///< of each channel; one for all where nothing is missing
  const Matrix& root(Index channel) const {
    return roots[roots.size() == 1 ? 0 : static_cast<std::size_t>(channel)];
  }
};

/// Regressors of a run: what `courses` says, then one.
Matrix regressors(const Fit& fit, const Trajectory& run, Index index) {
  const Matrix states = courses(fit, run, index);
  Matrix result(states.rows() + (fit.offset.size() > 0 ? 1 : 0), states.cols());
  result.topRows(states.rows()) = states;
  if (fit.offset.size() > 0) result.bottomRows(1).setOnes();
  return result;
}

LinearFit fit_rows(const Fit& fit, const Dataset& data) {
  const Index l = data.dimension(),
              n = fit.structure->dimension() + (fit.offset.size() > 0 ? 1 : 0);
  const bool complete = data.present() == data.samples() * l;
  std::vector<Matrix> products(complete ? 1 : static_cast<std::size_t>(l), Matrix::Zero(n, n));
  Matrix sums = Matrix::Zero(n, l);
  for (std::size_t r = 0; r < data.runs().size(); ++r) {
    const auto& run = data.runs()[r];
    const Matrix x = regressors(fit, run, static_cast<Index>(r));
    const Matrix y = run.states().array().isNaN().select(0.0, run.states());
    sums += x * y.transpose();
    if (complete) {
      products[0] += x * x.transpose();
      continue;
    }
    for (Index c = 0; c < l; ++c) {
      const Vector present = run.states().row(c).transpose().unaryExpr(
          [](double v) { return Trajectory::missing(v) ? 0.0 : 1.0; });
      products[static_cast<std::size_t>(c)] += x * present.asDiagonal() * x.transpose();
    }
  }
  LinearFit result{Matrix(n, l), {}};
  for (const Matrix& information : products) result.roots.push_back(inverse_root(information));
  for (Index c = 0; c < l; ++c) {
    const Matrix& root = result.root(c);
    result.rows.col(c) = root * (root.transpose() * sums.col(c));
  }
  return result;
}

/// How the rows move with every rate: those of the states of block b by −H⁻¹ Σ x ∂x_bᵀ c_b, H of all samples.
std::vector<Matrix> moves_of_rows(const Fit& fit, const Dataset& data, const LinearFit& linear) {
  const ModalStructure& modal = *fit.structure->modal();
  const Index rates = modal.blocks().front().rows, n = linear.rows.rows();
  std::vector<Matrix> overlap(static_cast<std::size_t>(rates));
  std::vector<Index> first(overlap.size()), size(overlap.size());
  const Matrix a = fit.generator();
  Matrix information = Matrix::Zero(n, n);
  for (std::size_t r = 0; r < data.runs().size(); ++r) {
    const auto& run = data.runs()[r];
    const Matrix x = regressors(fit, run, static_cast<Index>(r));
    information += x * x.transpose();
    for (std::size_t b = 0; b < modal.blocks().size(); ++b) {
      const auto& block = modal.blocks()[b];
      const Index last = b + 1 < modal.blocks().size() ? modal.blocks()[b + 1].rates : rates;
      const Index s = block.size();
      for (Index q = block.rates; q < last; ++q) {
        // d/dt (x, ∂x) = [A 0; E A] (x, ∂x).
        const Matrix move = modal.pushforward(fit.theta, Vector::Unit(fit.theta.size(), q));
        Matrix both = Matrix::Zero(2 * s, 2 * s);
        both.topLeftCorner(s, s) = both.bottomRightCorner(s, s) =
            a.block(block.state, block.state, s, s);
        both.bottomLeftCorner(s, s) = move.block(block.state, block.state, s, s);
        Vector start = Vector::Zero(2 * s);
        start.head(s) = fit.initial_states.col(static_cast<Index>(r)).segment(block.state, s);
        const Matrix moved = propagate(both, start, run.times()).bottomRows(s);
        Matrix& sum = overlap[static_cast<std::size_t>(q)];
        if (sum.size() == 0) sum = Matrix::Zero(n, s);
        sum += x * moved.transpose();
        first[static_cast<std::size_t>(q)] = block.state;
        size[static_cast<std::size_t>(q)] = s;
      }
    }
  }
  const Matrix root = inverse_root(information);
  std::vector<Matrix> result;
  for (std::size_t q = 0; q < overlap.size(); ++q)
    result.push_back(-root *
                     (root.transpose() * (overlap[q] * linear.rows.middleRows(first[q], size[q]))));
  return result;
}

/// α I + β A of every block, by which its states become those that its reference channel shows as (1, 0).
struct Gauge {
  Index reference = 0;
  Matrix block, turn, inverse;  ///< A of the block, that matrix, and its inverse
};

Gauge gauge_of(const ModalStructure::Block& block, const Matrix& a, const Matrix& rows,
               const Vector& noise) {
  Gauge best;
  double most = -1;
  const Index s = block.size();
  best.block = a.block(block.state, block.state, s, s);
  const double w = block.pair ? best.block(0, 1) : 0.0;
  for (Index c = 0; c < rows.cols(); ++c) {
    const Vector seen = rows.col(c).segment(block.state, s);
    Matrix turn = seen[0] * Matrix::Identity(s, s);
    if (block.pair && w > 0) turn += seen[1] / w * best.block;
    // The product of what the channel sees of both poles.
    const double size =
        std::pow(std::abs(turn.determinant()), 1.0 / static_cast<double>(s)) / noise[c];
    if (!(size > most)) continue;
    most = size;
    best.reference = c;
    best.turn = turn;
  }
  best.inverse = best.turn.inverse();
  return best;
}

/// Covariance of the rates, root by root.
struct RateErrors {
  Matrix root;
  double widening = 1, distance = 0;
};

RateErrors rate_errors(const Fit& fit, const Dataset& data, Index rates) {
  const ProblemOptions how = problem_options(fit, true);
  const FitResiduals left = find_residuals(fit, data);
  const double unknowns = static_cast<double>(fit.structure->free_parameters() +
                                              fit.initial_states.size() + fit.shared_unknowns()),
               values = static_cast<double>(data.present());
  const double share = std::max(0.05, 1 - unknowns / values);
  const Vector floor = explained * explained * left.power / static_cast<double>(data.samples());
  const Vector noise = (left.squares.array() / (share * left.count.array().max(1.0)))
                           .matrix()
                           .cwiseMax(floor)
                           .cwiseSqrt();
  Problem problem(data, *fit.structure, noise, how);
  const auto profile = problem.profile(fit.theta);
  const ErrorRoot found = error_root(problem, *profile, problem.linearise(*profile));
  const Matrix of_rates = found.root.topRows(rates);
  const SymmetricEigen eigen = symmetric_eigen(of_rates * of_rates.transpose());
  return {eigen.vectors * eigen.values.cwiseMax(0.0).cwiseSqrt().asDiagonal(), found.widening,
          found.distance};
}

/// The structure of the same modes in all channels.
std::shared_ptr<const ModalStructure> in_channels(const ModalStructure& modal, Index channels,
                                                  const std::vector<Gauge>& gauges) {
  std::vector<Index> references;
  for (const Gauge& gauge : gauges) references.push_back(gauge.reference);
  return std::make_shared<const ModalStructure>(modal.dimension(), channels, references,
                                                modal.lossless());
}

/// The covariance of θ of all channels: columns are those of the rates, then those of each channel's own noise.
SparseRows parameter_root(const ModalStructure& all, const Vector& theta, const Matrix& rates,
                          const std::vector<Matrix>& moves, const LinearFit& linear,
                          const std::vector<Gauge>& gauges, const Vector& noise) {
  const Index l = all.channels(), of_rates = rates.rows(), n = linear.rows.rows();
  std::vector<Eigen::Triplet<double>> entries;
  const auto put = [&](Index row, Index column, const auto& values) {
    for (Index k = 0; k < values.size(); ++k)
      if (values[k] != 0)
        entries.emplace_back(static_cast<int>(row), static_cast<int>(column + k), values[k]);
  };
  for (Index q = 0; q < of_rates; ++q) put(q, 0, Vector(rates.row(q)));
  for (std::size_t b = 0; b < gauges.size(); ++b) {
    const auto& block = all.blocks()[b];
    const Gauge& gauge = gauges[b];
    const Index s = block.size(), reference = gauge.reference;
    const double w = all.rates(block, theta).first;
    const bool turns = block.pair && w > 0;
    // How the turn of the block answers to what the reference sees, and to w and d.
    std::vector<Matrix> by_seen{Matrix::Identity(s, s)};
    if (turns) by_seen.push_back(gauge.block / w);
    const auto seen = linear.rows.col(reference).segment(block.state, s);
    const auto direct = [&](Index q) -> Matrix {
      if (!turns || q < block.rates || q > block.rates + 1) return Matrix::Zero(s, s);
      const Matrix move = all.pushforward(theta, Vector::Unit(theta.size(), q))
                              .block(block.state, block.state, s, s);
      const bool by_w = q == block.rates;
      if (!by_w && all.lossless()) return Matrix::Zero(s, s);
      return seen[1] / w * (move - (by_w ? 1 / w : 0.0) * gauge.block);
    };
    for (Index c = 0, row = 0; c < l; ++c) {
      if (c == reference) continue;
      const Index place = block.rows + s * row++;
      const Matrix now = theta.segment(place, s).transpose();
      // δ of the turned row is (δ row − row′ δ turn) turn⁻¹.
      Matrix of_rate(of_rates, s);
      for (Index q = 0; q < of_rates; ++q) {
        const Matrix& move = moves[static_cast<std::size_t>(q)];
        Matrix turn = direct(q);
        for (std::size_t i = 0; i < by_seen.size(); ++i)
          turn += move(block.state + static_cast<Index>(i), reference) * by_seen[i];
        of_rate.row(q) =
            (move.col(c).segment(block.state, s).transpose() - now * turn) * gauge.inverse;
      }
      const Matrix own =
          noise[c] * gauge.inverse.transpose() * linear.root(c).middleRows(block.state, s);
      Matrix by_reference = Matrix::Zero(s, n);
      for (std::size_t i = 0; i < by_seen.size(); ++i)
        by_reference -= (now * by_seen[i] * gauge.inverse).transpose() * noise[reference] *
                        linear.root(reference).row(block.state + static_cast<Index>(i));
      for (Index i = 0; i < s; ++i) {
        put(place + i, 0, Vector(rates.transpose() * of_rate.col(i)));
        put(place + i, of_rates + c * n, Vector(own.row(i)));
        put(place + i, of_rates + reference * n, Vector(by_reference.row(i)));
      }
    }
  }
  SparseRows root(theta.size(), of_rates + l * n);
  root.setFromTriplets(entries.begin(), entries.end());
  return root;
}

}  // namespace

Fit in_all_channels(const Fit& fit, const ChannelCompression& compression, const Dataset& data,
                    bool with_errors) {
  const ModalStructure& modal = *fit.structure->modal();
  const Index n = modal.dimension(), l = data.dimension(), rates = modal.blocks().front().rows;
  const LinearFit linear = fit_rows(fit, data);
  const Matrix a = fit.generator();
  std::vector<Gauge> gauges;
  for (const auto& block : modal.blocks())
    gauges.push_back(gauge_of(block, a, linear.rows, compression.noise));
  const auto all = in_channels(modal, l, gauges);
  Fit result = fit;
  result.structure = all;
  result.factors.clear();
  result.theta = Vector::Zero(all->parameters());
  result.theta.head(rates) = fit.theta.head(rates);
  for (std::size_t b = 0; b < gauges.size(); ++b) {
    const auto& block = all->blocks()[b];
    const Index s = block.size();
    for (Index c = 0, row = 0; c < l; ++c)
      if (c != gauges[b].reference)
        result.theta.segment(block.rows + s * row++, s) =
            gauges[b].inverse.transpose() * linear.rows.col(c).segment(block.state, s);
    result.initial_states.middleRows(block.state, s) =
        gauges[b].turn * fit.initial_states.middleRows(block.state, s);
  }
  const bool offset = fit.offset.size() > 0;
  if (offset) result.offset = linear.rows.row(n).transpose();

  const FitResiduals left = find_residuals(result, data);
  const Vector freedom =
      (left.count.array() - static_cast<double>(linear.rows.rows())).max(1.0).matrix();
  const Vector floor = explained * channel_amplitudes(data);
  result.noise = left.squares.cwiseQuotient(freedom).cwiseSqrt().cwiseMax(floor);
  if (!with_errors) return result;
  const RateErrors errors = rate_errors(fit, compression.components, rates);
  const std::vector<Matrix> moves = moves_of_rows(fit, data, linear);
  const Vector noise = correlation_factor(left.correlation(), left.neighbours()) * result.noise;
  auto known = std::make_shared<FitErrors>();
  known->root = parameter_root(*all, result.theta, errors.root, moves, linear, gauges, noise);
  known->widening = errors.widening;
  known->distance = errors.distance;
  if (offset) {
    known->offset.resize(l);
    for (Index c = 0; c < l; ++c) {
      Vector by_rates(rates);
      for (Index q = 0; q < rates; ++q) by_rates[q] = moves[static_cast<std::size_t>(q)](n, c);
      known->offset[c] = std::hypot((errors.root.transpose() * by_rates).norm(),
                                    noise[c] * linear.root(c).row(n).norm());
    }
  }
  result.errors = std::move(known);
  return result;
}

}  // namespace lgn
