#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lgn/core/linear_algebra.h"

namespace lgn::studies {

/// ẋ = S(t) x with random skew S(t) of two frequencies, from ‖x‖ = 1.
struct NormOptions {
  Index states = 5, steps = 100000;
  double step = 0.1;
  std::uint64_t seed = 1;
};
/// How far a method strays from ‖x‖ = 1.
struct KeptNorm {
  std::string method;
  double largest = 0;  ///< | ‖x‖ − 1 | over all steps
};
std::vector<KeptNorm> study_norms(const NormOptions& options = {});

/// Random S(t) − D(t) of 2 to 5 states with one frequency, every third d zero at all times; from sample to
/// sample at most a quarter of a turn, and ∫‖A‖ ≤ 1.
struct ContractionOptions {
  std::string method = "4";
  double tolerance = 1e-11;  ///< that plan_grid is given
  int systems = 2000;
  std::uint64_t seed = 1;
};
/// Counts of intervals between samples.
struct Contraction {
  int intervals = 0;
  int single = 0;  ///< where the method in one step lets the energy of some state grow
  int changed =
      0;  ///< where the plan changed the steps of the tolerance, in which it would have grown
  int free = 0;       ///< of those: with a step without commutators
  int midpoint = 0;   ///< of those: with a step of the midpoint rule
  int increases = 0;  ///< where the energy of some state grows in the steps that were planned
  double worst = 0;   ///< largest growth of ‖x‖ in one step of the method, relative to it
  double steps = 0;   ///< planned, mean per interval
};
Contraction study_contraction(const ContractionOptions& options = {});

}  // namespace lgn::studies
