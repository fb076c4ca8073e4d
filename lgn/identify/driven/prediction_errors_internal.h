#pragma once

#include <vector>

#include "lgn/identify/driven/prediction_errors.h"

namespace lgn {

/// ψ as what it stands for; initial states about rest.
struct PredictionErrors::Parts {
  Vector theta;
  Matrix k;
  Vector offset;
  Matrix b, d, initial_states;
};

/// Φ, C and K, and the derivatives of Φ and C in θ, those entries that are not zero, where they are asked for.
struct PredictionErrors::Filter {
  struct Entry {
    Index which, row, column;  ///< of Φ by the place in `moving`, of C by the parameter
    double value;
  };
  Matrix phi, c, k;
  std::vector<Entry> by_theta = {}, c_by_theta = {};
  std::vector<Index> moving = {};  ///< parameters that move Φ

  static void add(std::vector<Entry>& entries, Index which, const Matrix& change) {
    for (Index j = 0; j < change.cols(); ++j)
      for (Index i = 0; i < change.rows(); ++i)
        if (change(i, j) != 0) entries.push_back({which, i, j, change(i, j)});
  }
};

/// How the outputs of a simulation answer to θ, B and the initial state: as Flow and ForcedResponse have them.
struct PredictionErrors::OutputSlopes {
  Matrix by_theta, by_b, by_start;
};

/// What the filter makes of slopes over some samples, an unknown a row: those of W e in all of them, zero where a sample is not
/// complete, then those of z behind them. Of the slopes of r, sample by sample; of z before; of what is added to z behind each sample,
/// twice: a row for each state of each sample, and a row for each sample with the states side by side.
struct PredictionErrors::Passage {
  Matrix of_residuals, of_states, of_pushes, of_sample_pushes;
};

}  // namespace lgn
