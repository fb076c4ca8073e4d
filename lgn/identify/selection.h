#pragma once

#include <limits>
#include <string>
#include <vector>

#include "lgn/identify/estimate.h"

namespace lgn {

/// One structure that was considered, and what became of it.
struct StructureCandidate {
  std::string structure;
  Index parameters = 0;  ///< what A may vary by
  static constexpr double none = std::numeric_limits<double>::quiet_NaN();
  double nrmse = none;      ///< on the part that was fitted
  double held_out = none;   ///< on the part that was not
  double criterion = none;  ///< Bayesian information criterion; smaller is better
  bool stable = true;
  bool chosen = false;
  std::string verdict;  ///< in words
};

/// The simplest structure that the data support, and how it was found.
struct Selection {
  std::vector<StructureCandidate> candidates;
  Estimate estimate;  ///< of the chosen structure, on all data
};

/// Chooses among skew, sd, scaled-sd, metric and full, simplest first.
///
/// Each is fitted to the first three quarters of every run and judged by the Bayesian information
/// criterion there (Schwarz, Ann. Stat. 6:461, 1978) and by its prediction of the rest: the smallest
/// criterion wins among those whose prediction is within twice the best one. What is left below a
/// millionth of the signal counts as explained, and ends the search. Structures whose energy the
/// data plainly contradict are not fitted. `full` is tried only if some run ends with more energy than
/// it began with: it has no more freedom than metric but for unstable poles. The chosen one is fitted to all data.
Selection select_structure(const Dataset& data, const EstimateOptions& options = {});

}  // namespace lgn
