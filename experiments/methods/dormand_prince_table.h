#pragma once

#include <array>
#include <cstddef>

namespace lgn::studies {

/// The pair 5(4) of Dormand & Prince (J. Comp. Appl. Math. 6:19, 1980): stage i is at x + h Σ_j a_ij k_j and
/// the step ends at x + h Σ_j b_j k_j, which is where the last stage is, so that it opens the next step.
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
  static constexpr const Row& b = a[stages - 1];
  /// b less the weights of order 4: the error of a step is h Σ_j e_j k_j.
  static constexpr Row e = {71.0 / 57600,      0,          -71.0 / 16695, 71.0 / 1920,
                            -17253.0 / 339200, 22.0 / 525, -1.0 / 40};

  /// Weights of the state at t + sh, 0 ≤ s ≤ 1, to order 4 (Shampine, Math. Comp. 46:135, 1986).
  static constexpr Row interpolant(double s) {
    constexpr std::array<std::array<double, 4>, stages> quartics = {{
        {1, -8048581381.0 / 2820520608, 8663915743.0 / 2820520608, -12715105075.0 / 11282082432},
        {},
        {0, 131558114200.0 / 32700410799, -68118460800.0 / 10900136933,
         87487479700.0 / 32700410799},
        {0, -1754552775.0 / 470086768, 14199869525.0 / 1410260304, -10690763975.0 / 1880347072},
        {0, 127303824393.0 / 49829197408, -318862633887.0 / 49829197408,
         701980252875.0 / 199316789632},
        {0, -282668133.0 / 205662961, 2019193451.0 / 616988883, -1453857185.0 / 822651844},
        {0, 40617522.0 / 29380423, -110615467.0 / 29380423, 69997945.0 / 29380423},
    }};
    Row weights{};
    for (std::size_t i = 0; i < stages; ++i) {
      const auto& p = quartics[i];
      weights[i] = s * (p[0] + s * (p[1] + s * (p[2] + s * p[3])));
    }
    return weights;
  }

  /// Each stage is where its node says, a step is consistent, its two orders agree on a constant slope, and the
  /// quartic ends at the step's own end. Terms up to 12, some tens of roundings.
  static constexpr bool holds() {
    const auto near = [](double x, double y) { return x - y < 1e-14 && y - x < 1e-14; };
    const Row end = interpolant(1);
    double error = 0;
    for (std::size_t i = 0; i < stages; ++i) {
      double node = 0;
      for (const double weight : a[i]) node += weight;
      if (!near(node, c[i]) || !near(end[i], b[i])) return false;
      error += e[i];
    }
    return near(error, 0);
  }
};
static_assert(DormandPrince::holds());

}  // namespace lgn::studies
