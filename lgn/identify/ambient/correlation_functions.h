#pragma once

#include <vector>

#include "lgn/data/dataset.h"
#include "lgn/dynamics/modal.h"
#include "lgn/identify/ambient/ambient_record.h"
#include "lgn/identify/ambient/canonical_realisation.h"

namespace lgn {

/// Correlation functions of a record up to where they are lost in what chance makes of them, √(2 Σ ρ²/N) by Bartlett's formula; at some lags,
/// what modes make of them: C exp(Aτ) G.
class CorrelationFunctions {
 public:
  explicit CorrelationFunctions(const AmbientRecord& record);

  /// At lag zero.
  const Matrix& variance() const { return all_.front(); }
  /// They decay as free motion does: a run for each reference channel.
  Dataset as_runs() const;
  /// States of past and future samples.
  CanonicalRealisation canonical() const;

  /// Lags at which modes are fitted to them, in samples, and their values there.
  const std::vector<Index>& lags() const { return lags_; }
  const std::vector<Matrix>& values() const { return values_; }
  /// What these modes make of them.
  std::vector<Matrix> of(const ModalSystem& system, const Matrix& g) const;
  /// G of least squares to such values.
  Matrix fit_g(const ModalSystem& system, const std::vector<Matrix>& values) const;

 private:
  double step_;
  Index samples_, all_samples_;
  std::vector<Matrix> all_;
  std::vector<Index> lags_;
  std::vector<Matrix> values_;
};

}  // namespace lgn
