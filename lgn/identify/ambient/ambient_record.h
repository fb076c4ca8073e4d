#pragma once

#include <string>
#include <vector>

#include "lgn/data/dataset.h"

namespace lgn {

/// Lines of a spectrum that stand close together, as one.
struct SpectralCell {
  double frequency = 0;       ///< angular, the mean of the lines
  double lines = 0;           ///< how many
  ComplexMatrix periodogram;  ///< their mean: channels × channels
};

/// A record of random vibration, in frequencies and in lags: channels relative to their sizes, less their linear trends.
///
/// With y_k the samples of a run and Y_j = Σ_k y_k exp(−iω_j k h) at ω_j = 2πj/(N h), the periodogram is Y Yᴴ/N, whose
/// expectation is Σ_|k|<N (1 − |k|/N) R(k h) exp(−iω_j k h), R the correlation function. The two lowest lines are left out, which
/// trends have spoiled, and so are those above which there is next to nothing in any channel: what a filter of the instrument left.
class AmbientRecord {
 public:
  /// Samples are taken as uniform_runs has them. Throws NotIdentified where runs are too short, or nothing moves.
  explicit AmbientRecord(const Dataset& data);

  /// The same of some channels.
  AmbientRecord of_channels(const std::vector<Index>& channels) const;

  double step() const { return step_; }
  /// Samples of a run, of the longest where they differ, and of all runs.
  Index samples() const { return samples_; }
  Index all_samples() const { return all_samples_; }
  Index channels() const { return sizes_.size(); }
  /// What channels were divided by.
  const Vector& sizes() const { return sizes_; }
  /// The highest angular frequency that counts.
  double band() const { return band_; }
  /// The samples of each run, channels × samples.
  const std::vector<Matrix>& runs() const { return runs_; }
  /// What was done to the data, one line each.
  const std::vector<std::string>& notes() const { return notes_; }

  /// The spectrum in cells that are narrow where one of these poles is near: no wider than `width` times the distance to the nearest.
  std::vector<SpectralCell> cells(const ComplexVector& poles, double width) const;
  /// Correlation functions at lags 0, 1, …, `most`: [k] is the mean of y(t + k h) y(t)ᵀ over the pairs of samples that there are.
  std::vector<Matrix> correlations(Index most) const;

 private:
  double step_ = 0, band_ = 0;
  Index samples_ = 0, all_samples_ = 0;
  Vector sizes_;
  std::vector<Matrix> runs_;
  std::vector<ComplexMatrix> coefficients_;  ///< Y/√N, channels × lines, of each run
  std::vector<std::string> notes_;
};

}  // namespace lgn
