#include <algorithm>
#include <cmath>

#include "lgn/core/median.h"
#include "lgn/data/channel_noise.h"
#include "lgn/data/dataset.h"

namespace lgn {

std::vector<double> noise_by_differences(const std::vector<Vector>& runs) {
  constexpr Index first_order = 2, last_order = 5, most_samples = 100000;
  double factor = 2;  // of order 1: C(2, 1)
  std::vector<Vector> differences;
  for (const Vector& run : runs) {
    // A part is enough to tell the noise of all.
    const Vector part = run.head(std::min<Index>(run.size(), most_samples));
    if (part.size() > 1)
      differences.push_back(part.tail(part.size() - 1) - part.head(part.size() - 1));
  }
  std::vector<double> found;
  for (Index order = first_order; order <= last_order; ++order) {
    const auto p = static_cast<double>(order);
    factor *= (2 * p) * (2 * p - 1) / (p * p);
    std::vector<double> sizes;
    for (Vector& row : differences) {
      if (row.size() < 2) {
        row.resize(0);
        continue;
      }
      row = (row.tail(row.size() - 1) - row.head(row.size() - 1)).eval();
      for (const double value : row)
        if (!Trajectory::missing(value)) sizes.push_back(std::abs(value));
    }
    constexpr std::size_t enough = 8;
    if (sizes.size() < enough) break;
    // 1.4826 medians are a standard deviation of what is normally distributed.
    found.push_back(1.4826 * median(std::move(sizes)) / std::sqrt(factor));
  }
  return found;
}

double noise_of(const std::vector<Vector>& runs) {
  const std::vector<double> found = noise_by_differences(runs);
  return found.empty() ? 0 : *std::min_element(found.begin(), found.end());
}

double white_noise_in(const std::vector<Vector>& runs) {
  const std::vector<double> found = noise_by_differences(runs);
  constexpr std::size_t orders = 4;
  constexpr double alike = 1.2;
  if (found.size() < orders) return 0;
  const double last = found.back(), before = found[orders - 2];
  return last < alike * before && before < alike * last ? std::min(last, before) : 0;
}

std::vector<Vector> runs_of(const Dataset& data, Index channel) {
  std::vector<Vector> runs;
  for (const auto& run : data.runs()) runs.push_back(run.states().row(channel).transpose());
  return runs;
}

}  // namespace lgn
