#pragma once

#include <memory>
#include <string>
#include <vector>

#include "lgn/data/dataset.h"
#include "lgn/dynamics/nonlinear_structures.h"
#include "lgn/identify/fit_options.h"
#include "lgn/identify/nonlinear/law_regression.h"
#include "lgn/identify/structure_candidate.h"

namespace lgn {

/// A nonlinear law fitted to data.
struct LawFit {
  NonlinearRecipe recipe;
  std::shared_ptr<const NonlinearStructure> structure;
  Vector theta = {};        ///< of all parameters, zero where a term is not there
  ActiveTerms active = {};  ///< which terms are
  Matrix covariance = {};   ///< of θ; zero where a term is not there
  Matrix initial_states = {};
  Vector offset = {}, offset_errors = {};  ///< ȳ where it was estimated; else empty
  Vector noise = {};
  Index window =
      0;  ///< samples that were predicted on from one initial state; all, unless the law is chaotic
  double criterion = 0;  ///< Bayesian information criterion
  double misfit =
      0;  ///< of the regression: its residuals over those of a law without structure, the largest of all equations
  double widening =
      1;  ///< of standard errors, at most, by residuals that are autocorrelated or runs that disagree
  int iterations = 0;
  bool converged = false, stopped = false;

  /// Terms that are there, scales of the energy included.
  Index terms() const;
};

/// Finds the terms of a law in its structure, and their values:
/// regression in the weak form inside the structure (law_regression.h); terms without evidence removed; maximum likelihood over
/// windows that grow to whole runs, each with an initial state of its own (law_problem.h); terms leave by Wald's test and
/// return by the score test at 2 log(values · terms); standard errors by the information matrix, initial states eliminated.
/// Where noise more than triples on longer windows, as where trajectories are chaotic, the shorter ones stand.
///
/// With the offset estimated ȳ is found with θ, from zero. With the robust loss samples that stand out are left out of the regression,
/// and weigh as theory, Eq. 42 says in the likelihood. Standard errors of residuals that are autocorrelated are wider, as those of
/// linear laws (correlated_residuals.h).
///
/// Where the options say that the data are driven the recipe has their inputs, which act as options.timing() says: their gains are terms
/// as others.
///
/// A recipe with twice as many states as there are channels is that of masses whose positions alone are measured: velocities are
/// hidden, their initial values estimated.
///
/// Deterministic. Throws NotIdentified where the regression in the structure leaves many times what a law without
/// structure leaves, or no trajectory is finite.
LawFit fit_law(const Dataset& data, const NonlinearRecipe& recipe, const FitOptions& options);

/// The structure of a nonlinear law that the data support: gyro, nonlinear-mechanical, storage and lossless are fitted where
/// regression does not contradict them, and the Bayesian information criterion chooses. Throws NotIdentified, with what
/// was tried, where none holds.
struct LawSelection {
  std::vector<StructureCandidate> candidates;
  LawFit fit;
};
LawSelection select_law(const Dataset& data, const FitOptions& options);

/// Whether the channels are positions alone, so that a law has a velocity beside each: twice as many states as channels are asked for, or
/// nobody says how many there are and the channels are positions by their kinds, or a single one. Throws Error for another
/// number of states, or where the structure has no such law.
bool of_positions_alone(const Dataset& data, const FitOptions& options);

/// Whether `name` is that of a nonlinear structure, or "nonlinear", which chooses.
bool is_nonlinear(const std::string& name);

/// The most likely initial states of runs under a law and its inputs, one column each, for noise of these sizes (empty: in
/// proportion to the channels).
Matrix fitted_starts(const NonlinearStructure& structure, const Vector& theta, const Dataset& data,
                     const Vector& noise, const InputTiming& timing = {});

}  // namespace lgn
