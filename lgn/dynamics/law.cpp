#include "lgn/dynamics/law.h"

#include <fmt/format.h>

#include <numeric>

#include "lgn/core/error.h"

namespace lgn {

Law& Law::promise(Guarantee guarantee, std::function<Matrix(const Vector&)> energy) {
  guarantee_ = guarantee;
  energy_ = std::move(energy);
  return *this;
}

std::optional<Matrix> Law::energy(const Vector& p) const {
  if (!energy_) return std::nullopt;
  return energy_(p);
}

Law oscillator_law() {
  Law law("oscillator", 2, {{"omega", Constant::Range::positive}},
          [](const auto& p, auto& a) { a << 0, 1, -p[0] * p[0], 0; });
  law.promise({.stable = true, .dissipative = true, .conservative = true}, [](const Vector& p) {
    return Matrix(Vector{{p[0] * p[0], 1.0}}.asDiagonal());
  });
  return law;
}

Law rlc_law() {
  Law law("rlc", 2,
          {{"omega2", Constant::Range::positive}, {"gamma", Constant::Range::non_negative, 0.1}},
          [](const auto& p, auto& a) { a << 0, 1, -p[0], -p[1]; });
  law.promise({.stable = true, .dissipative = true}, [](const Vector& p) {
    return Matrix(Vector{{p[0], 1.0}}.asDiagonal());
  });
  return law;
}

Law ladder_law(Index sections) {
  const Index n = sections;
  std::vector<Constant> constants;
  const auto add = [&](const char* letter, Constant::Range range, double start) {
    for (Index k = 1; k <= n; ++k)
      constants.push_back({fmt::format("{}{}", letter, k), range, start});
  };
  add("R", Constant::Range::non_negative, 0.1);
  add("L", Constant::Range::positive, 1.0);
  add("C", Constant::Range::positive, 1.0);
  Law law("ladder", 2 * n, std::move(constants), [n](const auto& p, auto& a) {
    for (Index k = 0; k < n; ++k) {
      const Index v = 2 * k, i = v + 1;
      const auto r = p[k], l = p[n + k], c = p[2 * n + k];
      if (k > 0) a(v, i - 2) = 1.0 / c;
      a(v, i) = -1.0 / c;
      a(i, v) = 1.0 / l;
      if (k + 1 < n) a(i, v + 2) = -1.0 / l;
      a(i, i) = -r / l;
    }
  });
  law.promise({.stable = true, .dissipative = true}, [n](const Vector& p) {
    Vector q(2 * n);
    for (Index k = 0; k < n; ++k) {
      q[2 * k] = p[2 * n + k];
      q[2 * k + 1] = p[n + k];
    }
    return Matrix(q.asDiagonal());
  });
  return law;
}

Law find_law(const std::string& name, Index dimension) {
  if (name == "oscillator") {
    require_fit(dimension == 2, name, "two states", dimension);
    return oscillator_law();
  }
  if (name == "rlc") {
    require_fit(dimension == 2, name, "two states", dimension);
    return rlc_law();
  }
  if (name == "ladder") {
    require_fit(dimension >= 2 && dimension % 2 == 0, name, "a voltage and a current per section",
                dimension);
    return ladder_law(dimension / 2);
  }
  throw Error(fmt::format("unknown law \"{}\"", name),
              "laws are oscillator, rlc, ladder, ltv-oscillator, ltv-chain");
}

}  // namespace lgn
