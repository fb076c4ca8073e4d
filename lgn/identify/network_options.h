#pragma once

#include <vector>

#include "lgn/data/channel_kinds.h"
#include "lgn/data/edges.h"

namespace lgn {

/// What is known about a network before its data are looked at.
struct NetworkOptions {
  /// What each channel measures; empty: nobody knows.
  std::vector<ChannelKind> kinds = {};
  EdgeRules rules = {};
};

}  // namespace lgn
