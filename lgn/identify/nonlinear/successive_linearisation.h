#pragma once

#include <vector>

#include "lgn/identify/fit_options.h"
#include "lgn/identify/nonlinear/law_problem.h"

namespace lgn {

/// The plan of the paper for nonlinear systems, to compare with: f(x) = A(x) x is frozen along courses x̂(t) (frozen_law.h), which makes
/// a linear generator that varies in time; its parameters and initial states are fitted by maximum likelihood
/// (maximum_likelihood.h); the states of that fit are the next courses, until no parameter moves by more than a hundredth of its
/// standard error. What x̂ owes to θ is not in its slope, so that it need not come to an end, and where it does, θ is not the most likely
/// one.
///
/// `courses`: the first ones, at the samples of every run, and the last ones in the end. `iterations` of the result are rounds.
/// Each costs a fit of a generator that varies. Throws Error for a law with constant terms, or hidden states.
LawSearch linearise_successively(const Dataset& data, const NonlinearStructure& structure,
                                 const LawProblem& problem, const Vector& theta,
                                 const std::vector<Index>& moving, std::vector<Matrix>& courses,
                                 const FitOptions& options);

}  // namespace lgn
