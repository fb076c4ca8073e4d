#pragma once

#include <vector>

#include "lgn/data/repeated_channels.h"
#include "lgn/identify/fit_options.h"

namespace lgn {

/// Data without channels that repeat others, and the options for what is left.
struct DistinctChannels {
  Dataset data;
  FitOptions options;
};

/// Whether options let channels be left out: where they name no law, ports, pairs or number of states that needs all of them.
bool may_leave_out(const FitOptions& options, Index channels);

DistinctChannels without(const std::vector<RepeatedChannel>& repeated, const Dataset& data,
                         const FitOptions& options);

}  // namespace lgn
