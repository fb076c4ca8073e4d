#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "lgn/core/linear_algebra.h"
#include "lgn/data/dataset.h"
#include "lgn/dynamics/nonlinear_systems.h"

namespace lgn::studies {

/// A known law, how it is sampled, and how long its predictions are.
struct LawCase {
  std::string system;
  double end = 20, step = 0.1;
  Index runs = 2;
  double horizon = 100;    ///< of predictions from new initial states
  bool positions = false;  ///< whether positions alone are measured
  bool driven =
      false;  ///< whether a force acts, a multisine held between samples, another one in predictions

  KnownLaw law() const;
};
/// Duffing's oscillator, a pendulum, a saturating RLC circuit, a chain of five Duffing oscillators, a rigid body with
/// friction, and Lorenz's law; Duffing's oscillator once more with more runs.
std::vector<LawCase> law_cases();

/// Ten data sets of a law, fitted in a structure and predicted from ten new initial states each.
struct LawOutcome {
  int seeds = 0, fitted = 0, exact_terms = 0, lost = 0, rollouts = 0;
  Vector errors;       ///< NRMSE of the predictions of every data set
  double seconds = 0;  ///< median processor time of a fit
};
/// What the fits to ten data sets of a law are judged by: ten runs without noise from new initial states for each, and the root
/// mean square of the NRMSE of predictions that no unbiased estimator goes below, even one that is told the terms (Cramér and Rao;
/// the median of all), for noise of the size of the signal: it is in proportion to noise.
struct LawTests {
  std::vector<Dataset> fresh;
  double bound = 0;
};
LawTests prepare_tests(const LawCase& which, int seeds = 10);

/// In its own structure, or as polynomials of degree 3 without one; a data set for each of the tests.
LawOutcome run_case(const LawCase& which, double noise, bool structured, const LawTests& tests);

/// Maximum likelihood with full sensitivities beside successive linearisation, on the same data of 1% noise.
struct MethodComparison {
  int seeds = 0;
  struct Side {
    int ended = 0;          ///< data sets on which it came to an end
    double iterations = 0;  ///< median: steps, or rounds
    double error = 0;       ///< median NRMSE of the predictions
    double seconds = 0;     ///< median processor time
  } likelihood, successive;
  /// How far the coefficients of both lie from each other, the largest of a data set in standard errors: median and largest. Of data
  /// sets in which both found the same terms.
  double distance = 0, largest_distance = 0;
  int alike = 0;
};
MethodComparison compare_methods(const LawCase& which, int seeds = 10);

/// How many coefficients of C lie within 1.96 standard errors of the truth, over data sets of 1% noise.
struct LawCoverage {
  Index covered = 0, all = 0;
};
LawCoverage coverage(const LawCase& which, int repeats);

/// The largest relative gain of energy in any of 300 steps of each of these lengths, from a random state.
double largest_gain(const LawCase& which, const std::vector<double>& steps);

/// Linear systems with noise under the default settings: how many a nonlinear law was chosen for.
struct LinearSeeds {
  int all = 0, nonlinear = 0;
};
LinearSeeds linear_seeds();

/// The sections of docs/nonlinear-study.md in their order, and writing one, piece by piece as it is measured. Throws Error for a name that
/// is none.
const std::vector<std::string>& nonlinear_sections();
void nonlinear_section(const std::string& name,
                       const std::function<void(const std::string&)>& write);

}  // namespace lgn::studies
