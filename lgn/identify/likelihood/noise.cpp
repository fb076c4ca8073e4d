#include "lgn/identify/likelihood/noise.h"

#include <algorithm>
#include <cmath>

#include "lgn/core/median.h"

namespace lgn {
namespace {

/// No channel is much more exact, in units of its size, than others are.
void raise_to_floor(Vector& sigma, const Vector& sizes) {
  const Vector relative = sigma.cwiseQuotient(sizes);
  const double floor = std::max(1e-15, 1e-3 * median({relative.begin(), relative.end()}));
  sigma = sigma.cwiseMax(floor * sizes);
}

}  // namespace

bool NoiseEstimate::resembles(const NoiseEstimate& other) const {
  const Eigen::ArrayXd ratio = (sigma.array() / other.sigma.array()).log();
  const double chance = std::max(0.02, 4 / std::sqrt(2 * std::max(other.samples, 1.0)));
  if (!((ratio - ratio.mean()).abs() < chance).all()) return false;
  if (factors.size() != other.factors.size()) return false;
  for (std::size_t r = 0; r < factors.size(); ++r)
    if (!((factors[r] - other.factors[r]).cwiseAbs().maxCoeff() < 1e-3)) return false;
  return true;
}

NoiseEstimate estimate_noise(const Problem& problem, const Problem::Profile& profile,
                             const Vector& sizes, bool robust) {
  if (problem.condensed()) {
    // Weights are those of channels then.
    const auto [squares, count] = problem.squares(profile);
    const double share =
        std::max(0.05, problem.degrees_of_freedom() / static_cast<double>(problem.values()));
    NoiseEstimate result{(squares.array() / (share * count.array().max(1.0))).sqrt(),
                         {},
                         count.sum() / static_cast<double>(sizes.size())};
    raise_to_floor(result.sigma, sizes);
    return result;
  }
  std::vector<Matrix> presence;
  for (Index r = 0; r < problem.runs(); ++r) presence.push_back(problem.presence(r));
  // Unknowns take their share of every channel.
  const double values = static_cast<double>(problem.values());
  return estimate_noise(problem.residuals(profile), presence,
                        std::max(0.05, problem.degrees_of_freedom() / values), sizes, robust);
}

NoiseEstimate estimate_noise(const std::vector<Matrix>& residuals,
                             const std::vector<Matrix>& presence, double share, const Vector& sizes,
                             bool robust) {
  const Index n = sizes.size();
  double values = 0;
  for (const Matrix& present : presence) values += present.sum();
  NoiseEstimate result{Vector(n), {}, values / static_cast<double>(n)};
  for (Index c = 0; c < n; ++c) {
    std::vector<double> sizes_of_residuals;
    double squares = 0;
    for (std::size_t r = 0; r < residuals.size(); ++r) {
      const Matrix& present = presence[r];
      for (Index k = 0; k < present.cols(); ++k)
        if (present(c, k) != 0) sizes_of_residuals.push_back(std::abs(residuals[r](c, k)));
      squares += residuals[r].row(c).squaredNorm();
    }
    const auto count = static_cast<double>(sizes_of_residuals.size());
    result.sigma[c] = count == 0 ? 0.0
                      : robust   ? 1.4826 * median(std::move(sizes_of_residuals)) / std::sqrt(share)
                                 : std::sqrt(squares / (share * std::max(count, 1.0)));
  }
  raise_to_floor(result.sigma, sizes);
  if (!robust) return result;
  constexpr double threshold = 1.345;  // 95% efficient for Gaussian noise
  for (const Matrix& r : residuals) {
    const Matrix scaled = result.sigma.cwiseInverse().asDiagonal() * r.cwiseAbs();
    result.factors.push_back(threshold * scaled.cwiseMax(threshold).cwiseInverse());
  }
  return result;
}

}  // namespace lgn
