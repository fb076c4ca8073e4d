#pragma once

#include <string>
#include <vector>

#include "lgn/model/model.h"
#include "lgn/report/plot/plot.h"

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

/// Modes to show the shapes of, conjugates once, at most a hundred: indices into model.modes.
std::vector<Index> shaped_modes(const Model& model);

/// A mode in a few words, such as "0.397 Hz, ζ 0.021".
std::string mode_title(const Model& model, const Mode& mode);

/// Real part of the shape at the phase where its largest entry is real, over the channels' places in their rows, or
/// over all channels in turn where they have no order.
Plot shape_plot(const Model& model, Index mode);

}  // namespace lgn
