#pragma once

#include <string>
#include <vector>

#include "lgn/design/design.h"

namespace lgn::studies {

/// What one solver made of one problem from the model's own values.
struct SolverResult {
  std::string problem, solver;
  double objective, violation, seconds;
  int evaluations;
};

/// Each problem by the library's sequential quadratic programming and, where NLopt was there to build with, by its SLSQP and MMA with
/// the same values and derivatives, to the same tolerance of steps, and the same limit of evaluations.
std::vector<SolverResult> compare_solvers();

}  // namespace lgn::studies
