#pragma once

#include <optional>

#include "lgn/data/dataset.h"
#include "lgn/dynamics/modal.h"

namespace lgn {

/// Starts for an innovations form from inputs and outputs, by the predictor's own impulse response (Chiuso, Automatica 43:1034, 2007).
///
/// A regression of every sample on the p before it, inputs and outputs, has the coefficients C (Φ − K C)^(i−1) [B, K], without the
/// bias that coloured noise has elsewhere; p by the Bayesian information criterion. From them follows what the past tells of the next p
/// samples; its strongest singular directions, weighed by how the past varies, are the states, and regressions of these on
/// themselves give Φ, C and K. Constants are taken out. Samples at even times; rows with missing values are left out.
/// O(N q²) for q = p (inputs + channels).
class PredictorRealisation {
 public:
  PredictorRealisation(const Dataset& data, double step);

  /// Modes, those that grow reflected, and the gain that belongs to them.
  struct Start {
    ModalSystem system;
    Matrix gain;
  };
  /// Nothing where the data are too short for so many states, or have them not.
  std::optional<Start> realise(Index states) const;

 private:
  /// Columns z of the past (p blocks of inputs and outputs, the last first), the present input and the sample.
  struct Rows {
    Matrix past, input, sample;
    std::vector<char> follows;  ///< whether the column before is the one a sample earlier
  };
  Rows rows(Index order) const;

  double step_;
  Vector sizes_;
  std::vector<Matrix> values_;  ///< of each run: inputs, then channels, centred and scaled
  Index inputs_, channels_, order_ = 0;
  Rows rows_;
  Matrix directions_;  ///< of the past that states are made of, strongest first
};

}  // namespace lgn
