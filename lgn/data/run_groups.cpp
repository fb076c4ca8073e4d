#include "lgn/data/run_groups.h"

namespace lgn {

std::vector<RunGroup> group_runs(const Dataset& data, bool by_clock) {
  std::vector<RunGroup> groups;
  for (Index r = 0; r < static_cast<Index>(data.runs().size()); ++r) {
    const Vector& clock = data.runs()[static_cast<std::size_t>(r)].times();
    const Vector times = by_clock ? clock : Vector(clock.array() - clock[0]);
    const double rounding = 8e-16 * clock.cwiseAbs().maxCoeff();
    auto group = groups.begin();
    while (group != groups.end() && !(group->times.size() == times.size() &&
                                      (group->times - times).cwiseAbs().maxCoeff() <= rounding))
      ++group;
    if (group == groups.end()) group = groups.insert(group, {times, {}});
    group->runs.push_back(r);
  }
  return groups;
}

}  // namespace lgn
