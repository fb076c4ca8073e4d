#pragma once

#include "cli/command_line.h"

/// The program's commands: each adds itself to the command line, with its options and what it does.
namespace lgn::cli {

void add_fit(CommandLine& line);
void add_fit_many(CommandLine& line);
void add_inspect(CommandLine& line);
void add_modes(CommandLine& line);
void add_simulate(CommandLine& line);
void add_evaluate(CommandLine& line);
void add_predict(CommandLine& line);
void add_plan(CommandLine& line);
void add_generate(CommandLine& line);
void add_report(CommandLine& line);
void add_design(CommandLine& line);
void add_response(CommandLine& line);
void add_network(CommandLine& line);
void add_export(CommandLine& line);

}  // namespace lgn::cli
