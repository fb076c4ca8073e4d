#pragma once

#include <string>
#include <utility>
#include <vector>

#include "lgn/core/linear_algebra.h"

namespace lgn {

/// Two channels that may, must or must not couple; the smaller index first.
using ChannelPair = std::pair<Index, Index>;

/// What is known about a topology before the data are looked at.
struct EdgeRules {
  /// Where not empty: the topology, all of it.
  std::vector<ChannelPair> pattern = {};
  std::vector<ChannelPair> required = {};
  std::vector<ChannelPair> forbidden = {};

  bool any() const { return !pattern.empty() || !required.empty() || !forbidden.empty(); }
};

/// Reads rules from a file: two channel names per line, separated by a comma, semicolon, tab or
/// blanks, and perhaps a third word: edge (the default), require or forbid. Lines that start with #
/// are comments; a first line of words that are no channels or rules, nor two channels but for a
/// letter, is a header, such as from,to. `edge` lines are the whole topology; without any, the topology
/// is to be found. Names that hold a separator stand in double quotes. "-" is standard input. Throws
/// Error with file, line and column for a name that is no channel, a pair twice or with
/// contradicting rules (among them: required beside edges), a channel with itself, or no line.
EdgeRules read_edges(const std::string& path, const std::vector<std::string>& channels);

/// A pair from "NAME:NAME" as the options --require and --forbid take it; `option` is for the
/// message of the Error.
ChannelPair parse_pair(const std::string& text, const std::vector<std::string>& channels,
                       const std::string& option);

}  // namespace lgn
