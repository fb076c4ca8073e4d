#pragma once

#include <string>
#include <vector>

#include "lgn/model/model.h"
#include "lgn/report/plot/plot.h"
#include "lgn/report/text/shapes_table.h"

namespace lgn {

/// Channels that stand in a row, such as v1, v2, v3: what comes before their numbers, and the
/// channels by ascending number.
struct ChannelRow {
  std::string name;
  std::vector<Index> channels;
};

/// The rows that the names show: at least three channels that share all but their last number. Empty unless nearly
/// all channels are in one.
std::vector<ChannelRow> channel_rows(const std::vector<std::string>& channels);

/// Real part of the shape at the phase where its largest entry is real, over the channels' places in their rows, or
/// over all channels in turn where they have no order.
Plot shape_plot(const Model& model, Index mode);

}  // namespace lgn
