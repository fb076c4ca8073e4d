#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "lgn/core/linear_algebra.h"

namespace lgn::testing {

/// The same bits in every place; one NaN is as good as another.
inline bool same(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b) ||
         (std::isnan(a) && std::isnan(b));
}
inline bool same(const Matrix& a, const Matrix& b) {
  return a.rows() == b.rows() && a.cols() == b.cols() &&
         std::equal(a.reshaped().begin(), a.reshaped().end(), b.reshaped().begin(),
                    [](double x, double y) { return same(x, y); });
}

}  // namespace lgn::testing
