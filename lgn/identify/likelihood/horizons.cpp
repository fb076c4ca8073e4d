#include "lgn/identify/likelihood/horizons.h"

#include <algorithm>
#include <cmath>

#include "lgn/data/scales.h"

namespace lgn {

std::vector<Index> horizons(const Dataset& data) {
  constexpr Index growth = 4;
  Index longest = 0;
  for (const auto& run : data.runs()) longest = std::max(longest, run.samples());
  const double radian = 1 / (typical_rate(data) * median_step(data));
  Index window = std::max<Index>(5, static_cast<Index>(std::lround(radian)));
  std::vector<Index> lengths;
  for (; window * 2 < longest; window *= growth) lengths.push_back(window);
  lengths.push_back(longest);
  return lengths;
}

}  // namespace lgn
