#include "experiments/identification/dormand_prince.h"

#include <algorithm>
#include <cmath>

#include "experiments/methods/dormand_prince_table.h"

namespace lgn::studies {
namespace {

using Table = DormandPrince;
constexpr std::size_t stages = Table::stages;

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
      for (std::size_t j = 0; j < i; ++j)
        stage += h * Table::a[i][j] * k.col(static_cast<Index>(j));
      k.col(static_cast<Index>(i)).noalias() = a * stage;
    }
    const Vector scale =
        tolerances.absolute + tolerances.relative * x.array().abs().max(stage.array().abs());
    const Vector deviation = h * (k * Eigen::Map<const Vector>(Table::e.data(), stages));
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
      const Table::Row weights = Table::interpolant(s);
      result.col(next).noalias() = x + h * (k * Eigen::Map<const Vector>(weights.data(), stages));
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
