#pragma once

#include <optional>
#include <vector>

#include "lgn/identify/hidden/stabilisation.h"
#include "lgn/identify/structure_candidate.h"
#include "lgn/identify/variation/estimate_varying.h"
#include "lgn/identify/wiring/network_fit.h"

namespace lgn {

/// The simplest structure that the data support, and how it was found.
struct Selection {
  std::vector<StructureCandidate> candidates;
  Fit fit;                                          ///< of the chosen structure, on all data
  std::optional<Stabilisation> stabilisation = {};  ///< of hidden states
};

/// Chooses among network, skew, sd, scaled-sd, metric and full, simplest first. With eight channels or
/// more a network is looked for (network_fit.h), a mechanical one where channels are positions and
/// velocities; where it leaves only noise, in what was fitted and in what was held out, nothing
/// richer can do better, and the search ends. Without `network` none is looked for.
///
/// Each is fitted to the first three quarters of every run and judged by the Bayesian information
/// criterion there (Schwarz, Ann. Stat. 6:461, 1978) and by its prediction of the rest: the smallest
/// criterion wins among those whose prediction is within twice the best one. What is left below a
/// millionth of the signal counts as explained, and ends the search. Structures whose energy the
/// data plainly contradict are not fitted. `full` is tried only if some run ends with more energy than
/// it began with: it has no more freedom than metric but for unstable poles. The chosen one is fitted to all data.
///
/// Where the best of them still leaves more than noise, channels are few and runs long, a generator that varies in
/// time is tried (estimate_varying.h): ltv-sd, then ltv-full where ‖x‖² is not the energy. It is chosen if
/// the criterion says so and it predicts what it has not seen better.
///
/// Effort is in proportion, unless FitOptions::thorough: the looks for a network and for variation take at most ten times
/// the work of the fit beside them, and all fits together some seconds of a machine of today. Work is counted, not timed
/// (stop.h), so that the same data have the same answer everywhere; verdicts say what was cut short or skipped. Where it is
/// asked to stop, the best so far is chosen.
Selection select_structure(const Dataset& data, const FitOptions& options = {},
                           const std::optional<NetworkOptions>& network = NetworkOptions{});

/// Validation errors relative to all samples become such relative to the part that was predicted, the last fraction of every
/// run: what people read, as everywhere.
void relate_to_predicted_part(std::vector<StructureCandidate>& candidates, const Dataset& data,
                              double fraction);

}  // namespace lgn
