#pragma once

#include <string>
#include <vector>

#include "lgn/design/search_internal.h"

namespace lgn {

/// Which groups of free values take preferred values, and of which series: "E24" for all, "C*=E12" for some. Throws Error for words
/// that mean nothing.
std::vector<std::string> series_of_groups(const Search& search,
                                          const std::vector<std::string>& words);

/// The preferred values nearest to an optimum, by Σ log²(value/optimum), that still meet all targets; values without a series are
/// searched again.
///
/// Combinations are tried in the order of their distance, so that the first to meet the targets is the nearest; where there are too many to
/// try, values are fixed one after the other, the rest searched again each time, and then moved nearer one by one. Violated
/// where none was found.
MinMaxResult nearest_preferred(const Search& search, const MinMaxResult& optimum,
                               const std::vector<std::string>& series);

}  // namespace lgn
