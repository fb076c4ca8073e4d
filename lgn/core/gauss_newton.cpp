#include "lgn/core/gauss_newton.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "lgn/core/stop.h"

namespace lgn {
namespace {

constexpr double smallest_damping = 1e-13, largest_damping = 1e14;

/// Rows and columns of `h` that are listed.
Matrix part(const Matrix& h, const std::vector<Index>& rows, const std::vector<Index>& columns) {
  Matrix result(static_cast<Index>(rows.size()), static_cast<Index>(columns.size()));
  for (std::size_t j = 0; j < columns.size(); ++j)
    for (std::size_t i = 0; i < rows.size(); ++i)
      result(static_cast<Index>(i), static_cast<Index>(j)) = h(rows[i], columns[j]);
  return result;
}

Vector part(const Vector& v, const std::vector<Index>& rows) {
  Vector result(static_cast<Index>(rows.size()));
  for (std::size_t i = 0; i < rows.size(); ++i) result[static_cast<Index>(i)] = v[rows[i]];
  return result;
}

/// H⁻¹ b for a semidefinite H, of which the lower triangle is read; b becomes the solution. Many unknowns are solved for in
/// blocks where H is definite beyond rounding, which takes a fraction of the time.
constexpr Index many = 700;
void solve_for_step(const Matrix& h, Vector& b) {
  if (h.rows() > many) {
    const Eigen::LLT<Matrix> root(h);
    if (root.info() == Eigen::Success) {
      root.solveInPlace(b);
      return;
    }
  }
  h.selfadjointView<Eigen::Lower>().ldlt().solveInPlace(b);
}

/// Whether an unknown sits on its bound and the gradient holds it there.
bool held(double x, double lower, double gradient) { return x <= lower && gradient > 0; }

}  // namespace

Vector DenseModel::step(const Vector& x, const Vector& lower, double damping) const {
  // A primal active set: the step goes towards the minimum over the free unknowns up to the first
  // bound in its way, which joins the fixed ones; at such a minimum, a fixed unknown that the
  // gradient pulls inwards is freed.
  // Against rounding, relative to what is known of each unknown by itself, however small that is beside the others.
  const double least = 1e-30 * hessian_->diagonal().maxCoeff() + 1e-300;
  Vector step = Vector::Zero(x.size());
  std::vector<char> fixed(static_cast<std::size_t>(x.size()));
  const auto is_fixed = [&](Index i) -> char& { return fixed[static_cast<std::size_t>(i)]; };
  for (Index i = 0; i < x.size(); ++i) is_fixed(i) = held(x[i], lower[i], gradient_[i]) ? 1 : 0;
  for (Index change = 0; change < 3 * x.size() + 1; ++change) {
    stop_point(std::pow(static_cast<double>(x.size()), 3) / (x.size() > many ? 30 : 3) + 1000);
    std::vector<Index> free, on_bound;
    for (Index i = 0; i < x.size(); ++i) (is_fixed(i) ? on_bound : free).push_back(i);
    Matrix h = part(*hessian_, free, free);
    for (Index i = 0; i < h.rows(); ++i)
      h(i, i) += damping * h(i, i) + std::max(1e-18 * h(i, i), least);
    Vector target = -part(gradient_, free);
    if (!free.empty() && !on_bound.empty())
      target -= part(*hessian_, free, on_bound) * part(step, on_bound);
    if (!free.empty()) solve_for_step(h, target);
    double way = 1;
    Index blocking = -1;
    for (std::size_t i = 0; i < free.size(); ++i) {
      const Index k = free[i];
      const double room = lower[k] - x[k] - step[k];
      const double move = target[static_cast<Index>(i)] - step[k];
      if (!(move < room) || !(room > way * move)) continue;
      way = room / move;
      blocking = k;
    }
    for (std::size_t i = 0; i < free.size(); ++i)
      step[free[i]] += way * (target[static_cast<Index>(i)] - step[free[i]]);
    if (blocking >= 0) {
      step[blocking] = lower[blocking] - x[blocking];
      is_fixed(blocking) = 1;
      continue;
    }
    const Vector gradient =
        *hessian_ * step + gradient_ + damping * hessian_->diagonal().cwiseProduct(step);
    Index released = -1;
    for (const Index k : on_bound)
      if (gradient[k] < (released < 0 ? 0.0 : gradient[released])) released = k;
    if (released < 0) break;
    is_fixed(released) = 0;
  }
  return step;
}

double DenseModel::fall(const Vector& s) const {
  return -2 * gradient_.dot(s) - s.dot(*hessian_ * s);
}

Vector MatrixFreeModel::free_step(const Vector& free, Vector residual, double damping) const {
  // Damping adds a multiple of M, which the preconditioner inverts; `image` is M times `direction`.
  Vector step = Vector::Zero(residual.size());
  Vector z = operator_.precondition(residual).cwiseProduct(free), direction = z, image = residual;
  double rho = residual.dot(z), fallen = 0;
  for (int k = 0; k < max_products_ && rho > 0; ++k) {
    stop_point();
    const Vector product = (operator_.hessian(direction) + damping * image).cwiseProduct(free);
    const double curvature = direction.dot(product);
    if (!(curvature > 0)) break;
    const double length = rho / curvature;
    step += length * direction;
    residual -= length * product;
    const double gain = length * rho;
    fallen += gain;
    if (gain < 1e-3 * fallen) break;
    z = operator_.precondition(residual).cwiseProduct(free);
    const double next = residual.dot(z), beta = next / rho;
    direction = z + beta * direction;
    image = residual + beta * image;
    rho = next;
  }
  return step;
}

Vector MatrixFreeModel::step(const Vector& x, const Vector& lower, double damping) const {
  constexpr int most_passes = 4;
  Vector free(x.size()), fixed = Vector::Zero(x.size()), step = fixed;
  for (Index i = 0; i < x.size(); ++i) free[i] = held(x[i], lower[i], gradient_[i]) ? 0.0 : 1.0;
  bool any_fixed = false;
  for (int pass = 0; pass < most_passes; ++pass) {
    Vector residual = -gradient_;
    if (any_fixed) residual -= operator_.hessian(fixed);
    step = fixed + free_step(free, residual.cwiseProduct(free), damping);
    // Unknowns that would cross their bounds go onto them, and the others are solved for again.
    bool crossed = false;
    for (Index i = 0; i < x.size(); ++i)
      if (free[i] != 0 && x[i] + step[i] < lower[i]) {
        fixed[i] = lower[i] - x[i];
        free[i] = 0;
        crossed = any_fixed = true;
      }
    if (!crossed) break;
  }
  return (x + step).cwiseMax(lower) - x;
}

double MatrixFreeModel::fall(const Vector& s) const {
  return -2 * gradient_.dot(s) - s.dot(operator_.hessian(s));
}

namespace {

/// Steps from `best`, which is always the best so far.
void iterate(const SumOfSquares& problem, const GaussNewtonOptions& options,
             GaussNewtonResult& best) {
  using Ending = GaussNewtonResult::Ending;
  Vector& x = best.state.x;
  double& damping = best.state.damping;
  // Where the derivative along an unknown vanishes with it, as that of LLᵀ does, the model goes on promising what no
  // step brings. The search ends after so many steps that together lower the cost by less than moving an unknown by a
  // hundredth of its standard error does.
  constexpr int most_idle = 25;
  constexpr double idle_fall = 0.01 * 0.01;
  int idle = 0;
  double before_idle = best.cost;
  std::unique_ptr<QuadraticModel> model;
  best.ending = x.size() > 0 ? Ending::too_many_steps : Ending::converged;
  if (x.size() == 0) return;
  while (best.state.iterations < options.max_iterations) {
    if (best.cost <= options.cost_tolerance) {
      best.ending = Ending::converged;
      return;
    }
    if (!model) model = problem.model(x);
    const Vector newton = model->step(x, problem.lower, smallest_damping);
    const double variance = best.cost / std::max(1.0, problem.freedom);
    const double negligible = options.tolerance * options.tolerance * variance;
    // A step that raises its own model was clipped, and proves nothing.
    if (options.tolerance > 0 && std::abs(model->fall(newton)) <= negligible) {
      best.ending = Ending::converged;
      return;
    }
    idle = before_idle - best.cost <= idle_fall * variance ? idle + 1 : 0;
    if (idle == 0) before_idle = best.cost;
    if (options.tolerance > 0 && idle > most_idle) {
      best.ending = Ending::converged;
      return;
    }
    bool improved = false;
    double growth = 10;
    damping = std::max(damping, smallest_damping);
    while (!improved && damping < largest_damping) {
      Vector step = damping <= smallest_damping ? newton : model->step(x, problem.lower, damping);
      if (options.largest_step.size() > 0)
        step /= std::max(1.0, step.cwiseAbs().cwiseQuotient(options.largest_step).maxCoeff());
      const Vector trial = (x + step).cwiseMax(problem.lower);
      // A step that rounding swallows cannot tell anything.
      if ((trial - x).cwiseAbs().maxCoeff() <= 1e-16 * x.cwiseAbs().maxCoeff()) break;
      const double cost = problem.cost(trial);
      improved = cost < best.cost;
      if (improved) {
        const double gain = (best.cost - cost) / model->fall(step);
        damping = std::max(smallest_damping, damping * (gain > 0.75 ? 0.1 : gain > 0.25 ? 0.5 : 2));
        best.cost = cost;
        x = trial;
      } else {
        damping *= growth;
        growth *= 10;
      }
    }
    if (!improved) {
      best.ending = Ending::at_precision;
      return;
    }
    ++best.state.iterations;
    model.reset();
    if (options.observe && !options.observe(best.state, best.cost)) {
      best.ending = Ending::stopped;
      return;
    }
  }
}

}  // namespace

GaussNewtonResult minimize_gauss_newton(const SumOfSquares& problem, const GaussNewtonState& start,
                                        const GaussNewtonOptions& options) {
  GaussNewtonResult best;
  best.state = start;
  best.state.x = start.x.cwiseMax(problem.lower);
  best.cost = problem.cost(best.state.x);
  if (!unless_stopped([&] { iterate(problem, options, best); }))
    best.ending = GaussNewtonResult::Ending::stopped;
  return best;
}

}  // namespace lgn
