#include "lgn/core/fourier.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "lgn/core/random.h"

namespace lgn {
namespace {

TEST(Fourier, IsTheSumThatDefinesIt) {
  for (const Index n : {2, 3, 8, 15, 30, 31, 97}) {
    Random random(static_cast<std::uint64_t>(n));
    const Vector x = random.normals(n, 1);
    const ComplexVector found = fourier(x);
    ASSERT_EQ(found.size(), n / 2 + 1);
    for (Index j = 0; j <= n / 2; ++j) {
      Complex sum = 0;
      for (Index k = 0; k < n; ++k)
        sum += x[k] * std::polar(1.0, -2 * std::numbers::pi * static_cast<double>(j * k) /
                                          static_cast<double>(n));
      // n terms of order one, phases up to 2πn, each rounded.
      EXPECT_NEAR(std::abs(found[j] - sum), 0, 20 * static_cast<double>(n * n) * 2.2e-16) << n;
    }
    EXPECT_NEAR((inverse_fourier(found, n) - x).norm(), 0, 20 * static_cast<double>(n) * 2.2e-16);
  }
}

TEST(Fourier, KnowsSmoothNumbers) {
  EXPECT_EQ(smooth_below(59), 54);
  EXPECT_EQ(smooth_above(59), 60);
  EXPECT_EQ(smooth_below(2), 2);
  EXPECT_EQ(smooth_below(60000), 60000);
}

}  // namespace
}  // namespace lgn
