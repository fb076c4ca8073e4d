#pragma once

#include <cstdint>

#include "lgn/design/search_internal.h"

namespace lgn {

/// Values whose targets hold with a probability over the errors of the values: those that hold for every z with |z| ≤ β, the objective
/// being the worst there, where β is chosen such that draws of z meet the targets as often as is wanted (theory, Eq. 78).
///
/// The worst cases of that ball are found one after the other and added to the search, each by ascent along its gradient to the
/// sphere; β by secants in the normal quantile of the part of the draws that hold. Where the targets hold with more than that
/// probability anyway, the search without errors is the answer. Without targets the part of the draws is counted in which the objective
/// is no worse than foreseen.
struct RobustResult {
  MinMaxResult found;
  double radius = 0;  ///< β
  int iterations = 0;
};
RobustResult robust_search(Search& search, const MinMaxResult& nominal, double probability,
                           std::uint64_t seed);

/// Draws other than those that β was chosen with: how many meet all targets (without any: are no worse than the worst case that was foreseen), and what properties most of them are not worse than.
void record_draws(const Search& search, const MinMaxResult& at, double probability,
                  std::uint64_t seed, DesignRecord& record);

}  // namespace lgn
