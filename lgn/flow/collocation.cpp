#include "lgn/flow/collocation.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "lgn/core/stop.h"

namespace lgn {
namespace {

constexpr int stages = 3;
constexpr double root15 = 3.87298334620741688518;
/// Weights of the three Gauss points, and ∫ of their Lagrange polynomials up to each.
constexpr double b[stages] = {5.0 / 18, 4.0 / 9, 5.0 / 18};
constexpr double a[stages][stages] = {{5.0 / 36, 2.0 / 9 - root15 / 15, 5.0 / 36 - root15 / 30},
                                      {5.0 / 36 + root15 / 24, 2.0 / 9, 5.0 / 36 - root15 / 24},
                                      {5.0 / 36 + root15 / 30, 2.0 / 9 + root15 / 15, 5.0 / 36}};
constexpr double nodes[stages] = {0.5 - root15 / 10, 0.5, 0.5 + root15 / 10};

constexpr double infinite = std::numeric_limits<double>::infinity();

double work_of(const NonlinearField& field) {
  const auto n = static_cast<double>(field.dimension());
  return 2000 + 60 * n * n;
}

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

/// Slopes of the stages by fixed-point iteration, which converges where steps are short.
Solved by_fixed_point(const NonlinearField& field, const Vector& x, double step, Matrix slopes) {
  Matrix next(x.size(), stages);
  double before = infinite;
  for (int iteration = 0; iteration < 25; ++iteration) {
    for (int i = 0; i < stages; ++i) field.value(stage(x, slopes, step, i), next.col(i));
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
Solved by_newton(const NonlinearField& field, const Vector& x, double step, Matrix slopes) {
  const Index n = x.size();
  std::vector<Matrix> jacobians;
  Matrix states(n, stages), residual(n, stages);
  const auto evaluate = [&](const Matrix& k) {
    for (int i = 0; i < stages; ++i) {
      states.col(i) = stage(x, k, step, i);
      field.value(states.col(i), residual.col(i));
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
Solved solve_stages(const NonlinearField& field, const Vector& x, double step,
                    const Matrix* guess) {
  const Vector here = field.value(x);
  const Matrix start = guess != nullptr ? *guess : Matrix(here.replicate(1, stages));
  Solved result = by_fixed_point(field, x, step, start);
  if (!result.done) result = by_newton(field, x, step, here.replicate(1, stages));
  return result;
}

}  // namespace

CollocationStep collocation_step(const NonlinearField& field, const Vector& x, double step,
                                 const Matrix* guess) {
  const Solved solved = solve_stages(field, x, step, guess);
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

Vector discrete_gradient_step(const NonlinearField& field, const Vector& x, double step) {
  const StateEnergy& energy = *field.structure().state_energy();
  const Vector& theta = field.theta();
  const double before = energy.value(theta, x);
  // f = (f gᵀ − g fᵀ)/|g|² g + (f·g)/|g|² g, g = ∇H: the first part is skew, the second loses. With the discrete gradient in place of the last g the energy
  // changes by (f·g)/|g|² times the square of its length, times the step, which is no gain.
  const auto change = [&](const Vector& end) -> Vector {
    const Vector middle = 0.5 * (x + end), difference = end - x;
    const Vector f = field.value(middle), g = energy.gradient(theta, middle);
    const double g2 = g.squaredNorm(), d2 = difference.squaredNorm();
    if (!(g2 > 0)) return step * f;
    Vector discrete = g;
    if (d2 > 0)
      discrete += (energy.value(theta, end) - before - g.dot(difference)) / d2 * difference;
    const double loss = std::min(0.0, f.dot(g));
    return step * (f * g.dot(discrete) - g * f.dot(discrete) + loss * discrete) / g2;
  };
  Vector end = x + step * field.value(x);
  double way = 1, last = infinite;
  for (int iteration = 0; iteration < 500; ++iteration) {
    const Vector move = x + change(end) - end;
    const double size = move.norm();
    if (!std::isfinite(size) || size <= 1e-15 * (1 + x.norm())) break;
    if (size > last) way = std::max(0.05, 0.7 * way);
    last = size;
    end += way * move;
  }
  // What the iteration leaves, where it has not converged, must not be a gain either.
  return energy.value(theta, end) <= before ? end : x;
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

CollocationFlow::CollocationFlow(const Vector& times, double longest) {
  constexpr double most = 1e6;  // between two samples
  for (Index k = 1; k < times.size(); ++k) {
    const double gap = times[k] - times[k - 1];
    const double count = std::clamp(std::ceil(gap / longest * (1 - 1e-9)), 1.0, most);
    counts_.push_back(static_cast<Index>(count));
    steps_.push_back(gap / count);
  }
}

CollocationFlow::Path CollocationFlow::path(const NonlinearField& field, const Vector& x0) const {
  Path result;
  result.states.resize(x0.size(), samples());
  result.states.col(0) = x0;
  Vector x = x0;
  Matrix slopes;
  double last = 0;
  for (std::size_t k = 0; k < counts_.size(); ++k) {
    for (Index s = 0; s < counts_[k]; ++s) {
      stop_point(work_of(field));
      const double step = steps_[k];
      const bool alike = slopes.size() > 0 && std::abs(step - last) <= 1e-6 * step;
      const Matrix guess = alike ? extrapolated(slopes) : Matrix();
      const Solved solved = solve_stages(field, x, step, alike ? &guess : nullptr);
      if (!solved.done) {
        result.finite = false;
        result.states.rightCols(samples() - static_cast<Index>(k) - 1).setConstant(infinite);
        return result;
      }
      slopes = solved.slopes;
      last = step;
      Matrix at(x.size(), stages);
      for (int i = 0; i < stages; ++i) at.col(i) = stage(x, slopes, step, i);
      result.stages.push_back(std::move(at));
      for (int i = 0; i < stages; ++i) x += step * b[i] * slopes.col(i);
    }
    result.states.col(static_cast<Index>(k) + 1) = x;
  }
  return result;
}

Matrix CollocationFlow::sensitivities(const NonlinearField& field, const Path& path) const {
  const Index n = field.dimension(), p = field.parameters();
  Matrix result(n * samples(), n + p), s = Matrix::Zero(n, n + p);
  s.leftCols(n).setIdentity();
  result.topRows(n) = s;
  std::size_t at = 0;
  for (std::size_t k = 0; k < counts_.size(); ++k) {
    for (Index i = 0; i < counts_[k]; ++i, ++at) {
      stop_point(work_of(field) + 3 * static_cast<double>(n * n * p));
      const Matrix& states = path.stages[at];
      const StepDerivative change = step_derivative(field, states, steps_[k]);
      s = (change.start * s).eval();
      for (int j = 0; j < stages; ++j)
        s.rightCols(p).noalias() +=
            change.pull[static_cast<std::size_t>(j)] * field.parameter_jacobian(states.col(j));
    }
    result.middleRows(n * (static_cast<Index>(k) + 1), n) = s;
  }
  return result;
}

CollocationFlow::Gradient CollocationFlow::adjoint(const NonlinearField& field, const Path& path,
                                                   const Matrix& pull) const {
  Gradient result{pull.col(samples() - 1), Vector::Zero(field.parameters())};
  std::size_t at = path.stages.size();
  for (std::size_t k = counts_.size(); k-- > 0;) {
    for (Index i = 0; i < counts_[k]; ++i) {
      stop_point(work_of(field));
      const Matrix& states = path.stages[--at];
      const StepDerivative change = step_derivative(field, states, steps_[k]);
      for (int j = 0; j < stages; ++j)
        result.theta += field.parameter_jacobian(states.col(j)).transpose() *
                        (change.pull[static_cast<std::size_t>(j)].transpose() * result.x0);
      result.x0 = (change.start.transpose() * result.x0).eval();
    }
    result.x0 += pull.col(static_cast<Index>(k));
  }
  return result;
}

namespace {

/// `end` moved down the slope of the energy to no more than it had `before`, where that is far within the error of a step: what
/// collocation and rounding add. Else as it is.
Vector lowered(const NonlinearField& field, Vector end, double before) {
  const StateEnergy& energy = *field.structure().state_energy();
  constexpr double little = 1e-10;
  for (int iteration = 0; iteration < 3; ++iteration) {
    const double excess = energy.value(field.theta(), end) - before;
    if (!(excess > 0) || excess > little * std::abs(before)) return end;
    const Vector slope = energy.gradient(field.theta(), end);
    if (!(slope.squaredNorm() > 0)) return end;
    // A little further, since the energy itself is known to rounding only.
    end -= (excess + 1e-16 * std::abs(before)) / slope.squaredNorm() * slope;
  }
  return end;
}

/// From x over a time `step`, in halves where the energy would grow, and by the discrete gradient where they are too short, which is
/// told in `coarse`.
Vector keeping_energy(const NonlinearField& field, const Vector& x, double step, int halvings,
                      bool& coarse) {
  const StateEnergy* energy = field.structure().state_energy();
  Vector end = collocation_step(field, x, step).end;
  if (energy != nullptr && !energy->quadratic() && end.allFinite())
    end = lowered(field, std::move(end), energy->value(field.theta(), x));
  const auto grows = [&](const Vector& next) {
    if (!next.allFinite()) return true;
    if (energy == nullptr || energy->quadratic()) return false;
    // Rounding of a sum of as many terms as there are states, and more.
    const double before = energy->value(field.theta(), x),
                 after = energy->value(field.theta(), next);
    return after > before + 1e-14 * (std::abs(before) + std::abs(after));
  };
  if (!grows(end) || (energy == nullptr && halvings == 0)) return end;
  if (halvings == 0) {
    coarse = true;
    return discrete_gradient_step(field, x, step);
  }
  const Vector middle = keeping_energy(field, x, 0.5 * step, halvings - 1, coarse);
  return keeping_energy(field, middle, 0.5 * step, halvings - 1, coarse);
}

}  // namespace

Matrix propagate(const NonlinearField& field, const Vector& x0, const Vector& times,
                 const CollocationOptions& options) {
  Matrix result(x0.size(), times.size());
  if (times.size() > 0) result.col(0) = x0;
  Vector x = x0;
  constexpr double shortest = 1e-3;
  double size = x0.cwiseAbs().maxCoeff(), shorter = 1;  // than by ∂f/∂x alone
  bool coarse = false;
  const auto over = [&](const Vector& from, double step) {
    // Where steps may be shorter a coarse one is but a reason for that.
    const int halvings = options.tolerance > 0 && shorter > shortest ? 0 : 4;
    return options.keep_energy ? keeping_energy(field, from, step, halvings, coarse)
                               : collocation_step(field, from, step).end;
  };
  for (Index k = 1; k < times.size(); ++k) {
    double left = times[k] - times[k - 1];
    while (left > 0 && x.allFinite()) {
      stop_point(work_of(field));
      const double longest = shorter * longest_step(field, x, options);
      const double count = std::ceil(left / longest * (1 - 1e-9));
      const double step = count > 1 ? left / count : left;
      // Too short to move the clock: the law has left the range of numbers.
      if (!(step > 1e-15 * left) || count > 1e8) {
        x.setConstant(infinite);
        break;
      }
      coarse = false;
      Vector end = over(x, options.tolerance > 0 ? 0.5 * step : step);
      if (options.tolerance > 0) {
        end = over(end, 0.5 * step);
        // Of order six: what the halves leave is a 63rd of the difference.
        const double error = (over(x, step) - end).cwiseAbs().maxCoeff() / 63;
        size = std::max(size, end.cwiseAbs().maxCoeff());
        const double allowed = options.tolerance * size;
        const bool good = (error <= allowed && !coarse) || shorter <= shortest;
        if (std::isfinite(error) && !coarse) {
          const double factor = 0.9 * std::pow(allowed / std::max(error, 1e-3 * allowed), 1.0 / 7);
          shorter = std::clamp(shorter * std::clamp(factor, 0.3, 1.5), shortest, 1.0);
        } else {
          shorter = std::max(0.3 * shorter, shortest);
        }
        if (!good) continue;
      }
      x = std::move(end);
      left = count > 1 ? left - step : 0;
    }
    result.col(k) = x;
  }
  return result;
}

}  // namespace lgn
