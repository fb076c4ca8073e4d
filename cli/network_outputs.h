#pragma once

#include <string>
#include <utility>
#include <vector>

#include "cli/command_line.h"
#include "lgn/model/model.h"

namespace lgn::cli {

/// Where a network is to be written, and as what; empty where nobody asked for it.
struct NetworkOutputs {
  std::string graph, netlist, drawing;

  /// Adds --graph, --netlist and --draw.
  void add_to(Command& command);
  /// The names for check_outputs. Throws Error for a graph's name whose ending is no known format.
  std::vector<std::string> paths() const;
  /// Refuses, before the work, what a fit of this structure to these channels cannot give: anything
  /// where it finds no network, a netlist where some channel is neither a voltage nor a current.
  void check(const std::string& structure, const std::vector<std::string>& channels,
             const std::vector<ChannelKind>& kinds) const;
  /// Path and text of each that was asked for, for write_together. A netlist runs from the model's
  /// first start over a time like that of its data. Throws Error where the model has no network,
  /// and where a netlist is asked of one that is no circuit.
  std::vector<std::pair<std::string, std::string>> texts(const Model& model) const;
};

/// The model's network. Throws Error where it has none, with why, where the model knows, and what to
/// do; `file` is for the message.
Network network_of(const Model& model, const std::string& file = {});

}  // namespace lgn::cli
