#include <algorithm>
#include <iostream>
#include <memory>

#include "cli/commands.h"
#include "cli/network_outputs.h"
#include "cli/outputs.h"
#include "lgn/model/model_file.h"
#include "lgn/report/network/network_table.h"

namespace lgn::cli {
namespace {

struct NetworkArguments {
  std::string model;
  NetworkOutputs outputs;
};

void network(const NetworkArguments& arguments) {
  const std::vector<std::string> paths = arguments.outputs.paths();
  check_outputs(paths, {arguments.model});
  const Model model = read_model(arguments.model);
  const std::string tables = network_text(network_of(model, arguments.model));
  write_together(arguments.outputs.texts(model));
  if (std::find(paths.begin(), paths.end(), "-") == paths.end()) std::cout << tables;
}

}  // namespace

void add_network(CommandLine& line) {
  auto arguments = std::make_shared<NetworkArguments>();
  Command command =
      line.add("network", "what a model's network is made of: tables, graph, circuit");
  command.argument("MODEL", arguments->model, "A model file; - is standard input");
  arguments->outputs.add_to(command);
  command
      .footer(
          "Examples:\n"
          "  lgn fit circuit.csv --structure network -o model.json\n"
          "  lgn network model.json --draw circuit.svg --graph topology.dot\n"
          "  lgn network model.json --netlist circuit.cir && ngspice -b circuit.cir")
      .run([arguments] { network(*arguments); });
}

}  // namespace lgn::cli
