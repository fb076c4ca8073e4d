#pragma once

#include "lgn/dynamics/network_systems.h"
#include "lgn/flow/sample_runs.h"

namespace lgn {

/// As sample_runs, for networks of any size: a large one on its pattern alone, all runs at once, O(entries) for each sample.
Dataset sample_network(const NetworkSystem& network, const SamplingOptions& options = {});

}  // namespace lgn
