#pragma once

#include "lgn/data/dataset.h"

namespace lgn::bench {

/// Training LGN-SD on the 100-dimensional RLC ladder, at its random start.
struct Ladder {
  static constexpr Index sections = 50, dimension = 2 * sections, runs = 3, samples = 300;
  static constexpr double step = 0.1;

  Matrix starts;  ///< one column per run
  Vector theta;   ///< S above its diagonal row by row, then d
  Dataset data;
};

Ladder make_ladder();

}  // namespace lgn::bench
