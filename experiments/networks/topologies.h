#pragma once

#include "experiments/networks/truth.h"

namespace lgn::studies {

/// Networks of one topology, each with values and data of its own seed.
struct TopologyOptions {
  NetworkRecipe recipe;
  Index runs = 3;
  double noise = 0.02;  ///< of all channels together where they share a unit, else of each
  int seeds = 5;        ///< 1, 2, …
};

/// Sums over the seeds.
struct TopologyStudy {
  Index states = 0, pairs = 0;  ///< of the network; of all wirings together
  WiringErrors wiring;
  int wrong = 0;       ///< networks with a pair too few or too many
  double nrmse = 0;    ///< largest, of a fit; that of the noise where nothing is left
  double seconds = 0;  ///< mean of the fits
};
TopologyStudy study_topology(const TopologyOptions& options);

}  // namespace lgn::studies
