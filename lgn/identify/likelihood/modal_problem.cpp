#include "lgn/identify/likelihood/modal_problem.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "lgn/core/decompositions.h"
#include "lgn/core/error.h"
#include "lgn/core/stop.h"
#include "lgn/core/thin_qr.h"
#include "lgn/identify/likelihood/gram_internal.h"

namespace lgn {
namespace {

/// Samples whose derivatives are in memory at once.
constexpr Index block = 256;
/// A guess may grow by this much in the logarithm over a run.
constexpr double most_growth = 20;

/// About as many nanoseconds as so many multiplications take in large products.
void count_products(double rows, double columns, double depth) {
  stop_point(0.1 * rows * columns * depth + 1000);
}

/// Poles with a positive imaginary part, and real ones.
struct Sorted {
  std::vector<Index> pairs, reals;
};

Sorted sorted(const ComplexVector& poles) {
  constexpr double rounding = 1e-12;
  Sorted result;
  for (Index k = 0; k < poles.size(); ++k)
    if (std::abs(poles[k].imag()) <= rounding * std::abs(poles[k]))
      result.reals.push_back(k);
    else if (poles[k].imag() > 0)
      result.pairs.push_back(k);
  return result;
}

}  // namespace

ModalProblem::ModalProblem(const Dataset& data, const Vector& noise, bool offset,
                           const ModeGuess& guess, double least_decay)
    : samples_(data.samples(), data.dimension()),
      noise_(Vector::Ones(data.dimension())),
      offset_(offset) {
  if (guess.shapes.rows() != data.dimension() || guess.shapes.cols() != guess.poles.size())
    throw Error("poles, shapes and channels do not match");
  if (data.present() < data.samples() * data.dimension())
    throw Error("modes need complete samples");
  Index row = 0;
  double longest = 0;
  for (const auto& run : data.runs()) {
    first_.push_back(row);
    times_.emplace_back(run.times().array() - run.times()[0]);
    longest = std::max(longest, times_.back()[run.samples() - 1]);
    samples_.middleRows(row, run.samples()) = run.states().transpose();
    row += run.samples();
  }
  weigh(noise);

  ComplexVector poles = guess.poles;
  for (Complex& pole : poles)
    pole.real(std::min({pole.real(), -least_decay, most_growth / longest}));
  const ComplexMatrix amplitudes = fitted_amplitudes(poles, guess.shapes);
  const auto [pairs, reals] = sorted(poles);
  pairs_ = std::ssize(pairs);
  reals_ = std::ssize(reals);
  // In the run where it is largest the amplitude of a mode is one; the others are free.
  const auto relative = [&](const std::vector<Index>& modes, std::vector<Amplitude>& free) {
    ComplexMatrix result = ComplexMatrix::Ones(std::ssize(modes), runs());
    std::vector<Index> fixed;
    for (Index k = 0; k < result.rows(); ++k) {
      const auto own = amplitudes.row(modes[static_cast<std::size_t>(k)]);
      Index largest = 0;
      const double size = own.cwiseAbs().maxCoeff(&largest);
      if (size > 0 && std::isfinite(size)) result.row(k) = own / own[largest];
      fixed.push_back(largest);
    }
    for (Index r = 0; r < runs(); ++r)
      for (Index k = 0; k < result.rows(); ++k)
        if (r != fixed[static_cast<std::size_t>(k)]) free.push_back({k, r});
    return result;
  };
  const ComplexMatrix of_pairs = relative(pairs, pair_amplitudes_);
  const ComplexMatrix of_reals = relative(reals, real_amplitudes_);
  const Index complex = complex_unknowns();
  start_.resize(2 * complex + reals_ + std::ssize(real_amplitudes_));
  for (Index k = 0; k < pairs_; ++k) {
    start_[k] = -poles[pairs[static_cast<std::size_t>(k)]].real();
    start_[complex + k] = poles[pairs[static_cast<std::size_t>(k)]].imag();
  }
  for (Index j = 0; j < std::ssize(pair_amplitudes_); ++j) {
    const auto [mode, run] = pair_amplitudes_[static_cast<std::size_t>(j)];
    start_[pairs_ + j] = of_pairs(mode, run).real();
    start_[complex + pairs_ + j] = of_pairs(mode, run).imag();
  }
  for (Index k = 0; k < reals_; ++k)
    start_[2 * complex + k] = -poles[reals[static_cast<std::size_t>(k)]].real();
  for (Index j = 0; j < std::ssize(real_amplitudes_); ++j) {
    const auto [mode, run] = real_amplitudes_[static_cast<std::size_t>(j)];
    start_[2 * complex + reals_ + j] = of_reals(mode, run).real();
  }
}

ComplexMatrix ModalProblem::fitted_amplitudes(const ComplexVector& poles,
                                              const ComplexMatrix& shapes) const {
  const ComplexMatrix weighted = noise_.cwiseInverse().asDiagonal() * shapes;
  const ComplexMatrix overlap = weighted.adjoint() * weighted;
  ComplexMatrix result(poles.size(), runs());
  for (Index r = 0; r < runs();) {
    // Runs with the same times share their equations.
    Index end = r + 1;
    const auto time = [&](Index run) -> const Vector& {
      return times_[static_cast<std::size_t>(run)];
    };
    while (end < runs() && time(end).size() == time(r).size() && time(end) == time(r)) ++end;
    const ComplexMatrix growth = (time(r).cast<Complex>() * poles.transpose()).array().exp();
    count_products(static_cast<double>(poles.size()), 4 * static_cast<double>(poles.size()),
                   static_cast<double>(time(r).size()));
    const ComplexMatrix normal = (growth.adjoint() * growth).cwiseProduct(overlap);
    ComplexMatrix pull(poles.size(), end - r);
    for (Index run = r; run < end; ++run) {
      const auto own = samples_.middleRows(first_[static_cast<std::size_t>(run)], time(run).size());
      pull.col(run - r) =
          (growth.adjoint() * own.cast<Complex>()).cwiseProduct(weighted.adjoint()).rowwise().sum();
    }
    result.middleCols(r, end - r) = complex_solve_minimum_norm(normal, pull);
    r = end;
  }
  return result;
}

Vector ModalProblem::lower(double least_decay) const {
  Vector result = Vector::Constant(unknowns(), -std::numeric_limits<double>::infinity());
  result.head(pairs_).setConstant(least_decay);
  result.segment(2 * complex_unknowns(), reals_).setConstant(least_decay);
  return result;
}

double ModalProblem::degrees_of_freedom() const {
  return static_cast<double>(samples_.size() - columns() * samples_.cols() - unknowns());
}

void ModalProblem::weigh(const Vector& noise) {
  if (noise.size() != noise_.size() || !(noise.array() > 0).all())
    throw Error("the likelihood needs one positive noise level per channel");
  samples_ = samples_ * noise_.cwiseQuotient(noise).asDiagonal();
  noise_ = noise;
}

ComplexMatrix ModalProblem::amplitudes_of_pairs(const Vector& unknowns) const {
  ComplexMatrix result = ComplexMatrix::Ones(pairs_, runs());
  for (Index j = 0; j < std::ssize(pair_amplitudes_); ++j) {
    const auto [mode, run] = pair_amplitudes_[static_cast<std::size_t>(j)];
    result(mode, run) = {unknowns[pairs_ + j], unknowns[complex_unknowns() + pairs_ + j]};
  }
  return result;
}

Matrix ModalProblem::amplitudes_of_reals(const Vector& unknowns) const {
  Matrix result = Matrix::Ones(reals_, runs());
  for (Index j = 0; j < std::ssize(real_amplitudes_); ++j) {
    const auto [mode, run] = real_amplitudes_[static_cast<std::size_t>(j)];
    result(mode, run) = unknowns[2 * complex_unknowns() + reals_ + j];
  }
  return result;
}

std::shared_ptr<const ModalProblem::Profile> ModalProblem::profile(const Vector& unknowns) const {
  auto result = std::make_shared<Profile>();
  result->unknowns = unknowns;
  result->cost = std::numeric_limits<double>::infinity();
  const Index complex = complex_unknowns(), all = samples(), n = columns();
  ComplexVector poles(pairs_);
  for (Index k = 0; k < pairs_; ++k) poles[k] = {-unknowns[k], unknowns[complex + k]};
  const Vector rates = -unknowns.segment(2 * complex, reals_);
  const ComplexMatrix of_pairs = amplitudes_of_pairs(unknowns);
  const Matrix of_reals = amplitudes_of_reals(unknowns);
  result->pairs.resize(all, pairs_);
  result->reals.resize(all, reals_);
  Matrix design(all, n);
  stop_point(20 * static_cast<double>(all * n));
  for (Index r = 0; r < runs(); ++r) {
    const Vector& time = times_[static_cast<std::size_t>(r)];
    const Index first = first_[static_cast<std::size_t>(r)], count = time.size();
    // A matrix without columns has no rows to point at.
    if (pairs_ > 0) {
      auto own = result->pairs.middleRows(first, count);
      own = (time.cast<Complex>() * poles.transpose()).array().exp();
      const ComplexMatrix course = own * of_pairs.col(r).asDiagonal();
      design.block(first, 0, count, pairs_) = course.real();
      design.block(first, pairs_, count, pairs_) = course.imag();
    }
    if (reals_ > 0) {
      auto decays = result->reals.middleRows(first, count);
      decays = (time * rates.transpose()).array().exp();
      design.block(first, 2 * pairs_, count, reals_) = decays * of_reals.col(r).asDiagonal();
    }
  }
  if (offset_) design.col(n - 1).setOnes();
  const Vector size = design.colwise().norm();
  if (!size.allFinite() || !(size.array() > 0).all()) return result;
  count_products(4 * static_cast<double>(all), static_cast<double>(n), static_cast<double>(n));
  auto [q, r] = thin_qr(design * size.cwiseInverse().asDiagonal());
  if (!((r.diagonal().array().abs() > 1e-14).all())) return result;
  count_products(2 * static_cast<double>(all), static_cast<double>(n),
                 static_cast<double>(samples_.cols()));
  Matrix shapes = q.transpose() * samples_;
  result->residuals = samples_;
  result->residuals.noalias() -= q * shapes;
  r.triangularView<Eigen::Upper>().solveInPlace(shapes);
  result->shapes = size.cwiseInverse().asDiagonal() * shapes;
  result->q = std::move(q);
  const double cost = result->residuals.squaredNorm();
  if (std::isfinite(cost) && result->shapes.allFinite()) result->cost = cost;
  return result;
}

std::vector<ModalProblem::Range> ModalProblem::active(Index run) const {
  const auto of_run = [&](const std::vector<Amplitude>& list, Index begin) {
    const auto first =
        std::find_if(list.begin(), list.end(), [&](const Amplitude& a) { return a.run == run; });
    const auto last =
        std::find_if(first, list.end(), [&](const Amplitude& a) { return a.run != run; });
    return Range{begin + (first - list.begin()), last - first};
  };
  const Index complex = complex_unknowns();
  return {{0, pairs_},           of_run(pair_amplitudes_, pairs_),
          {complex, pairs_},     of_run(pair_amplitudes_, complex + pairs_),
          {2 * complex, reals_}, of_run(real_amplitudes_, 2 * complex + reals_)};
}

Matrix ModalProblem::slopes(const Profile& profile, Index run, Index first, Index count) const {
  const Index complex = complex_unknowns();
  const auto time = times_[static_cast<std::size_t>(run)].segment(first, count);
  const Index row = first_[static_cast<std::size_t>(run)] + first;
  // A matrix without columns has no rows to point at.
  ComplexMatrix pairs(count, pairs_);
  Matrix reals(count, reals_);
  if (pairs_ > 0) pairs = profile.pairs.middleRows(row, count);
  if (reals_ > 0) reals = profile.reals.middleRows(row, count);
  Matrix result = Matrix::Zero(count, unknowns());
  const ComplexMatrix moved =
      time.asDiagonal() * pairs * amplitudes_of_pairs(profile.unknowns).col(run).asDiagonal();
  result.leftCols(pairs_) = moved.real();
  result.middleCols(complex, pairs_) = moved.imag();
  result.middleCols(2 * complex, reals_) =
      time.asDiagonal() * reals * amplitudes_of_reals(profile.unknowns).col(run).asDiagonal();
  for (Index j = 0; j < std::ssize(pair_amplitudes_); ++j) {
    const auto& free = pair_amplitudes_[static_cast<std::size_t>(j)];
    if (free.run != run) continue;
    result.col(pairs_ + j) = pairs.col(free.mode).real();
    result.col(complex + pairs_ + j) = pairs.col(free.mode).imag();
  }
  for (Index j = 0; j < std::ssize(real_amplitudes_); ++j) {
    const auto& free = real_amplitudes_[static_cast<std::size_t>(j)];
    if (free.run == run) result.col(2 * complex + reals_ + j) = reals.col(free.mode);
  }
  return result;
}

ModalProblem::Normal ModalProblem::linearise(const Profile& profile) const {
  const Index p = unknowns(), complex = complex_unknowns(), real = p - 2 * complex, n = columns();
  const auto in_blocks = [&](auto action) {
    for (Index r = 0; r < runs(); ++r)
      for (Index begin = 0; begin < times_[static_cast<std::size_t>(r)].size(); begin += block) {
        const Index count = std::min(block, times_[static_cast<std::size_t>(r)].size() - begin);
        const Matrix slope = slopes(profile, r, begin, count);
        action(r, first_[static_cast<std::size_t>(r)] + begin, slope);
      }
  };
  // What time courses share with those slopes, and how residuals pull at them.
  Matrix shared = Matrix::Zero(n, p), pull = Matrix::Zero(p, samples_.cols());
  in_blocks([&](Index run, Index row, const Matrix& slope) {
    count_products(static_cast<double>(slope.rows()), 4 * static_cast<double>(modes()),
                   static_cast<double>(n));
    for (const auto& [first, count] : active(run)) {
      shared.middleCols(first, count).noalias() +=
          profile.q.middleRows(row, slope.rows()).transpose() * slope.middleCols(first, count);
      pull.middleRows(first, count).noalias() += slope.middleCols(first, count).transpose() *
                                                 profile.residuals.middleRows(row, slope.rows());
    }
  });
  Matrix gram = Matrix::Zero(p, p);
  in_blocks([&](Index, Index row, const Matrix& slope) {
    count_products(static_cast<double>(slope.rows()), static_cast<double>(p),
                   static_cast<double>(n));
    Matrix outside = slope;
    outside.noalias() -= profile.q.middleRows(row, slope.rows()) * shared;
    add_gram(gram, outside.transpose());
  });
  gram = Matrix(gram.selfadjointView<Eigen::Lower>());

  // Every unknown moves the time course of one mode, z → z + δ u: p Re z + q Im z moves by u₁ p + u₂ q with Re δ and by
  // u₁ q − u₂ p with Im δ. Their products are those of the u times those of the shapes.
  std::vector<Index> mode(static_cast<std::size_t>(complex)), decay(static_cast<std::size_t>(real));
  for (Index c = 0; c < complex; ++c)
    mode[static_cast<std::size_t>(c)] =
        c < pairs_ ? c : pair_amplitudes_[static_cast<std::size_t>(c - pairs_)].mode;
  for (Index c = 0; c < real; ++c)
    decay[static_cast<std::size_t>(c)] =
        2 * pairs_ + (c < reals_ ? c : real_amplitudes_[static_cast<std::size_t>(c - reals_)].mode);
  const auto mode_of = [&](Index c) { return mode[static_cast<std::size_t>(c)]; };
  const auto decay_of = [&](Index c) { return decay[static_cast<std::size_t>(c)]; };
  const Matrix& shapes = profile.shapes;
  const Matrix overlap = shapes.topRows(modes()) * shapes.topRows(modes()).transpose();
  Normal result{Vector(p), Matrix(p, p)};
  for (Index b = 0; b < complex; ++b) {
    const Index pb = mode_of(b), qb = pairs_ + pb, ib = complex + b;
    for (Index a = 0; a < complex; ++a) {
      const Index pa = mode_of(a), qa = pairs_ + pa, ia = complex + a;
      const double m11 = gram(a, b), m12 = gram(a, ib), m21 = gram(ia, b), m22 = gram(ia, ib);
      const double pp = overlap(pa, pb), pq = overlap(pa, qb), qp = overlap(qa, pb),
                   qq = overlap(qa, qb);
      result.information(a, b) = m11 * pp + m12 * pq + m21 * qp + m22 * qq;
      result.information(a, ib) = m11 * pq - m12 * pp + m21 * qq - m22 * qp;
      result.information(ia, b) = m11 * qp + m12 * qq - m21 * pp - m22 * pq;
      result.information(ia, ib) = m11 * qq - m12 * qp - m21 * pq + m22 * pp;
    }
    for (Index a = 0; a < real; ++a) {
      const Index x = 2 * complex + a, s = decay_of(a);
      const double m1 = gram(b, x), m2 = gram(ib, x);
      result.information(b, x) = m1 * overlap(pb, s) + m2 * overlap(qb, s);
      result.information(ib, x) = m1 * overlap(qb, s) - m2 * overlap(pb, s);
      result.information(x, b) = result.information(b, x);
      result.information(x, ib) = result.information(ib, x);
    }
    const auto pull_re = pull.row(b), pull_im = pull.row(ib);
    result.gradient[b] = -pull_re.dot(shapes.row(pb)) - pull_im.dot(shapes.row(qb));
    result.gradient[ib] = -pull_re.dot(shapes.row(qb)) + pull_im.dot(shapes.row(pb));
  }
  for (Index b = 0; b < real; ++b) {
    const Index x = 2 * complex + b;
    for (Index a = 0; a < real; ++a)
      result.information(2 * complex + a, x) =
          gram(2 * complex + a, x) * overlap(decay_of(a), decay_of(b));
    result.gradient[x] = -pull.row(x).dot(shapes.row(decay_of(b)));
  }
  // Decays are −Re λ.
  Vector sign = Vector::Ones(p);
  sign.head(pairs_).setConstant(-1);
  sign.segment(2 * complex, reals_).setConstant(-1);
  result.gradient.array() *= sign.array();
  result.information = sign.asDiagonal() * result.information * sign.asDiagonal();
  return result;
}

ModalProblem::System ModalProblem::system(const Profile& profile) const {
  const Index n = modes(), complex = complex_unknowns(), l = samples_.cols();
  const Vector& x = profile.unknowns;
  // Coordinates of a pair in which its two shapes are orthogonal, each of unit size: shapes of positions and velocities are nearly
  // parallel otherwise where the mode is slow, and A is no more exact than they are independent.
  Matrix shapes = profile.shapes.topRows(n).transpose();
  Vector size(n);
  for (Index k = 0; k < pairs_; ++k) {
    auto p = shapes.col(k), q = shapes.col(pairs_ + k);
    const double turn = 0.5 * std::atan2(2 * p.dot(q), p.squaredNorm() - q.squaredNorm());
    const Vector first = std::cos(turn) * p + std::sin(turn) * q;
    q = std::cos(turn) * q - std::sin(turn) * p;
    p = first;
  }
  for (Index k = 0; k < n; ++k) size[k] = shapes.col(k).norm();
  shapes = shapes * size.cwiseInverse().asDiagonal();
  Matrix rates = Matrix::Zero(n, n);
  double fastest = 0;
  for (Index k = 0; k < pairs_; ++k) {
    const double re = -x[k], im = x[complex + k], ratio = size[k] / size[pairs_ + k];
    rates(k, k) = rates(pairs_ + k, pairs_ + k) = re;
    rates(k, pairs_ + k) = -im * ratio;
    rates(pairs_ + k, k) = im / ratio;
    fastest = std::max(fastest, std::hypot(re, im));
  }
  for (Index k = 0; k < reals_; ++k) {
    rates(2 * pairs_ + k, 2 * pairs_ + k) = -x[2 * complex + k];
    fastest = std::max(fastest, std::abs(x[2 * complex + k]));
  }
  const auto [q, r] = thin_qr(shapes);
  Matrix inner = r * rates;
  r.triangularView<Eigen::Upper>().solveInPlace<Eigen::OnTheRight>(inner);
  Matrix generator = q * inner * q.transpose();
  if (n < l) generator -= fastest * (Matrix::Identity(l, l) - q * q.transpose());

  const ComplexMatrix of_pairs = amplitudes_of_pairs(x);
  Matrix courses(n, runs());
  courses << of_pairs.real(), of_pairs.imag(), amplitudes_of_reals(x);
  System result;
  result.generator = noise_.asDiagonal() * generator * noise_.cwiseInverse().asDiagonal();
  result.initial_states = noise_.asDiagonal() * (profile.shapes.topRows(n).transpose() * courses);
  if (offset_) result.offset = noise_.cwiseProduct(profile.shapes.row(n).transpose());
  return result;
}

}  // namespace lgn
