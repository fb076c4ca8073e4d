#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lgn/data/dataset.h"
#include "lgn/model/model.h"

namespace lgn::studies {

/// Experiment 2: the paper's oscillator, t < 20; frequency and form of the variation are not told.
struct ModulationOptions {
  std::string structure = "ltv-sd";  ///< or auto
  double noise = 0;                  ///< of the standard deviation of the clean run
  bool integrated = false;           ///< by Runge–Kutta at rtol 1e-8, atol 1e-10; else exact
  double modulation = 0.5;
  std::uint64_t seed = 1;  ///< of the noise
};

/// A number that was found, beside the true one.
struct Found {
  double value, se, truth;
  double error() const;
  double pull() const;  ///< (value − truth)/se
};

/// What was found: NaN where d₂ does not vary.
struct Modulation {
  std::string structure;
  std::vector<std::string> varying;  ///< names of the entries that vary
  Index frequencies = 0, parameters = 0;
  Found frequency, mean, amplitude;  ///< of d₂
  double data_error = 0;             ///< of the integrator, RMS over RMS
  double test_nrmse = 0;             ///< t < 100, from the start that was estimated
  double seconds = 0;

  /// Whether d₂ alone varies, with one frequency.
  bool as_it_is() const;
};
Modulation study_modulation(const ModulationOptions& options = {});

/// The same for many seeds.
struct ModulationNoiseOptions {
  double noise = 0.01;
  int seeds = 20;  ///< 1, 2, …
};
struct ModulationNoise {
  /// Median |pull| of frequency, mean and amplitude, and of each the largest.
  Vector median_pulls, largest_pulls;
  int beyond = 0;  ///< pulls beyond 3, of 3 · seeds; those of a seed where d₂ did not vary count
  int as_it_is = 0;  ///< seeds in which d₂ alone was found to vary, with one frequency
  double median_nrmse = 0, largest_nrmse = 0;
  double seconds = 0;  ///< mean
};
ModulationNoise study_modulation_noise(const ModulationNoiseOptions& options = {});

}  // namespace lgn::studies
