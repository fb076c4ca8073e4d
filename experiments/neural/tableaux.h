#pragma once

#include <array>
#include <cstddef>

namespace lgn::neural {

/// The method of Dormand & Prince (1980), order 5 with an error estimate of order 4: stage i is at
/// x + h Σ_j a_ij k_j; the step ends at x + h Σ_j b_j k_j, which is the argument of the last stage, so
/// that this stage opens the next step.
struct DormandPrince {
  static constexpr std::size_t stages = 7;
  using Row = std::array<double, stages>;

  static constexpr Row c = {0, 1.0 / 5, 3.0 / 10, 4.0 / 5, 8.0 / 9, 1, 1};
  static constexpr std::array<Row, stages> a = {{
      {},
      {1.0 / 5},
      {3.0 / 40, 9.0 / 40},
      {44.0 / 45, -56.0 / 15, 32.0 / 9},
      {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
      {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656},
      {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84},
  }};
  static constexpr const Row& b = a[6];
  /// b less the weights of order 4: the error of a step is h Σ_j e_j k_j.
  static constexpr Row e = {35.0 / 384 - 5179.0 / 57600,
                            0,
                            500.0 / 1113 - 7571.0 / 16695,
                            125.0 / 192 - 393.0 / 640,
                            -2187.0 / 6784 + 92097.0 / 339200.0,
                            11.0 / 84 - 187.0 / 2100,
                            -1.0 / 40};
  /// Half a step, to order 4 (Shampine 1986).
  static constexpr Row middle = {
      6025192743.0 / 30085553152.0 / 2,     0,
      51252292925.0 / 65400821598.0 / 2,    -2691868925.0 / 45128329728.0 / 2,
      187940372067.0 / 1594534317056.0 / 2, -1776094331.0 / 19743644256.0 / 2,
      11237099.0 / 235043384.0 / 2};

  /// Weights of the state at t + θh, 0 ≤ θ ≤ 1: the quartic through both ends and the middle with the
  /// rates at both ends.
  static constexpr Row interpolant(double theta) {
    Row weights{};
    for (std::size_t j = 0; j < stages; ++j) {
      const double first = j == 0 ? 1 : 0, last = j == stages - 1 ? 1 : 0;
      const double quartic = 2 * (last - first) - 8 * b[j] + 16 * middle[j];
      const double cubic = 5 * first - 3 * last + 14 * b[j] - 32 * middle[j];
      const double square = last - 4 * first - 5 * b[j] + 16 * middle[j];
      weights[j] = theta * (first + theta * (square + theta * (cubic + theta * quartic)));
    }
    return weights;
  }
};

/// The classical method of Runge and Kutta, order 4.
struct RungeKutta4 {
  static constexpr std::array<double, 4> c = {0, 0.5, 0.5, 1};
  static constexpr std::array<double, 4> b = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
};

}  // namespace lgn::neural
