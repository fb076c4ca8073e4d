#include "lgn/identify/nonlinear/law_problem.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "lgn/core/decompositions.h"
#include "lgn/core/stop.h"

namespace lgn {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

Matrix damped(const Matrix& h, double damping) {
  Matrix result = h;
  // Directions that no sample shows are left where they are.
  const double least = 1e-14 * h.diagonal().maxCoeff() + 1e-300;
  for (Index i = 0; i < h.rows(); ++i) result(i, i) += damping * h(i, i) + least;
  return result;
}

/// The quadratic model of θ and initial states: these meet θ alone, so that a step eliminates them run by run. O(runs n p² + p³).
class ArrowModel final : public QuadraticModel {
 public:
  ArrowModel(LawProblem::Normal normal, Index parameters)
      : normal_(std::move(normal)), p_(parameters) {}

  Vector step(const Vector& x, const Vector& lower, double damping) const override {
    const LawInformation rest = eliminate_starts(normal_, damping);
    Vector result(x.size());
    if (p_ > 0)
      result.head(p_) = DenseModel(std::make_shared<const Matrix>(rest.matrix), rest.gradient)
                            .step(x.head(p_), lower.head(p_), damping);
    Index at = p_;
    for (std::size_t r = 0; r < normal_.starts.size(); ++r) {
      Vector right = normal_.gradients[r];
      if (p_ > 0) right += normal_.mixed[r] * result.head(p_);
      result.segment(at, right.size()) = -solve_definite(damped(normal_.starts[r], damping), right);
      at += right.size();
    }
    return result;
  }

  double fall(const Vector& s) const override {
    const auto theta = s.head(p_);
    double result = -2 * normal_.theta_gradient.dot(theta) - theta.dot(normal_.theta * theta);
    Index at = p_;
    for (std::size_t r = 0; r < normal_.starts.size(); ++r) {
      const Vector start = s.segment(at, normal_.gradients[r].size());
      result -= 2 * normal_.gradients[r].dot(start) + start.dot(normal_.starts[r] * start);
      if (p_ > 0) result -= 2 * start.dot(normal_.mixed[r] * theta);
      at += start.size();
    }
    return result;
  }

 private:
  LawProblem::Normal normal_;
  Index p_;
};

}  // namespace

LawProblem::LawProblem(const Dataset& data, const NonlinearStructure& structure,
                       const Vector& noise, const Vector& scales, double longest)
    : structure_(structure), noise_(noise), scales_(scales) {
  for (const auto& run : data.runs()) {
    const auto missing = run.states().array().isNaN();
    runs_.push_back({missing.select(0.0, run.states()),
                     missing.select(0.0, Matrix::Ones(run.states().rows(), run.samples())),
                     CollocationFlow(run.times(), longest)});
    values_ += runs_.back().present.sum();
  }
}

Matrix LawProblem::residuals(const Point& point, Index run) const {
  const Run& samples = runs_[static_cast<std::size_t>(run)];
  const Matrix& states = point.paths[static_cast<std::size_t>(run)].states;
  return noise_.cwiseInverse().asDiagonal() *
         (samples.samples - states.topRows(samples.samples.rows())).cwiseProduct(samples.present);
}

LawProblem::Point LawProblem::at(const Vector& theta, const Matrix& starts) const {
  Point point{theta, starts, 0, {}};
  const NonlinearField field(structure_, theta);
  for (Index r = 0; r < runs(); ++r) {
    point.paths.push_back(runs_[static_cast<std::size_t>(r)].flow.path(field, starts.col(r)));
    const double cost = point.paths.back().finite ? residuals(point, r).squaredNorm() : infinite;
    point.cost += std::isfinite(cost) ? cost : infinite;
    if (!std::isfinite(point.cost)) return point;
  }
  for (Index k = 0; k < theta.size(); ++k)
    if (structure_.parameter_list()[static_cast<std::size_t>(k)].scale)
      point.cost += std::pow(std::log(theta[k] / scales_[k]), 2);
  return point;
}

