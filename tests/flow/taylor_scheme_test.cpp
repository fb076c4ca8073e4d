#include "lgn/flow/taylor_scheme.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "tests/flow/exponential_oracle.h"

namespace lgn {
namespace {

using testing::Quad;

/// Σ k |c_k| x^(k−1) for log(e^(−x) T_m(x)) = Σ c_k x^k. Its derivative term by term is
/// (log(e^(−x) T_m))' = T_m'/T_m − 1 = −(x^m/m!)/T_m, so the coefficients are those of 1/T_m,
/// shifted.
double backward_error(int degree, double x) {
  constexpr std::size_t terms = 100;  // 1/T_m converges for |x| < 2 at least, where T_m has no zero
  std::vector<Quad> taylor(terms, 0), inverse(terms, 0);
  Quad coefficient = 1;
  for (int k = 0; k <= degree; ++k) {
    if (k > 0) coefficient /= k;
    taylor[static_cast<std::size_t>(k)] = coefficient;
  }
  inverse[0] = 1;
  for (std::size_t k = 1; k < terms; ++k)
    for (std::size_t j = 1; j <= k; ++j) inverse[k] -= taylor[j] * inverse[k - j];
  Quad sum = 0, power = coefficient;  // x^m/m!, then times x^k
  for (int k = 0; k < degree; ++k) power *= x;
  for (const Quad& c : inverse) {
    sum += power * (c < 0 ? -c : c);
    power *= x;
  }
  return static_cast<double>(sum);
}

TEST(TaylorScheme, RadiiFollowFromTheirDefinition) {
  for (const TaylorScheme& scheme : taylor_schemes()) {
    double low = 0, high = 1.5;  // the sum grows with x: halve the interval around its root
    for (int k = 0; k < 60; ++k) {
      const double middle = 0.5 * (low + high);
      (backward_error(scheme.degree, middle) > 0x1p-53 ? high : low) = middle;
    }
    EXPECT_NEAR(scheme.radius / low, 1, 1e-4) << scheme.degree;  // given to five digits
  }
}

TEST(TaylorScheme, IsTheTaylorPolynomial) {
  for (const TaylorScheme& scheme : taylor_schemes())
    for (const double x : {-1.0, -0.3, 1e-3, 0.5, 1.0}) {
      std::vector<double> r{1, x};
      const auto combine = [&](const TaylorScheme::Combination& c) {
        double sum = 0;
        for (std::size_t i = 0; i < r.size(); ++i) sum += c[i] * r[i];
        return sum;
      };
      for (const auto& [left, right] : scheme.products) r.push_back(combine(left) * combine(right));
      double series = 1;
      for (int k = scheme.degree; k > 0; --k) series = 1 + x / k * series;
      // The last product of degree 18 has factors near 10: a few terms of that size cancel.
      EXPECT_NEAR(combine(scheme.result), series, 1e-14) << scheme.degree << " " << x;
    }
}

TEST(TaylorScheme, CostsOneProductMoreForEachDegree) {
  std::size_t products = 2;
  for (const TaylorScheme& scheme : taylor_schemes()) EXPECT_EQ(scheme.products.size(), products++);
}

}  // namespace
}  // namespace lgn
