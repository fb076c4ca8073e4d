#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "lgn/core/decompositions.h"
#include "lgn/core/gauss_newton.h"
#include "lgn/core/stop.h"
#include "lgn/data/scales.h"
#include "lgn/data/windows.h"
#include "lgn/identify/driven/innovation_internal.h"
#include "lgn/identify/residuals.h"

namespace lgn::innovation_internal {

Matrix whitening(const Matrix& covariance, const Vector& floor) {
  Matrix s = covariance;
  s.diagonal() += floor;
  return solve_lower(cholesky(s), Matrix::Identity(s.rows(), s.cols()));
}

Vector floor_of(const Dataset& data) {
  return (explained * channel_amplitudes(data)).cwiseAbs2().cwiseMax(1e-300);
}

double log_determinant(const Matrix& covariance, const Vector& floor) {
  Matrix s = covariance;
  s.diagonal() += floor;
  return 2 * cholesky(s).diagonal().array().log().sum();
}

void hold_unknowns(PredictionErrors::Normal& normal, const std::vector<Index>& held) {
  for (const Index q : held) {
    normal.information.row(q).setZero();
    normal.information.col(q).setZero();
    normal.information(q, q) = 1;
    normal.gradient[q] = 0;
  }
}

namespace {

/// W with WᵀW = S⁻¹, S = `covariance` + floor, scaled to a determinant of one: ‖W e‖² summed over K samples is then
/// K l det(S)^(1/l), with the gradient of that.
Matrix unit_whitening(const Matrix& covariance, const Vector& floor) {
  const auto l = static_cast<double>(covariance.rows());
  return std::exp(log_determinant(covariance, floor) / (2 * l)) * whitening(covariance, floor);
}

/// The likelihood of ψ with the covariance of e at its best, as what Gauss–Newton steps lower: K l det(S(ψ))^(1/l) for the
/// covariance S over K samples. Unknowns that are held stay as they are.
class BestCovariance {
 public:
  BestCovariance(const PredictionErrors& problem, const Vector& floor,
                 const std::vector<Index>& held)
      : problem_(problem), floor_(floor), held_(held) {}

  double cost(const Vector& given) {
    const Vector psi = place(given);
    if (!psi.allFinite() || !problem_.stable(psi)) return std::numeric_limits<double>::infinity();
    const Matrix s = problem_.covariance(problem_.errors(psi));
    if (!s.allFinite()) return std::numeric_limits<double>::infinity();
    const auto l = static_cast<double>(s.rows());
    return static_cast<double>(problem_.complete()) * l * std::exp(log_determinant(s, floor_) / l);
  }

  std::unique_ptr<QuadraticModel> model(const Vector& given) {
    const Vector psi = place(given);
    weight_ = unit_whitening(problem_.covariance(problem_.errors(psi)), floor_);
    auto normal = problem_.linearise(psi, weight_);
    hold_unknowns(normal, held_);
    return std::make_unique<DenseModel>(
        std::make_shared<const Matrix>(std::move(normal.information)), std::move(normal.gradient));
  }

  /// From here on all that enters linearly is at its best for every θ and K: a valley that is bent in all unknowns together is
  /// straighter in these alone.
  void eliminate_linear() {
    eliminates_ = true;
    last_ = {};
  }
  /// Where ψ stands for.
  Vector place(const Vector& psi) {
    if (!eliminates_ || !psi.allFinite() || weight_.size() == 0 || !problem_.stable(psi))
      return psi;
    if (last_.first.size() != psi.size() || last_.first != psi)
      last_ = {psi, problem_.with_best_linear(psi, weight_)};
    return last_.second;
  }

 private:
  const PredictionErrors& problem_;
  const Vector& floor_;
  const std::vector<Index>& held_;
  Matrix weight_;  ///< where the last model was made
  std::pair<Vector, Vector> last_;
  bool eliminates_ = false;
};

}  // namespace

Fit search(const Start& start, const Dataset& data, const FitOptions& options, double tolerance,
           const std::vector<Index>& held) {
  const PredictionErrors& problem = *start.problem;
  const Vector floor = floor_of(data);
  const double none = -std::numeric_limits<double>::infinity();
  Vector psi = start.psi;
  const Fit like = problem.fit_at(psi, problem.covariance(problem.errors(psi)));
  const Structure& structure = *like.structure;
  BestCovariance likelihood(problem, floor, held);
  SumOfSquares squares;
  squares.cost = [&](const Vector& x) { return likelihood.cost(x); };
  squares.model = [&](const Vector& x) { return likelihood.model(x); };
  squares.lower = Vector::Constant(problem.unknowns(), none);
  squares.lower.head(problem.gain()) = structure.lower_bounds();
  squares.freedom = std::max(
      1.0, static_cast<double>(problem.complete() * data.dimension() - problem.unknowns()));
  GaussNewtonOptions settings;
  settings.tolerance = tolerance;
  settings.largest_step = Vector::Constant(problem.unknowns(), -none);
  settings.largest_step.head(problem.gain()) = structure.largest_steps(longest_duration(data));
  if (settings.largest_step.array().isInf().all()) settings.largest_step.resize(0);
  int iterations = 0;
  settings.observe = [&](const GaussNewtonState& state, double cost) {
    return !options.observe ||
           options.observe({"innovations form", iterations + state.iterations,
                            options.max_iterations, std::sqrt(cost / squares.freedom)});
  };
  // Where next to nothing determines some direction steps creep along it: such a search ends where so many together have gained
  // less than moving a parameter by a fifth of its standard error does.
  constexpr int most_idle = 8;
  constexpr double idle_fall = 0.2 * 0.2;
  double damping = 1e-3, reached = log_determinant(like.innovation.covariance, floor);
  bool converged = false, stopped = false;
  while (iterations < options.max_iterations) {
    settings.max_iterations = std::min(most_idle, options.max_iterations - iterations);
    const GaussNewtonResult found =
        minimize_gauss_newton(squares, {.x = psi, .damping = damping}, settings);
    psi = to_the_end([&] { return likelihood.place(found.state.x); });
    damping = found.state.damping;
    iterations += found.state.iterations;
    stopped = found.ending == GaussNewtonResult::Ending::stopped;
    const double now =
        to_the_end([&] { return log_determinant(problem.covariance(problem.errors(psi)), floor); });
    const bool idle = found.state.iterations == most_idle &&
                      std::abs(reached - now) * static_cast<double>(problem.complete()) <
                          std::max(idle_fall, tolerance * tolerance);
    reached = now;
    converged = !stopped && (found.converged() || idle);
    if (stopped || converged || found.state.iterations == 0) break;
    if (iterations == most_idle) likelihood.eliminate_linear();
  }
  Fit fit =
      to_the_end([&] { return problem.fit_at(psi, problem.covariance(problem.errors(psi))); });
  fit.iterations += iterations;
  fit.converged = converged;
  fit.stopped = stopped;
  return fit;
}

}  // namespace lgn::innovation_internal
