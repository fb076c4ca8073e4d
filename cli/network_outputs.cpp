#include "cli/network_outputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <numbers>

#include "lgn/core/error.h"
#include "lgn/report/network/netlist.h"
#include "lgn/report/network/network_drawing.h"
#include "lgn/report/network/network_graph.h"

namespace lgn::cli {
namespace {

std::string ending_of(const std::string& path) {
  return std::filesystem::path(path).extension().string();
}

/// The run of the data, or, where the model knows of none, a few periods of its slowest mode with
/// twenty steps in one of its fastest.
void choose_times(const Model& model, NetlistRun& run) {
  const Index samples = model.data.runs > 0 ? model.data.samples / model.data.runs : 0;
  if (model.data.step > 0 && samples > 1) {
    // A step found in data is a difference of times, and carries their rounding.
    run.step = std::stod(fmt::format("{:.12g}", model.data.step));
    run.end = run.step * static_cast<double>(samples - 1);
    return;
  }
  double fastest = 0, slowest = std::numeric_limits<double>::infinity();
  for (const auto& mode : model.modes) {
    fastest = std::max(fastest, mode.natural_frequency);
    if (mode.natural_frequency > 0) slowest = std::min(slowest, mode.natural_frequency);
  }
  constexpr double periods = 5, steps = 20, most = 1e5;
  const double turn = 2 * std::numbers::pi;
  run.end = fastest > 0 ? periods * turn / slowest : 1;
  run.step = fastest > 0 ? std::max(turn / (steps * fastest), run.end / most) : 0.01;
}

std::string netlist_of(const Model& model, const std::string& path) {
  NetlistRun run;
  run.x0 = model.starts.cols() > 0 ? Vector(model.starts.col(0) - model.rest())
                                   : Vector::Ones(model.dimension());
  choose_times(model, run);
  run.title = fmt::format("circuit found by lgn {}; time in {}", model.version, model.time_unit);
  if (path != "-")
    run.waveforms = std::filesystem::path(path).stem().string() +
                    (ending_of(path) == ".txt" ? ".waveforms.txt" : ".txt");
  return spice_netlist(network_of(model), run);
}

}  // namespace

void NetworkOutputs::add_to(Command& command) {
  command.option("--graph", graph, "G.dot|G.graphml", "Write the network as a graph, by its ending")
      .option("--netlist", netlist, "N.cir",
              "Write a circuit for ngspice -b, which writes N.txt: its waveforms")
      .option("--draw", drawing, "N.svg", "Write a drawing of the network");
}

std::vector<std::string> NetworkOutputs::paths() const {
  if (const std::string ending = ending_of(graph);
      !graph.empty() && ending != ".dot" && ending != ".gv" && ending != ".graphml")
    throw Error("a graph cannot be written as this", "end the name in .dot or .graphml",
                {graph, 0, 0});
  return {graph, netlist, drawing};
}

void NetworkOutputs::check(const std::string& structure, const std::vector<std::string>& channels,
                           const std::vector<ChannelKind>& kinds) const {
  const bool finds = structure == "auto" || structure == "network" || structure == "mechanical";
  if (!finds && !(graph + netlist + drawing).empty())
    throw Error(fmt::format("the structure \"{}\" is no network to write or draw", structure),
                "use --structure network or mechanical");
  if (!drawing.empty()) check_drawable(channels.size());
  if (netlist.empty()) return;
  for (std::size_t k = 0; k < kinds.size(); ++k)
    if (kinds[k] != ChannelKind::voltage && kinds[k] != ChannelKind::current)
      throw Error(
          fmt::format("--netlist needs a circuit, and \"{}\" is neither a voltage nor a current",
                      channels[k]),
          "name the channels v1, i1, …, or say what they are with --kinds v,i,…");
}

std::vector<std::pair<std::string, std::string>> NetworkOutputs::texts(const Model& model) const {
  std::vector<std::pair<std::string, std::string>> files;
  if (!graph.empty())
    files.emplace_back(graph, ending_of(graph) == ".graphml" ? graph_graphml(network_of(model))
                                                             : graph_dot(network_of(model)));
  if (!netlist.empty()) files.emplace_back(netlist, netlist_of(model, netlist));
  if (!drawing.empty()) files.emplace_back(drawing, network_svg(network_of(model)) + "\n");
  return files;
}

Network network_of(const Model& model, const std::string& file) {
  if (model.sparse) return model.sparse->network(model.channels);
  if (model.network) return *model.network;
  for (const auto& warning : model.warnings)
    if (warning.code == "not-sparse")
      throw Error("the model has no network: " + warning.message, {}, {file, 0, 0});
  for (const auto& candidate : model.candidates)
    if (candidate.structure == "network" || candidate.structure == "mechanical")
      throw Error("the model has no network: " + candidate.verdict,
                  fmt::format("ask for one with lgn fit --structure {}", candidate.structure),
                  {file, 0, 0});
  throw Error("the model has no network", "find one with lgn fit --structure network",
              {file, 0, 0});
}

}  // namespace lgn::cli
