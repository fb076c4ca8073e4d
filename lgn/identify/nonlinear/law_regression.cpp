#include "lgn/identify/nonlinear/law_regression.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "lgn/core/decompositions.h"
#include "lgn/core/error.h"
#include "lgn/core/gauss_newton.h"
#include "lgn/core/inverse_root.h"
#include "lgn/core/stop.h"
#include "lgn/data/scales.h"
#include "lgn/identify/regression/weak_form.h"

namespace lgn {
namespace {

/// States and functions of them as channels of one data set, with its inputs; those that are inputs are zero.
Dataset with_functions(const Dataset& data, const Dataset& smoothed,
                       const StateFunctions& functions) {
  std::vector<std::string> names = data.channels();
  for (Index k = 0; k < functions.size(); ++k) names.push_back(fmt::format("function {}", k));
  std::vector<Trajectory> runs;
  for (std::size_t r = 0; r < data.runs().size(); ++r) {
    const auto& run = data.runs()[r];
    Matrix both(run.states().rows() + functions.size(), run.samples());
    both << run.states(), functions.values_of(smoothed.runs()[r].states());
    runs.emplace_back(run.label(), run.times(), std::move(both), run.inputs());
  }
  return Dataset(std::move(names), std::move(runs), data.inputs());
}

}  // namespace

Vector scale_guesses(const NonlinearStructure& structure, const Vector& sizes) {
  Vector result = Vector::Ones(structure.parameters());
  // Only of energies with a scale for every state but the first: masses of like positions are alike.
  Index state = 0;
  for (Index k = 0; k < result.size(); ++k) {
    const auto& parameter = structure.parameter_list()[static_cast<std::size_t>(k)];
    if (!parameter.scale || parameter.name.front() != 'q') continue;
    ++state;
    result[k] = std::pow(sizes[0] / sizes[state], 2);
  }
  return result;
}

LawRegression::LawRegression(const Dataset& data, const Dataset& smoothed,
                             const NonlinearStructure& structure, double width,
                             const InputTiming& timing)
    : structure_(structure) {
  const Index n = structure.dimension(), count = structure.functions().size();
  // Of positions alone the first half of the equations, q̇ = v, holds by what v is.
  const bool positions = data.dimension() < n;
  auto [weak, inputs] = weak_form_and_inputs(with_functions(data, smoothed, structure.functions()),
                                             width, 7, positions ? 2 : 1, timing);
  for (Index input = 0; input < structure.inputs(); ++input)
    weak.states.row(data.dimension() + structure.input_function(input)) = inputs.row(input);
  windows_ = static_cast<double>(weak.states.cols());
  // A bump has most of its weight in a quarter of its width; centres are an eighth apart, or a step.
  independent_ = windows_ * std::min(1.0, 4 * std::max(width / 8, median_step(data)) / width);
  if (weak.states.cols() < count + n)
    throw NotIdentified(
        fmt::format("{} windows of the data are too few for {} terms", weak.states.cols(), count),
        "more samples, or a structure with fewer terms");
  Matrix all(weak.states.cols(), count + n);
  all.leftCols(count) = weak.states.bottomRows(count).transpose();
  if (positions) {
    const Index masses = n / 2;
    for (Index i = 0; i < masses; ++i)
      all.col(count + i) = all.col(structure.functions().find({static_cast<int>(masses + i)}));
    all.rightCols(masses) = weak.derivatives.topRows(masses).transpose();
  } else {
    all.rightCols(n) = weak.derivatives.topRows(n).transpose();
  }
  size_ = (all.rightCols(n).colwise().squaredNorm() / windows_).cwiseSqrt();
  size_ = size_.cwiseMax(1e-300);
  const Matrix r = qr_triangle(all);
  functions_ = r.leftCols(count);
  derivatives_ = r.rightCols(n);
}

Matrix LawRegression::information(const Vector& theta, const Vector& weight) const {
  const Index p = theta.size(), n = structure_.dimension();
  const Matrix gram = functions_.transpose() * functions_;
  Matrix result = Matrix::Zero(p, p);
  for (Index row = 0; row < n; ++row) {
    Matrix d = Matrix::Zero(functions_.cols(), p);
    for (const auto& slope : structure_.coefficient_slopes(theta))
      if (slope.row == row) d(slope.function, slope.parameter) += slope.value;
    result += weight[row] * (d.transpose() * gram * d);
  }
  return result;
}

LawRegression::Result LawRegression::solve(const Vector& start, const ActiveTerms& active,
                                           const Vector& scales) const {
  const Index p = start.size(), n = structure_.dimension();
  std::vector<Index> free;
  for (Index k = 0; k < p; ++k)
    if (active[static_cast<std::size_t>(k)]) free.push_back(k);
  const auto whole = [&](const Vector& x) {
    Vector theta = Vector::Zero(p);
    for (std::size_t k = 0; k < free.size(); ++k) theta[free[k]] = x[static_cast<Index>(k)];
    return theta;
  };
  const auto residuals = [&](const Vector& theta) {
    Matrix left = functions_ * structure_.coefficients(theta).transpose() - derivatives_;
    return Matrix(left * size_.cwiseInverse().asDiagonal());
  };
  const auto is_scale = [&](Index k) {
    return structure_.parameter_list()[static_cast<std::size_t>(k)].scale;
  };
  // The prior of the scales weighs as one residual, of which the size is known after a first search.
  double prior = 1e-3;
  SumOfSquares problem;
  const Vector lower = structure_.lower_bounds();
  problem.lower.resize(static_cast<Index>(free.size()));
  Vector x(problem.lower.size());
  for (std::size_t k = 0; k < free.size(); ++k) {
    const auto i = static_cast<Index>(k);
    problem.lower[i] = is_scale(free[k]) ? 1e-6 * scales[free[k]] : lower[free[k]];
    x[i] = start[free[k]];
  }
  problem.freedom = std::max(1.0, windows_ * static_cast<double>(n) - static_cast<double>(p));
  problem.cost = [&](const Vector& at) {
    const Vector theta = whole(at);
    double cost = residuals(theta).squaredNorm();
    for (const Index k : free)
      if (is_scale(k)) cost += prior * std::pow(std::log(theta[k] / scales[k]), 2);
    return cost;
  };
  problem.model = [&](const Vector& at) -> std::unique_ptr<QuadraticModel> {
    const Vector theta = whole(at);
    const Matrix left = residuals(theta);
    Matrix h(x.size(), x.size());
    const Matrix all = information(theta, size_.cwiseAbs2().cwiseInverse());
    Vector slope = Vector::Zero(p), g(x.size());
    const Matrix pulled = functions_.transpose() * left * size_.cwiseInverse().asDiagonal();
    for (const auto& s : structure_.coefficient_slopes(theta))
      slope[s.parameter] += s.value * pulled(s.function, s.row);
    for (std::size_t i = 0; i < free.size(); ++i) {
      const auto row = static_cast<Index>(i);
      g[row] = slope[free[i]];
      for (std::size_t j = 0; j < free.size(); ++j)
        h(row, static_cast<Index>(j)) = all(free[i], free[j]);
      if (!is_scale(free[i])) continue;
      const double q = theta[free[i]];
      h(row, row) += prior / (q * q);
      g[row] += prior * std::log(q / scales[free[i]]) / q;
    }
    return std::make_unique<DenseModel>(std::make_shared<const Matrix>(std::move(h)), g);
  };
  GaussNewtonOptions options;
  options.tolerance = 1e-3;
  options.max_iterations = 60;
  Result result;
  for (int round = 0; round < 2; ++round) {
    x = minimize_gauss_newton(problem, {x}, options).state.x;
    prior = std::max(1e-12, residuals(whole(x)).squaredNorm() / problem.freedom);
  }
  result.theta = whole(x);
  result.active = active;
  const double each = static_cast<double>(free.size()) / static_cast<double>(n);
  const double left = std::max(0.05, 1 - each / independent_);
  result.residual =
      (residuals(result.theta).colwise().squaredNorm().transpose() / (left * windows_))
          .cwiseSqrt()
          .cwiseProduct(size_);
  result.size = size_;
  return result;
}

LawRegression::Result LawRegression::eliminate(Result now, double threshold,
                                               const Vector& scales) const {
  for (;;) {
    stop_point();
    std::vector<Index> terms;
    for (Index k = 0; k < now.theta.size(); ++k)
      if (now.active[static_cast<std::size_t>(k)] &&
          !structure_.parameter_list()[static_cast<std::size_t>(k)].scale)
        terms.push_back(k);
    if (terms.empty()) return now;
    // What is left below a millionth is no noise, and proves nothing.
    const Vector noise = now.residual.cwiseMax(1e-6 * size_);
    const Matrix all =
        independent_ / windows_ * information(now.theta, noise.cwiseAbs2().cwiseInverse());
    Matrix f(static_cast<Index>(terms.size()), static_cast<Index>(terms.size()));
    for (std::size_t i = 0; i < terms.size(); ++i)
      for (std::size_t j = 0; j < terms.size(); ++j)
        f(static_cast<Index>(i), static_cast<Index>(j)) = all(terms[i], terms[j]);
    const Matrix root = inverse_root(f);
    double least = std::numeric_limits<double>::infinity();
    Index worst = -1;
    for (std::size_t i = 0; i < terms.size(); ++i) {
      const double se = root.row(static_cast<Index>(i)).norm();
      const double evidence = se > 0 ? std::pow(now.theta[terms[i]] / se, 2) : 0;
      if (evidence < least) {
        least = evidence;
        worst = terms[i];
      }
    }
    if (!(least < threshold)) return now;
    ActiveTerms fewer = now.active;
    fewer[static_cast<std::size_t>(worst)] = false;
    Vector start = now.theta;
    start[worst] = 0;
    now = solve(start, fewer, scales);
  }
}

std::optional<Vector> LawRegression::free_residual() const {
  const double left = 1 - static_cast<double>(functions_.cols()) / independent_;
  constexpr double least = 0.3;
  if (left < least) return {};
  const Matrix best = solve_minimum_norm(functions_, derivatives_);
  return Vector(
      ((functions_ * best - derivatives_).colwise().squaredNorm().transpose() / (left * windows_))
          .cwiseSqrt());
}

}  // namespace lgn
