#pragma once

#include "cli/command_line.h"
#include "petsc/ranks.h"

namespace lgn::petsc {

/// `fit` as `lgn fit --engine petsc` starts it on every rank: reads its words, fits, and rank 0 writes.
void add_fit(cli::CommandLine& line, const Ranks& ranks);

}  // namespace lgn::petsc
