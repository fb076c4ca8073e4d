#pragma once

#include <vector>

#include "lgn/identify/realisation/candidate_realisations.h"

namespace lgn {

/// Poles that realisations of several orders agree on: what a stabilisation diagram shows as a column.
struct PoleCluster {
  Complex pole;         ///< Im > 0: the median of frequencies and of dampings
  ComplexVector shape;  ///< of the member nearest to it
  double share = 0;     ///< of the realisations that have it
};

/// Lightly damped poles (ratio below 0.3) up to an angular frequency, of all candidates of these orders. Two are of one cluster where they are closer
/// than half their width and a two-hundredth of their frequency, with a modal assurance criterion above 0.8. Those with the
/// largest share come first.
std::vector<PoleCluster> pole_clusters(const CandidateRealisations& realisation,
                                       const std::vector<Index>& orders, double highest);

}  // namespace lgn
