#include "lgn/identify/ambient/stationarity.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "lgn/core/fourier.h"
#include "lgn/core/stop.h"

namespace lgn {
namespace {

constexpr Index parts = 4;

/// |Y_j|² of all channels together in a part of a run.
Vector power_of(const Matrix& run, Index first, Index count) {
  Vector power = Vector::Zero(count / 2 + 1);
  for (Index c = 0; c < run.rows(); ++c) {
    power += fourier(run.row(c).segment(first, count).transpose()).cwiseAbs2();
    stop_point(20.0 * static_cast<double>(count));
  }
  return power;
}

}  // namespace

std::optional<PassingMode> find_passing_mode(const AmbientRecord& record,
                                             const ComplexVector& poles) {
  constexpr double beyond_chance = 30;  // of χ² with three degrees of freedom: one in a million
  constexpr double most_of_it = 0.7, widths = 1.5;
  Matrix shares = Matrix::Zero(poles.size(), parts);
  double length = 0;  // of the parts of all runs, in time
  for (const Matrix& run : record.runs()) {
    const Index count = smooth_below(run.cols() / parts);
    const double duration = record.step() * static_cast<double>(count);
    const double spacing = 2 * std::numbers::pi / duration;
    length += duration;
    for (Index part = 0; part < parts; ++part) {
      const Vector power = power_of(run, part * (run.cols() / parts), count);
      for (Index k = 0; k < poles.size(); ++k) {
        const double width = std::max(widths * -poles[k].real(), spacing);
        const double middle = poles[k].imag();
        const auto low = static_cast<Index>(std::max(1.0, (middle - width) / spacing));
        const auto high =
            std::min(power.size() - 1, static_cast<Index>((middle + width) / spacing));
        if (high >= low) shares(k, part) += power.segment(low, high - low + 1).sum();
      }
    }
  }
  std::optional<PassingMode> found;
  double most = beyond_chance;
  for (Index k = 0; k < poles.size(); ++k) {
    const double sum = shares.row(k).sum();
    if (!(poles[k].imag() > 0) || !(sum > 0)) continue;
    const double decays = -poles[k].real() * length, share = shares.row(k).maxCoeff() / sum;
    const double squares = (parts * shares.row(k).array() / sum - 1).square().sum() * decays;
    if (share < most_of_it || !(squares > most)) continue;
    most = squares;
    found = PassingMode{poles[k].imag(), share};
  }
  return found;
}

}  // namespace lgn
