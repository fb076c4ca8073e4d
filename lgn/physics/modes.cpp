#include "lgn/physics/modes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

namespace lgn {

std::optional<double> seconds_in(const std::string& time_unit) {
  struct Unit {
    const char* name;
    double seconds;
  };
  static constexpr std::array units{Unit{"s", 1},     Unit{"ms", 1e-3}, Unit{"us", 1e-6},
                                    Unit{"µs", 1e-6}, Unit{"ns", 1e-9}, Unit{"min", 60},
                                    Unit{"h", 3600},  Unit{"d", 86400}};
  for (const auto& unit : units)
    if (time_unit == unit.name) return unit.seconds;
  return std::nullopt;
}

Mode mode_at(Complex pole, const Guarantee& promise, const std::string& time_unit) {
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  Mode mode;
  mode.pole = pole;
  if (promise.stable) mode.pole.real(std::min(mode.pole.real(), 0.0));
  if (promise.conservative) mode.pole.real(0.0);
  mode.natural_frequency = std::abs(mode.pole);
  mode.frequency_hz =
      mode.natural_frequency / (2 * std::numbers::pi) / seconds_in(time_unit).value_or(1.0);
  const double decay = 0 - mode.pole.real();  // never −0
  mode.damping_ratio = mode.natural_frequency > 0 ? decay / mode.natural_frequency : none;
  mode.time_constant = decay != 0 ? 1 / decay : none;
  mode.quality = mode.damping_ratio != 0 ? 1 / (2 * mode.damping_ratio) : none;
  return mode;
}

std::vector<Mode> find_modes(const Matrix& a, const Guarantee& promise,
                             const std::string& time_unit) {
  const Eigensystem system = eigensystem(a);
  std::vector<Mode> modes(static_cast<std::size_t>(a.rows()));
  for (Index k = 0; k < a.rows(); ++k) {
    Mode& mode = modes[static_cast<std::size_t>(k)];
    mode = mode_at(system.values[k], promise, time_unit);
    set_vectors(mode, system.right.col(k), system.left.col(k));
  }
  return modes;
}

void set_vectors(Mode& mode, const ComplexVector& right, const ComplexVector& left) {
  Index largest = 0;
  right.cwiseAbs().maxCoeff(&largest);
  mode.shape = right * (std::abs(right[largest]) / right[largest]);
  const Vector share = left.conjugate().cwiseProduct(right).cwiseAbs();
  mode.participation = share / share.sum();
  mode.condition = left.norm() * right.norm();
  if (!std::isfinite(mode.condition)) {
    mode.condition = std::numeric_limits<double>::infinity();
    mode.participation = right.cwiseAbs2();
  }
}

std::vector<Mode> with_conjugates(const std::vector<Mode>& modes) {
  std::vector<Mode> all;
  for (const Mode& mode : modes) {
    if (mode.oscillates()) {
      all.push_back(mode);
      all.back().pole.imag(-mode.pole.imag());
      all.back().shape = mode.shape.conjugate();
      if (all.back().se) all.back().se->correlation *= -1;
    }
    all.push_back(mode);
  }
  return all;
}

void show_in_channels(std::vector<Mode>& modes, const Matrix& c) {
  for (Mode& mode : modes) {
    ComplexVector seen = c.cast<Complex>() * mode.shape;
    Index largest = 0;
    seen.cwiseAbs().maxCoeff(&largest);
    const double size = seen.norm();
    if (size > 0) seen *= std::abs(seen[largest]) / seen[largest] / size;
    mode.shape = seen;
    mode.participation = size > 0 ? Vector(seen.cwiseAbs2())
                                  : Vector::Constant(c.rows(), 1 / static_cast<double>(c.rows()));
  }
}

}  // namespace lgn
