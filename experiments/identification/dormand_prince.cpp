#include "experiments/identification/dormand_prince.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace lgn::studies {
namespace {

constexpr std::size_t stages = 7;  // the last one is the first of the next step
using Row = std::array<double, stages>;

/// Weights of earlier stages; the last row is the solution of order 5. The system does not know the
/// time, so the nodes are not needed.
constexpr std::array<Row, stages> tableau{{
    {},
    {1.0 / 5},
    {3.0 / 40, 9.0 / 40},
    {44.0 / 45, -56.0 / 15, 32.0 / 9},
    {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
    {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656},
    {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84},
}};
/// Order 5 less order 4.
constexpr Row difference{-71.0 / 57600,    0,           71.0 / 16695, -71.0 / 1920,
                         17253.0 / 339200, -22.0 / 525, 1.0 / 40};
/// x(t + sh) = x + h Σ_i k_i (p_i1 s + p_i2 s² + p_i3 s³ + p_i4 s⁴).
constexpr std::array<std::array<double, 4>, stages> interpolant{{
    {1, -8048581381.0 / 2820520608, 8663915743.0 / 2820520608, -12715105075.0 / 11282082432},
    {},
    {0, 131558114200.0 / 32700410799, -68118460800.0 / 10900136933, 87487479700.0 / 32700410799},
    {0, -1754552775.0 / 470086768, 14199869525.0 / 1410260304, -10690763975.0 / 1880347072},
    {0, 127303824393.0 / 49829197408, -318862633887.0 / 49829197408, 701980252875.0 / 199316789632},
    {0, -282668133.0 / 205662961, 2019193451.0 / 616988883, -1453857185.0 / 822651844},
    {0, 40617522.0 / 29380423, -110615467.0 / 29380423, 69997945.0 / 29380423},
}};

// The tables check themselves: a step is consistent, its two orders agree on a constant slope, and
// the quartic ends (s = 1) at the step's own end. Terms up to 12, some tens of roundings.
constexpr bool near(double x, double y) { return x - y < 1e-14 && y - x < 1e-14; }
constexpr bool tables_hold() {
  double solution = 0, error = 0;
  for (std::size_t i = 0; i < stages; ++i) {
    double end = 0;
    for (const double p : interpolant[i]) end += p;
    if (!near(end, tableau[stages - 1][i])) return false;
    solution += tableau[stages - 1][i];
    error += difference[i];
  }
  return near(solution, 1) && near(error, 0);
}
static_assert(tables_hold());

double root_mean_square(const Vector& x) {
  return x.norm() / std::sqrt(static_cast<double>(x.size()));
}

/// SciPy's first step (Hairer, Nørsett & Wanner, Solving ODEs I, section II.4).
double first_step(const Matrix& a, const Vector& x, const Tolerances& tolerances, double duration) {
  const Vector scale = tolerances.absolute + tolerances.relative * x.array().abs();
  const Vector slope = a * x;
  const double size = root_mean_square(x.cwiseQuotient(scale));
  const double speed = root_mean_square(slope.cwiseQuotient(scale));
  const double trial = std::min(duration, size < 1e-5 || speed < 1e-5 ? 1e-6 : 0.01 * size / speed);
  const Vector bend = a * (x + trial * slope) - slope;
  const double curvature = root_mean_square(bend.cwiseQuotient(scale)) / trial;
  const double step = speed <= 1e-15 && curvature <= 1e-15
                          ? std::max(1e-6, trial * 1e-3)
                          : std::pow(0.01 / std::max(speed, curvature), 1.0 / 5);
  return std::min({100 * trial, step, duration});
}

}  // namespace

Matrix dormand_prince(const Matrix& a, const Vector& x0, const Vector& times,
                      const Tolerances& tolerances) {
  const Index n = x0.size(), samples = times.size();
  const double end = times[samples - 1];
  Matrix result(n, samples), k(n, stages);
  Vector x = x0;
  double t = times[0], step = first_step(a, x, tolerances, end - t);
  result.col(0) = x;
  k.col(0).noalias() = a * x;
  bool rejected = false;
  for (Index next = 1; next < samples;) {
    const double h = std::min(step, end - t);
    Vector stage = x;
    for (std::size_t i = 1; i < stages; ++i) {
      stage = x;
      for (std::size_t j = 0; j < i; ++j) stage += h * tableau[i][j] * k.col(static_cast<Index>(j));
      k.col(static_cast<Index>(i)).noalias() = a * stage;
    }
    const Vector scale =
        tolerances.absolute + tolerances.relative * x.array().abs().max(stage.array().abs());
    const Vector deviation = h * (k * Eigen::Map<const Vector>(difference.data(), stages));
    const double error = root_mean_square(deviation.cwiseQuotient(scale));
    const double change = 0.9 * std::pow(error, -1.0 / 5);  // infinite for no error
    if (!(error < 1)) {
      step = h * std::max(0.2, change);
      rejected = true;
      continue;
    }
    const double reached = h < end - t ? t + h : end;
    for (; next < samples && times[next] <= reached; ++next) {
      const double s = (times[next] - t) / h;
      Vector weights(stages);
      for (std::size_t i = 0; i < stages; ++i) {
        const auto& p = interpolant[i];
        weights[static_cast<Index>(i)] = s * (p[0] + s * (p[1] + s * (p[2] + s * p[3])));
      }
      result.col(next).noalias() = x + h * (k * weights);
    }
    x = stage;
    t = reached;
    step = h * std::min(rejected ? 1.0 : 10.0, change);
    rejected = false;
    k.col(0) = k.col(stages - 1).eval();
  }
  return result;
}

}  // namespace lgn::studies
