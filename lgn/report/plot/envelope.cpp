#include "lgn/report/plot/envelope.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace lgn {
namespace {

struct Part {
  Index first, count;
};
Part part_of(Index samples, Index parts, Index which) {
  const Index first = which * samples / parts;
  return {first, (which + 1) * samples / parts - first};
}

}  // namespace

Vector envelope(const Vector& values, Index most) {
  if (values.size() <= most) return values;
  const Index parts = std::max<Index>(most / 2, 1);
  Vector kept(2 * parts);
  for (Index p = 0; p < parts; ++p) {
    const auto [first, count] = part_of(values.size(), parts, p);
    Index low = -1, high = -1;
    for (Index k = first; k < first + count; ++k) {
      if (std::isnan(values[k])) continue;
      if (low < 0 || values[k] < values[low]) low = k;
      if (high < 0 || values[k] > values[high]) high = k;
    }
    const auto value = [&](Index k) {
      return k < 0 ? std::numeric_limits<double>::quiet_NaN() : values[k];
    };
    kept[2 * p] = value(std::min(low, high));
    kept[2 * p + 1] = value(std::max(low, high));
  }
  return kept;
}

Vector envelope_times(const Vector& times, Index most) {
  if (times.size() <= most) return times;
  const Index parts = std::max<Index>(most / 2, 1);
  Vector kept(2 * parts);
  for (Index p = 0; p < parts; ++p) {
    const auto [first, count] = part_of(times.size(), parts, p);
    const double begin = times[first], length = times[first + count - 1] - begin;
    kept[2 * p] = begin + 0.25 * length;
    kept[2 * p + 1] = begin + 0.75 * length;
  }
  return kept;
}

}  // namespace lgn
