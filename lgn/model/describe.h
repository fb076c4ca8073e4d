#pragma once

#include <string>
#include <vector>

#include "lgn/data/channel_kinds.h"
#include "lgn/data/dataset.h"
#include "lgn/identify/fit.h"
#include "lgn/model/model.h"

namespace lgn {

/// A fit as a model, without what the data say about its errors: generator, parameters by name, energy, guarantee,
/// modes; the network that it is, and how it varies in time, if it does. `kinds`: what channels measure.
Model describe(const Fit& fit, const Dataset& data, const std::vector<ChannelKind>& kinds,
               const std::string& time_unit);

}  // namespace lgn
