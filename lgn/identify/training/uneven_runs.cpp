#include "lgn/identify/training/uneven_runs.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "lgn/flow/exponential.h"

namespace lgn {
namespace {

/// Up to this many distinct steps an exponential for each is cheaper than an eigendecomposition.
constexpr std::size_t few_steps = 4;
/// Eigenvectors of condition κ cost the loss κ ε and its gradient up to 100 κ² ε. Up to this many
/// times n, which is the least that κ = ‖V‖ ‖V⁻¹‖ can be, the gradient of a small system keeps
/// eight digits.
constexpr double largest_condition = 300;

/// 2 w (x̂ − x) where a sample is present, else 0; adds to the loss.
Matrix residual_pull(const Matrix& predicted, const Matrix& states, const Vector& weights,
                     double& loss) {
  Matrix pull = (states.array() == states.array()).select(predicted - states, 0.0);
  loss += (pull.array().square().colwise() * weights.array()).sum();
  return 2.0 * weights.asDiagonal() * pull;
}

/// (e^(xt) − e^(yt))/(x − y) for x close to y: t e^((x+y)t/2) sinh(δ)/δ, δ = (x − y)t/2.
Complex divided_difference(Complex x, Complex y, double t) {
  const Complex delta = 0.5 * t * (x - y);
  const Complex square = delta * delta;
  const Complex ratio = 1.0 + square / 6.0 * (1.0 + square / 20.0 * (1.0 + square / 42.0));
  return t * std::exp(0.5 * t * (x + y)) * ratio;
}

}  // namespace

UnevenRuns::UnevenRuns(std::vector<Run> runs, const Vector& weights)
    : runs_(std::move(runs)),
      unit_((weights.array() > 0).select(weights.array().rsqrt(), 1.0)),
      weights_((weights.array() > 0).select(Vector::Ones(weights.size()), 0.0)) {
  for (auto& run : runs_) {
    run.states = unit_.cwiseInverse().asDiagonal() * run.states;
    const TimeSteps steps = find_steps(run.times);
    auto& which = which_.emplace_back();
    for (const std::size_t step : steps.which) which.push_back(length_.size() + step);
    length_.insert(length_.end(), steps.length.begin(), steps.length.end());
  }
  // Steps of different runs that are equal to the last digits share one exponential.
  std::vector<std::size_t> order(length_.size()), merged(length_.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](auto x, auto y) { return length_[x] < length_[y]; });
  std::vector<double> distinct;
  for (const std::size_t k : order) {
    if (distinct.empty() || length_[k] - distinct.back() > 1e-13 * length_[k])
      distinct.push_back(length_[k]);
    merged[k] = distinct.size() - 1;
  }
  length_ = std::move(distinct);
  for (auto& which : which_)
    for (auto& step : which) step = merged[step];
}

double UnevenRuns::evaluate(const Matrix& a, const Matrix& starts, LossGradient* gradient) const {
  const auto to_unit = unit_.cwiseInverse().asDiagonal();
  const Matrix scaled = to_unit * a * unit_.asDiagonal(), scaled_starts = to_unit * starts;
  if (gradient == nullptr) return evaluate_scaled(scaled, scaled_starts, nullptr);
  LossGradient inner{0, Matrix::Zero(a.rows(), a.cols()),
                     Matrix::Zero(starts.rows(), starts.cols())};
  const double loss = evaluate_scaled(scaled, scaled_starts, &inner);
  gradient->generator += to_unit * inner.generator * unit_.asDiagonal();
  gradient->starts += to_unit * inner.starts;
  return loss;
}

double UnevenRuns::evaluate_scaled(const Matrix& a, const Matrix& starts,
                                   LossGradient* gradient) const {
  if (length_.size() > few_steps && a.allFinite()) {
    const Eigensystem system = eigensystem(a);
    const Eigen::PartialPivLU<ComplexMatrix> lu(system.right);
    const Eigenvectors v{system.values, system.right, lu.inverse()};
    const double condition = v.right.norm() * v.inverse.norm();
    if (condition <= largest_condition * static_cast<double>(a.rows()))
      return by_eigenvectors(v, starts, gradient);
  }
  return step_by_step(a, starts, gradient);
}

double UnevenRuns::step_by_step(const Matrix& a, const Matrix& starts,
                                LossGradient* gradient) const {
  std::vector<Matrix> map(length_.size()), map_gradient(length_.size());
  for (std::size_t s = 0; s < length_.size(); ++s) map[s] = exponential(length_[s] * a);
  double loss = 0;
  for (std::size_t r = 0; r < runs_.size(); ++r) {
    const auto& run = runs_[r];
    const Index samples = run.times.size();
    Matrix states(a.rows(), samples);
    states.col(0) = starts.col(run.run);
    for (Index k = 1; k < samples; ++k)
      states.col(k).noalias() = map[which_[r][static_cast<std::size_t>(k - 1)]] * states.col(k - 1);
    const Matrix pull = residual_pull(states, run.states, weights_, loss);
    if (gradient == nullptr) continue;
    Vector adjoint = pull.col(samples - 1);
    for (Index k = samples - 1; k > 0; --k) {
      const std::size_t step = which_[r][static_cast<std::size_t>(k - 1)];
      if (map_gradient[step].size() == 0) map_gradient[step].setZero(a.rows(), a.cols());
      map_gradient[step].noalias() += adjoint * states.col(k - 1).transpose();
      adjoint = (map[step].transpose() * adjoint + pull.col(k - 1)).eval();
    }
    gradient->starts.col(run.run) += adjoint;
  }
  if (gradient == nullptr) return loss;
  for (std::size_t s = 0; s < length_.size(); ++s)
    if (map_gradient[s].size() > 0)
      gradient->generator += length_[s] * Exponential(length_[s] * a).adjoint(map_gradient[s]);
  return loss;
}

double UnevenRuns::by_eigenvectors(const Eigenvectors& v, const Matrix& starts,
                                   LossGradient* gradient) const {
  const Index n = v.values.size();
  double loss = 0;
  ComplexMatrix inner = ComplexMatrix::Zero(n, n);
  for (const auto& run : runs_) {
    const Vector time = run.times.array() - run.times[0];
    const ComplexMatrix growth = (v.values * time.transpose().cast<Complex>()).array().exp();
    const ComplexVector z = v.inverse * starts.col(run.run).cast<Complex>();
    const Matrix states = (v.right * (z.asDiagonal() * growth)).real();
    const Matrix pull = residual_pull(states, run.states, weights_, loss);
    if (gradient == nullptr) continue;
    const ComplexMatrix modal = v.right.adjoint() * pull.cast<Complex>();
    const ComplexMatrix sums = modal * growth.adjoint();
    gradient->starts.col(run.run) += (v.inverse.adjoint() * sums.diagonal()).real();
    const double duration = time[time.size() - 1];
    for (Index i = 0; i < n; ++i)
      for (Index j = 0; j < n; ++j) {
        const Complex gap = v.values[i] - v.values[j];
        Complex sum = 0;
        if (std::abs(gap) * duration > 1e-2) {
          sum = (sums(i, i) - sums(i, j)) / std::conj(gap);
        } else {
          for (Index k = 0; k < time.size(); ++k)
            sum += modal(i, k) * std::conj(divided_difference(v.values[i], v.values[j], time[k]));
        }
        inner(i, j) += std::conj(z[j]) * sum;
      }
  }
  if (gradient != nullptr)
    gradient->generator += (v.inverse.adjoint() * inner * v.right.adjoint()).real();
  return loss;
}

}  // namespace lgn