LawProblem::Normal LawProblem::linearise(const Point& point,
                                         const std::vector<Index>& moving) const {
  const NonlinearField field(structure_, point.theta, moving);
  const Index n = structure_.dimension(), p = field.parameters();
  Normal normal{Matrix::Zero(p, p), Vector::Zero(p), {}, {}, {}};
  for (Index r = 0; r < runs(); ++r) {
    const Run& run = runs_[static_cast<std::size_t>(r)];
    const auto& path = point.paths[static_cast<std::size_t>(r)];
    Matrix jacobian = run.flow.sensitivities(field, path);
    const Matrix left = residuals(point, r);
    const Index l = left.rows(), samples = left.cols();
    Vector residual = Vector::Zero(jacobian.rows());
    for (Index k = 0; k < samples; ++k)
      for (Index c = 0; c < n; ++c) {
        const double weight = c < l ? run.present(c, k) / noise_[c] : 0;
        jacobian.row(k * n + c) *= weight;
        if (c < l) residual[k * n + c] = -left(c, k);
      }
    const auto starts = jacobian.leftCols(n);
    const auto parameters = jacobian.rightCols(p);
    normal.starts.emplace_back(starts.transpose() * starts);
    normal.mixed.emplace_back(starts.transpose() * parameters);
    normal.gradients.emplace_back(starts.transpose() * residual);
    normal.theta.noalias() += parameters.transpose() * parameters;
    normal.theta_gradient += parameters.transpose() * residual;
  }
  for (Index k = 0; k < p; ++k) {
    const Index at = moving[static_cast<std::size_t>(k)];
    if (!structure_.parameter_list()[static_cast<std::size_t>(at)].scale) continue;
    const double q = point.theta[at];
    normal.theta(k, k) += 1 / (q * q);
    normal.theta_gradient[k] += std::log(q / scales_[at]) / q;
  }
  return normal;
}

LawInformation eliminate_starts(const LawProblem::Normal& normal, double damping) {
  LawInformation result{normal.theta, normal.theta_gradient};
  for (std::size_t r = 0; r < normal.starts.size(); ++r) {
    const Matrix l = cholesky(damped(normal.starts[r], damping));
    const Matrix mixed = solve_lower(l, normal.mixed[r]);
    const Vector gradient = solve_lower(l, normal.gradients[r]);
    result.matrix.noalias() -= mixed.transpose() * mixed;
    result.gradient -= mixed.transpose() * gradient;
  }
  return result;
}

LawSearch search_law(const LawProblem& problem, const Vector& theta, const Matrix& starts,
                     const std::vector<Index>& moving, const Vector& lower,
                     const GaussNewtonOptions& options) {
  const auto p = static_cast<Index>(moving.size());
  LawProblem::Point last;
  Vector known;
  const auto evaluate = [&](const Vector& x) -> const LawProblem::Point& {
    if (known.size() == x.size() && known == x) return last;
    Vector all = theta;
    for (Index k = 0; k < p; ++k) all[moving[static_cast<std::size_t>(k)]] = x[k];
    last = problem.at(all, x.tail(starts.size()).reshaped(starts.rows(), starts.cols()));
    known = x;
    return last;
  };
  SumOfSquares squares;
  squares.lower = Vector::Constant(p + starts.size(), -infinite);
  GaussNewtonState state;
  state.x.resize(p + starts.size());
  for (Index k = 0; k < p; ++k) {
    squares.lower[k] = lower[moving[static_cast<std::size_t>(k)]];
    state.x[k] = theta[moving[static_cast<std::size_t>(k)]];
  }
  state.x.tail(starts.size()) = starts.reshaped();
  squares.freedom = std::max(1.0, problem.values() - static_cast<double>(state.x.size()));
  squares.cost = [&](const Vector& x) { return evaluate(x).cost; };
  squares.model = [&](const Vector& x) -> std::unique_ptr<QuadraticModel> {
    return std::make_unique<ArrowModel>(problem.linearise(evaluate(x), moving), p);
  };
  LawSearch result;
  state.x.head(p) = state.x.head(p).cwiseMax(squares.lower.head(p));
  // Where no trajectory gets to its end there is no slope to follow.
  if (!std::isfinite(evaluate(state.x).cost)) {
    result.point = last;
    return result;
  }
  const GaussNewtonResult found = minimize_gauss_newton(squares, state, options);
  result.point = to_the_end([&] { return evaluate(found.state.x); });
  result.iterations = found.state.iterations;
  result.converged = found.converged();
  result.stopped = found.ending == GaussNewtonResult::Ending::stopped;
  return result;
}

}  // namespace lgn
