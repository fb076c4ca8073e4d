#pragma once

#include <vector>

#include "lgn/core/linear_algebra.h"
#include "lgn/data/dataset.h"

namespace lgn {

/// One run at even times; where its own are not, or samples are missing, values between them are interpolated linearly.
struct EvenRun {
  Index run = 0;  ///< which one of the data
  Vector times;
  Matrix values;  ///< channels × times
};

/// All runs with two samples or more in every one of the first channels, `step` apart from the first time on.
/// O(samples).
std::vector<EvenRun> even_runs(const Dataset& data, Index channels, double step);

/// What channels show over frequency.
struct Spectrum {
  Vector frequencies;  ///< cycles per unit of time, evenly spaced from 0 to half a cycle per sample
  Matrix values;       ///< channels × frequencies
};

/// Of free responses: step·|Σ_k y_k exp(−2πi f t_k)| less the offset, the root mean square over runs, each continued by
/// zeros to the length of the longest, or to four times it where it has fewer than 50,000 samples, which draws smoother. Not windowed, so that a model sampled at the same times compares.
Spectrum amplitude_spectrum(const std::vector<EvenRun>& runs, double step, const Vector& offset);

/// Hann's window of so many samples, ½ − ½ cos(2πk/samples).
Vector hann_window(Index samples);

/// Of random vibration: the one-sided power spectral density by Welch's method (IEEE Trans. Audio 15:70, 1967), means
/// over segments that overlap by half, less the mean of their run, with Hann's window. Segments are a twelfth of the longest
/// run, from 256 to 16,384 samples; a shorter run is one segment.
Spectrum welch_density(const std::vector<EvenRun>& runs, double step);

/// The same of a model with correlation functions R(τ) = C exp(A τ) G for τ > 0, and R(0): 2 h [R(0) + S + Sᴴ]_cc with
/// S = Σ_{k ≥ 1} R(k h) e^{−iωkh} = C Φ (e^{iωh} − Φ)⁻¹ G, Φ = exp(A h), by the modes of A. Channels ×
/// frequencies, O(n³), and O(n) for each entry; digits are lost where two poles nearly are one.
Matrix model_density(const Matrix& a, const Matrix& c, const Matrix& g, const Matrix& variance,
                     double step, const Vector& frequencies);

}  // namespace lgn
