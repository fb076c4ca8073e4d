#include <algorithm>
#include <cmath>

#include "lgn/core/decompositions.h"
#include "lgn/core/stop.h"
#include "lgn/identify/driven/prediction_errors_internal.h"

namespace lgn {

Matrix PredictionErrors::given_slopes(const Run& run, const OutputSlopes& slopes, Index index,
                                      Index from, Index begin, Index count) const {
  const Index n = states_, l = channels_, p = parameters_, samples = run.samples.cols();
  const Index offset = linear() - from, b = offset + offsets_, d = b + n * inputs_,
              x = d + fed_ * inputs_;
  Matrix result = Matrix::Zero(unknowns_ - from, count * l);
  for (Index k = 0; k < count; ++k)
    for (Index c = 0; c < l; ++c) {
      auto column = result.col(k * l + c);
      if (from == 0) column.head(p) = slopes.by_theta.col(c * samples + begin + k);
      if (offsets_ > 0) column[offset + c] = 1;
      for (Index j = 0; j < inputs_ && fed_ > 0; ++j)
        column[d + j * l + c] = run.forced->inputs()(j, begin + k);
    }
  if (inputs_ > 0)
    result.middleRows(b, n * inputs_) = slopes.by_b.middleRows(begin * l, count * l).transpose();
  result.middleRows(x + index * n, n) =
      slopes.by_start.middleRows(begin * l, count * l).transpose();
  return result;
}

PredictionErrors::OutputSlopes PredictionErrors::output_slopes(const Run& run, const Parts& at,
                                                               Index index, bool of_theta) const {
  const Index samples = run.samples.cols();
  const auto flow = run.flow->at(at.theta);
  OutputSlopes result;
  result.by_start = flow->output_maps(0, samples);
  if (of_theta) result.by_theta = flow->output_jacobian(at.initial_states.col(index), 0, samples);
  if (inputs_ == 0) return result;
  const auto forced = run.forced->at(at.theta);
  if (of_theta) result.by_theta += forced->output_jacobian(at.b, 0, samples);
  result.by_b = forced->output_maps(0, samples);
  return result;
}

PredictionErrors::Passage PredictionErrors::passage(const Filter& filter, const Matrix& samples,
                                                    const Matrix& weight) const {
  const Index n = states_, l = channels_, count = samples.cols();
  const Index values = count * l, rows = values + n + count * n;
  // The filter, of what enters alone: r of a sample, z before the first, a push after a sample.
  Matrix all = Matrix::Zero(rows, values + n), z = Matrix::Zero(rows, n), e(rows, l);
  z.middleRows(values, n).setIdentity();
  for (Index k = 0; k < count; ++k) {
    const auto missing = samples.col(k).array().isNaN();
    e.noalias() = -z * filter.c.transpose();
    e.middleRows(k * l, l).diagonal().array() += 1;
    for (Index c = 0; c < l; ++c)
      if (missing[c]) e.col(c).setZero();
    if (!missing.any()) all.middleCols(k * l, l).noalias() = e * weight.transpose();
    z = (z * filter.phi.transpose() + e * filter.k.transpose()).eval();
    z.middleRows(values + n + k * n, n).diagonal().array() += 1;
  }
  all.rightCols(n) = z;
  Passage result{all.topRows(values), all.middleRows(values, n), all.bottomRows(count * n), {}};
  result.of_sample_pushes.resize(count, n * (values + n));
  for (Index k = 0; k < count; ++k)
    result.of_sample_pushes.row(k) = result.of_pushes.middleRows(k * n, n).reshaped().transpose();
  return result;
}

PredictionErrors::Normal PredictionErrors::linearise(const Vector& psi, const Matrix& weight,
                                                     Index from) const {
  const Parts at = parts(psi);
  const Filter filter = filter_at(psi, from == 0);
  const std::vector<Matrix>& all = errors(psi);
  const Index n = states_, l = channels_, q = unknowns_ - from;
  Normal result{Matrix::Zero(q, q), Vector::Zero(q)};
  // Columns of the Jacobian are gathered, so that their products are those of large matrices; some samples pass the filter at
  // once, so many that the passage takes least.
  constexpr Index most = 256;
  const Index at_once = std::clamp<Index>(n / l, 4, 16);
  const Passage usual = passage(filter, Matrix::Zero(l, at_once), weight);
  Matrix columns(q, most * l), slopes(q, n), passed(q, at_once * l + n);
  const auto moving = static_cast<Index>(filter.moving.size());
  Matrix pushes(moving, at_once * n), used_errors(l, at_once);
  Vector values(most * l);
  for (std::size_t r = 0; r < runs_.size(); ++r) {
    const Run& run = runs_[r];
    const Index samples = run.samples.cols(), index = static_cast<Index>(r);
    const OutputSlopes known = output_slopes(run, at, index, from == 0);
    Vector z = Vector::Zero(n), next(n);
    slopes.setZero();
    for (Index begin = 0; begin < samples; begin += most) {
      const Index count = std::min(most, samples - begin);
      stop_point(2.0 * static_cast<double>(count * n * (n + l) * q));
      Matrix given = given_slopes(run, known, index, from, begin, count);
      for (Index first = 0; first < count; first += at_once) {
        const Index many = std::min(at_once, count - first);
        pushes.setZero();
        for (Index k = 0; k < many; ++k) {
          const Vector e = all[r].col(begin + first + k);
          const Vector used = e.array().isNaN().select(0.0, e);
          // Of ŷ: ∂C z; of z: ∂Φ z + ∂K e.
          for (const auto& [place, row, column, value] : filter.c_by_theta)
            given(place, (first + k) * l + row) += value * z[column];
          for (const auto& [place, row, column, value] : filter.by_theta)
            pushes(place, k * n + row) += value * z[column];
          used_errors.col(k) = used;
          values.segment((first + k) * l, l) = weight.lazyProduct(used);
          next = filter.phi.lazyProduct(z);
          next += filter.k.lazyProduct(used);
          z.swap(next);
        }
        const auto block = run.samples.middleCols(begin + first, many);
        const Passage own =
            many < at_once || block.hasNaN() ? passage(filter, block, weight) : Passage{};
        const Passage& through = own.of_states.size() > 0 ? own : usual;
        auto out = passed.leftCols(many * l + n);
        out.noalias() = slopes * through.of_states;
        out.noalias() -= given.middleCols(first * l, many * l) * through.of_residuals;
        if (from == 0) {
          const Matrix by_theta = pushes.leftCols(many * n) * through.of_pushes;
          for (Index i = 0; i < moving; ++i)
            out.row(filter.moving[static_cast<std::size_t>(i)]) += by_theta.row(i);
          const Matrix by_gain = used_errors.leftCols(many) * through.of_sample_pushes;
          for (Index column = 0; column < out.cols(); ++column)
            out.col(column).segment(gain(), n * l) +=
                by_gain.middleCols(column * n, n).transpose().reshaped();
        }
        columns.middleCols(first * l, many * l) = out.leftCols(many * l);
        slopes = out.rightCols(n);
      }
      stop_point(0.5 * static_cast<double>(count * l * q * q));
      const auto used = columns.leftCols(count * l);
      result.information.selfadjointView<Eigen::Lower>().rankUpdate(used);
      result.gradient.noalias() += used * values.head(count * l);
    }
  }
  result.information.triangularView<Eigen::StrictlyUpper>() = result.information.transpose();
  return result;
}

Vector PredictionErrors::with_best_linear(const Vector& psi, const Matrix& weight) const {
  const Normal normal = linearise(psi, weight, linear());
  const Index count = unknowns_ - linear();
  Vector result = psi;
  // Each unknown in units of its own certainty, so that rounding does not decide.
  const Vector scale = normal.information.diagonal().cwiseSqrt().unaryExpr(
      [](double s) { return s > 0 ? 1 / s : 0.0; });
  const Matrix scaled = scale.asDiagonal() * normal.information * scale.asDiagonal();
  result.tail(count) -=
      scale.cwiseProduct(solve_semidefinite(scaled, scale.cwiseProduct(normal.gradient)));
  return result;
}

}  // namespace lgn
