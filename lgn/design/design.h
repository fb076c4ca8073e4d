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
  int starts =
      0;  ///< searches from different values, the first from those of the model; 0: eight, fewer of large systems
  std::uint64_t seed = 1;
};

/// One value that was free.
struct DesignedValue {
  std::string name, quantity;
  double before, after, low, high;
  enum class Bound { none, lower, upper } bound = Bound::none;  ///< where it ended
};

/// One target, or the objective, before and after: of several numbers the one nearest to the limit.
struct DesignedProperty {
  std::string text;
  double before, after;
  bool binding = false;  ///< the target holds with equality
  /// d log|property|/d log(value) there, one for each free value: what tolerance matters.
  Vector sensitivities = {};
};

/// A model with other values, and how it came to them.
struct Design {
  Model model;
  std::vector<DesignedValue> values;
  std::vector<DesignedProperty> targets;
  DesignedProperty objective;
  int iterations = 0, starts = 0;
  bool converged = false;
};

/// Finds the values within their bounds that meet all targets at the least objective: sequential quadratic programming in log|value| (min_max.h) from
/// several starts, the same for the same seed. The least that was found is not proven to be the global one.
///
/// Throws Error for words that mean nothing, with the place; NotIdentified where no values meet the targets, with the closest ones
/// and the targets that stand in the way. Each step costs an eigendecomposition, 25 n³, and the responses that are asked for.
Design design(const Model& model, const DesignOptions& options);

/// The designed model as a file, with a field "design" that says what changed and why.
std::string design_to_json(const Design& design);
/// The same as a table for people.
std::string design_text(const Design& design);

}  // namespace lgn
