#include <cmath>

#include "lgn/flow/block_response_internal.h"

namespace lgn::modal_blocks {
namespace {

Response product(const Response& x, const Response& y) {
  return {x.a * y.a - x.b * y.b, x.a * y.b + x.b * y.c, x.c * y.c - x.b * y.b};
}
}  // namespace

ResponseWithSlopes product(const ResponseWithSlopes& x, const ResponseWithSlopes& y) {
  const auto slope = [&](const Response& of_x, const Response& of_y) {
    const Response p = product(of_x, y.value), q = product(x.value, of_y);
    return Response{p.a + q.a, p.b + q.b, p.c + q.c};
  };
  return {product(x.value, y.value), slope(x.by_w, y.by_w), slope(x.by_d, y.by_d)};
}

// From β = L⁻¹ 1/P and γ = L⁻¹ 1/P² for P = z² + d z + w², whatever the sign of w² − d²/4. Near the
// double pole by series.
ResponseWithSlopes pair_response(double w, double d, double t) {
  const double s = d / 2, q = w * w - s * s, z = q * t * t, r = std::sqrt(std::abs(q));
  double cosine, beta, gamma;  // of e^(−st) cos, sin/r
  if (q >= 0) {
    const double e = std::exp(-s * t);
    cosine = e * std::cos(r * t);
    beta = r > 0 ? e * std::sin(r * t) / r : e * t;
  } else {
    const double slow = std::exp(-w * w / (s + r) * t), fast = std::exp(-(s + r) * t);
    cosine = (slow + fast) / 2;
    beta = (slow - fast) / (2 * r);
  }
  constexpr double near = 1e-2;
  if (std::abs(z) < near) {
    const double e = std::exp(-s * t);
    beta = e * t * (1 - z / 6 * (1 - z / 20 * (1 - z / 42)));
    gamma = e * t * t * t * (1.0 / 6 - z / 60 + z * z / 1680 - z * z * z / 90720);
  } else {
    gamma = (beta - cosine * t) / (2 * q);
  }
  const double beta1 = cosine - s * beta, gamma1 = t * beta / 2 - s * gamma;
  const double gamma2 = beta - d * gamma1 - w * w * gamma;
  return {{beta1 + d * beta, w * beta, beta1},
          {-2 * w * (gamma1 + d * gamma), beta - 2 * w * w * gamma, -2 * w * gamma1},
          {w * w * gamma, -w * gamma1, -gamma2}};
}

ResponseWithSlopes single_response(double s, double t) {
  const double e = std::exp(-s * t);
  return {{e, 0, 0}, {0, 0, 0}, {-t * e, 0, 0}};
}

}  // namespace lgn::modal_blocks
