#include "lgn/flow/collocation.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "lgn/core/stop.h"
#include "lgn/flow/collocation_internal.h"

namespace lgn {
namespace {

using namespace collocation_internal;

/// ∫ of the Lagrange polynomials of the Gauss points up to each.
constexpr double a[stages][stages] = {{5.0 / 36, 2.0 / 9 - root15 / 15, 5.0 / 36 - root15 / 30},
                                      {5.0 / 36 + root15 / 24, 2.0 / 9, 5.0 / 36 - root15 / 24},
                                      {5.0 / 36 + root15 / 30, 2.0 / 9 + root15 / 15, 5.0 / 36}};

constexpr double infinite = std::numeric_limits<double>::infinity();

/// x + h Σ_j a_ij k_j.
Vector stage(const Vector& x, const Matrix& k, double step, int i) {
  return x + step * (a[i][0] * k.col(0) + a[i][1] * k.col(1) + a[i][2] * k.col(2));
}

/// I − h [a_ij J_i], of which J_i = ∂f/∂x at the stages: 3n × 3n.
Matrix stage_matrix(const NonlinearField& field, const Matrix& states, double step,
                    std::vector<Matrix>& jacobians) {
  const Index n = field.dimension();
  Matrix result = Matrix::Identity(stages * n, stages * n);
  jacobians.resize(stages);
  for (int i = 0; i < stages; ++i) {
    auto& jacobian = jacobians[static_cast<std::size_t>(i)];
    jacobian = field.jacobian(states.col(i));
    for (int j = 0; j < stages; ++j) result.block(i * n, j * n, n, n) -= step * a[i][j] * jacobian;
  }
  return result;
}

/// What a step does to its beginning and to θ, from its stages: ∂end/∂x and, by W_iᵀ ∂f/∂θ, ∂end/∂θ.
struct StepDerivative {
  Matrix start;              ///< n × n
  std::vector<Matrix> pull;  ///< W_iᵀ, n × n each
};
StepDerivative step_derivative(const NonlinearField& field, const Matrix& states, double step) {
  const Index n = field.dimension();
  std::vector<Matrix> jacobians;
  const Matrix m = stage_matrix(field, states, step, jacobians);
  // Mᵀ W = h (b ⊗ I): the sum over stages weighs slopes of all stages at once.
  Matrix w(stages * n, n);
  for (int i = 0; i < stages; ++i) w.middleRows(i * n, n) = step * b[i] * Matrix::Identity(n, n);
  w = m.transpose().partialPivLu().solve(w).eval();
  StepDerivative result{Matrix::Identity(n, n), {}};
  for (int i = 0; i < stages; ++i) {
    result.pull.emplace_back(w.middleRows(i * n, n).transpose());
    result.start += result.pull.back() * jacobians[static_cast<std::size_t>(i)];
  }
  return result;
}

/// Slopes at the stages of a step by those of the last one, of the same length.
Matrix extrapolated(const Matrix& slopes) {
  Matrix result(slopes.rows(), stages);
  for (int i = 0; i < stages; ++i) {
    const double t = 1 + nodes[i];
    Vector sum = Vector::Zero(slopes.rows());
    for (int j = 0; j < stages; ++j) {
      double lagrange = 1;
      for (int l = 0; l < stages; ++l)
        if (l != j) lagrange *= (t - nodes[l]) / (nodes[j] - nodes[l]);
      sum += lagrange * slopes.col(j);
    }
    result.col(i) = sum;
  }
  return result;
}

struct Solved {
  Matrix slopes;  ///< f at the stages
  bool done = false;
};

/// Inputs at the stages: inputs × 3.
Matrix at_stages(const InputLine& inputs) {
  Matrix result(inputs.begin.size(), stages);
  for (int i = 0; i < stages; ++i) result.col(i) = inputs.at(nodes[i]);
  return result;
}

/// Slopes of the stages by fixed-point iteration, which converges where steps are short.
Solved by_fixed_point(const NonlinearField& field, const Vector& x, double step, const Matrix& u,
                      Matrix slopes) {
  Matrix next(x.size(), stages);
  double before = infinite;
  for (int iteration = 0; iteration < 25; ++iteration) {
    for (int i = 0; i < stages; ++i) field.value(stage(x, slopes, step, i), u.col(i), next.col(i));
    const double change = (next - slopes).cwiseAbs().maxCoeff(), size = next.cwiseAbs().maxCoeff();
    slopes = next;
    if (!std::isfinite(change)) return {slopes};
    if (change <= 1e-15 * size || (change >= 0.5 * before && change <= 1e-14 * size))
      return {slopes, true};
    if (iteration > 3 && change > 0.5 * before) return {slopes};
    before = change;
  }
  return {slopes};
}

/// The same by Newton's method, with steps halved where they lead away.
Solved by_newton(const NonlinearField& field, const Vector& x, double step, const Matrix& u,
                 Matrix slopes) {
  const Index n = x.size();
  std::vector<Matrix> jacobians;
  Matrix states(n, stages), residual(n, stages);
  const auto evaluate = [&](const Matrix& k) {
    for (int i = 0; i < stages; ++i) {
      states.col(i) = stage(x, k, step, i);
      field.value(states.col(i), u.col(i), residual.col(i));
    }
    residual -= k;
    return residual.norm();
  };
  double size = evaluate(slopes);
  for (int iteration = 0; iteration < 60 && std::isfinite(size); ++iteration) {
    stop_point(work_of(field));
    const Matrix m = stage_matrix(field, states, step, jacobians);
    const Matrix move = m.partialPivLu().solve(residual.reshaped()).reshaped(n, stages);
    if (!move.allFinite()) return {slopes};
    double length = 1, next = evaluate(slopes + move);
    while (!(next < size) && length > 1e-4) {
      length *= 0.5;
      next = evaluate(slopes + length * move);
    }
    const double scale = slopes.norm() + residual.norm();
    if (!(next < size)) {
      evaluate(slopes);
      return {slopes, size <= 1e-12 * scale};
    }
    slopes += length * move;
    size = next;
    if (size <= 1e-15 * scale) return {slopes, true};
  }
  return {slopes, std::isfinite(size) && size <= 1e-12 * slopes.norm()};
}

/// The slopes of a step, zero iterations wasted where a good guess is at hand.
Solved solve_stages(const NonlinearField& field, const Vector& x, double step, const Matrix& u,
                    const Matrix* guess) {
  const Vector here = field.value(x, u.col(0));
  const Matrix start = guess != nullptr ? *guess : Matrix(here.replicate(1, stages));
  Solved result = by_fixed_point(field, x, step, u, start);
  if (!result.done) result = by_newton(field, x, step, u, here.replicate(1, stages));
  return result;
}

}  // namespace

CollocationStep collocation_step(const NonlinearField& field, const Vector& x, double step,
                                 const InputLine& inputs) {
  const Solved solved = solve_stages(field, x, step, at_stages(inputs), nullptr);
  CollocationStep result{Matrix(x.size(), stages), x};
  if (!solved.done) {
    result.end.setConstant(infinite);
    return result;
  }
  for (int i = 0; i < stages; ++i) {
    result.stages.col(i) = stage(x, solved.slopes, step, i);
    result.end += step * b[i] * solved.slopes.col(i);
  }
  return result;
}

double longest_step(const NonlinearField& field, const Matrix& states,
                    const CollocationOptions& options) {
  double largest = 0;
  const Index stride = std::max<Index>(1, states.cols() / 200);
  for (Index k = 0; k < states.cols(); k += stride)
    if (states.col(k).allFinite())
      largest =
          std::max(largest, field.jacobian(states.col(k)).cwiseAbs().rowwise().sum().maxCoeff());
  return largest > 0 && std::isfinite(largest) ? options.longest_step / largest : infinite;
}

CollocationFlow::CollocationFlow(InputCourse inputs, double longest) : course_(std::move(inputs)) {
  constexpr double most = 1e6;  // in a piece
  for (Index k = 0; k + 1 < course_.edges.size(); ++k) {
    const double gap = course_.edges[k + 1] - course_.edges[k];
    const double count = std::clamp(std::ceil(gap / longest * (1 - 1e-9)), 1.0, most);
    counts_.push_back(static_cast<Index>(count));
    steps_.push_back(gap / count);
  }
}

Matrix CollocationFlow::inputs_at(std::size_t piece, Index s) const {
  const auto k = static_cast<Index>(piece);
  Matrix result(course_.inputs(), stages);
  if (result.rows() == 0) return result;
  const auto count = static_cast<double>(counts_[piece]);
  for (int i = 0; i < stages; ++i)
    result.col(i) = InputLine{course_.begin.col(k), course_.end.col(k)}.at(
        (static_cast<double>(s) + nodes[i]) / count);
  return result;
}

CollocationFlow::Path CollocationFlow::path(const NonlinearField& field, const Vector& x0) const {
  Path result;
  result.states.resize(x0.size(), samples());
  result.states.col(0) = x0;
  Vector x = x0;
  Matrix slopes;
  double last = 0;
  Index sample = 0;
  for (std::size_t k = 0; k < counts_.size(); ++k) {
    for (Index s = 0; s < counts_[k]; ++s) {
      stop_point(work_of(field));
      const double step = steps_[k];
      const bool alike = slopes.size() > 0 && std::abs(step - last) <= 1e-6 * step;
      const Matrix guess = alike ? extrapolated(slopes) : Matrix();
      const Solved solved = solve_stages(field, x, step, inputs_at(k, s), alike ? &guess : nullptr);
      if (!solved.done) {
        result.finite = false;
        result.states.rightCols(samples() - sample - 1).setConstant(infinite);
        return result;
      }
      slopes = solved.slopes;
      last = step;
      Matrix at(x.size(), stages);
      for (int i = 0; i < stages; ++i) at.col(i) = stage(x, slopes, step, i);
      result.stages.push_back(std::move(at));
      for (int i = 0; i < stages; ++i) x += step * b[i] * slopes.col(i);
    }
    if (course_.pieces[k].to_sample) result.states.col(++sample) = x;
  }
  return result;
}

Matrix CollocationFlow::sensitivities(const NonlinearField& field, const Path& path) const {
  const Index n = field.dimension(), p = field.parameters();
  Matrix result(n * samples(), n + p), s = Matrix::Zero(n, n + p);
  s.leftCols(n).setIdentity();
  result.topRows(n) = s;
  std::size_t at = 0;
  Index sample = 0;
  for (std::size_t k = 0; k < counts_.size(); ++k) {
    for (Index i = 0; i < counts_[k]; ++i, ++at) {
      stop_point(work_of(field) + 3 * static_cast<double>(n * n * p));
      const Matrix& states = path.stages[at];
      const Matrix u = inputs_at(k, i);
      const StepDerivative change = step_derivative(field, states, steps_[k]);
      s = (change.start * s).eval();
      for (int j = 0; j < stages; ++j)
        s.rightCols(p).noalias() += change.pull[static_cast<std::size_t>(j)] *
                                    field.parameter_jacobian(states.col(j), u.col(j));
    }
    if (course_.pieces[k].to_sample) result.middleRows(n * ++sample, n) = s;
  }
  return result;
}

CollocationFlow::Gradient CollocationFlow::adjoint(const NonlinearField& field, const Path& path,
                                                   const Matrix& pull) const {
  Gradient result{Vector::Zero(field.dimension()), Vector::Zero(field.parameters())};
  std::size_t at = path.stages.size();
  Index sample = samples();
  for (std::size_t k = counts_.size(); k-- > 0;) {
    if (course_.pieces[k].to_sample) result.x0 += pull.col(--sample);
    for (Index i = counts_[k]; i-- > 0;) {
      stop_point(work_of(field));
      const Matrix& states = path.stages[--at];
      const Matrix u = inputs_at(k, i);
      const StepDerivative change = step_derivative(field, states, steps_[k]);
      for (int j = 0; j < stages; ++j)
        result.theta += field.parameter_jacobian(states.col(j), u.col(j)).transpose() *
                        (change.pull[static_cast<std::size_t>(j)].transpose() * result.x0);
      result.x0 = (change.start.transpose() * result.x0).eval();
    }
  }
  result.x0 += pull.col(0);
  return result;
}

}  // namespace lgn
