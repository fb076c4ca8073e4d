#include <algorithm>
#include <string>

#include "lgn/distinct_channels_internal.h"

namespace lgn {

bool may_leave_out(const FitOptions& options, Index channels) {
  const bool needs_all = options.custom_structure != nullptr || options.passive ||
                         options.structure == "mechanical" ||
                         options.structure.starts_with("parametric") ||
                         (options.states == States::given && options.state_count == channels);
  return !needs_all && !options.network.rules.any();
}

DistinctChannels without(const std::vector<RepeatedChannel>& repeated, const Dataset& data,
                         const FitOptions& options) {
  std::vector<Index> kept;
  std::vector<std::string> names;
  for (Index c = 0; c < data.dimension(); ++c) {
    const bool repeats = std::any_of(repeated.begin(), repeated.end(),
                                     [&](const auto& one) { return one.channel == c; });
    if (repeats) continue;
    kept.push_back(c);
    names.push_back(data.channels()[static_cast<std::size_t>(c)]);
  }
  DistinctChannels result{of_channels(data, names), options};
  if (options.offset_values.size() == data.dimension())
    result.options.offset_values = options.offset_values(kept);
  if (std::ssize(options.network.kinds) == data.dimension()) {
    result.options.network.kinds.clear();
    for (const Index c : kept)
      result.options.network.kinds.push_back(options.network.kinds[static_cast<std::size_t>(c)]);
  }
  return result;
}

}  // namespace lgn
