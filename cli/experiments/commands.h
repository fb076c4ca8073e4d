#pragma once

#include "cli/command_line.h"

/// The commands of the program lgn-experiments: each adds itself to the command line, with its options and what it does.
namespace lgn::cli {

void add_compare(CommandLine& line);
void add_reproduce(CommandLine& line);

}  // namespace lgn::cli
