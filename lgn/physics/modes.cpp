#include "lgn/physics/modes.h"

#include <cmath>
#include <limits>
#include <numbers>

namespace lgn {

std::vector<Mode> find_modes(const Matrix& a) {
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  const Eigensystem system = eigensystem(a);
  std::vector<Mode> modes(static_cast<std::size_t>(a.rows()));
  for (Index k = 0; k < a.rows(); ++k) {
    Mode& mode = modes[static_cast<std::size_t>(k)];
    mode.pole = system.values[k];
    mode.natural_frequency = std::abs(mode.pole);
    mode.frequency_hz = mode.natural_frequency / (2 * std::numbers::pi);
    const double decay = 0 - mode.pole.real();  // never −0
    mode.damping_ratio = mode.natural_frequency > 0 ? decay / mode.natural_frequency : none;
    mode.time_constant = decay != 0 ? 1 / decay : none;
    mode.quality = mode.damping_ratio != 0 ? 1 / (2 * mode.damping_ratio) : none;

    const ComplexVector right = system.right.col(k), left = system.left.col(k);
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
  return modes;
}

}  // namespace lgn
