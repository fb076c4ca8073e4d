#pragma once

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "lgn/core/linear_algebra.h"

namespace lgn {

/// One value of a model that was free in its design.
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
  /// What 95% of the draws of a robust design are not worse than; NaN where nothing was drawn.
  double likely = std::numeric_limits<double>::quiet_NaN();
};

/// How the values of a model were chosen; what the field "design" of its file holds.
struct DesignRecord {
  std::vector<DesignedValue> values;
  std::vector<DesignedProperty> targets;
  DesignedProperty objective;
  std::string series;  ///< of preferred values, "E24"; empty: any value was good
  int iterations = 0, starts = 0;
  bool converged = false;

  /// Over the uncertainty of the values: in how many of the draws all targets held.
  struct Draws {
    double wanted = 0.95, held = 0;
    Index count = 0;
  };
  std::optional<Draws> draws = {};
};

}  // namespace lgn
