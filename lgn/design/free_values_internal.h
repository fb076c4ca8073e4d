#pragma once

#include <vector>

#include "lgn/design/design.h"
#include "lgn/design/named_system.h"

namespace lgn {

/// The values that may change: groups that share one value, and the bounds of each group in log|value|.
struct FreeValues {
  std::vector<Index> members;     ///< of all groups
  std::vector<Index> group;       ///< of each member
  Vector sign, low, high, start;  ///< of each group; start within the bounds

  Index groups() const { return start.size(); }
  /// All values p, those that are free moved to exp(u) with their sign.
  Vector values(Vector p, const Vector& u) const;
};

/// Reads `free`, `bounds` and `ties`. Throws Error with the text and what is wrong in it.
FreeValues free_values(const NamedSystem& system, const DesignOptions& options);

}  // namespace lgn
