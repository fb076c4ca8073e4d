#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lgn/model/model.h"

namespace lgn {

/// What is wanted of a system, in words.
struct DesignOptions {
  /// Names of values that may change, with * and ?: "R*"; with bounds, "C2:0.1..10"; tied, "R1=R2".
  std::vector<std::string> free;
  std::vector<std::string>
      bounds;  ///< "R*=1e-3:10"; a value without any: a hundredth to a hundred times what it is
  std::vector<std::string> ties;     ///< "R1=R2=R3": the same value, all free
  std::vector<std::string> targets;  ///< "zeta>=0.2", "f=0.126,0.229"; expression.h, docs/design.md
  std::string minimise;              ///< an expression; empty, without maximise: change
  std::string maximise;
  /// Preferred values, for all free values or some: "E24", "C*=E12"; the nearest to the optimum that meet the targets
  /// (preferred_values_internal.h).
  std::vector<std::string> series;
  /// Whether targets shall hold with 95% over the errors of the values, and the objective be least in the worst case of that
  /// region (robust_internal.h); and relative tolerances that stand for the errors of some values: "R*=1%".
  bool robust = false;
  std::vector<std::string> tolerances;
  int starts =
      0;  ///< searches from different values, the first from those of the model; 0: eight, fewer of large systems
  std::uint64_t seed = 1;
};

/// Finds the values within their bounds that meet all targets at the least objective: sequential quadratic programming in log|value| (min_max.h) from
/// several starts, the same for the same seed. The least that was found is not proven to be the global one. The model has them, and in `design` how they came about.
///
/// Throws Error for words that mean nothing, with the place; NotIdentified where no values meet the targets, with the closest ones
/// and the targets that stand in the way. Each step costs an eigendecomposition, 25 n³, and the responses that are asked for; a
/// robust design takes as many as there are worst cases, and some thousand draws.
Model design(const Model& model, const DesignOptions& options);

/// What was chosen, as a table for people; empty where the model was not designed.
std::string design_text(const Model& model);

}  // namespace lgn
