#include "lgn/core/spectral_factor.h"

#include "lgn/core/decompositions.h"
#include "lgn/core/stop.h"

namespace lgn {

std::optional<SpectralFactor> spectral_factor(const Matrix& phi, const Matrix& c, const Matrix& g,
                                              const Matrix& r) {
  constexpr int most_steps = 20'000;
  constexpr double settled = 1e-13;
  const Index n = phi.rows();
  Matrix p = Matrix::Zero(n, n);
  for (int step = 0; step < most_steps; ++step) {
    stop_point(6.0 * static_cast<double>(n * n * n) + 1000);
    const Matrix s = r - c * p * c.transpose(), gap = g - phi * p * c.transpose();
    const Matrix root = cholesky(s);
    if (!root.allFinite()) return {};
    const Matrix half = solve_lower(root, gap.transpose());
    const Matrix next = phi * p * phi.transpose() + half.transpose() * half;
    const double change = (next - p).norm(), size = next.norm();
    p = 0.5 * (next + next.transpose());
    if (!p.allFinite()) return {};
    if (change <= settled * size)
      return SpectralFactor{solve_lower_transposed(root, half).transpose(), s};
  }
  return {};
}

}  // namespace lgn
