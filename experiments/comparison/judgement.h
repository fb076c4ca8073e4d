#pragma once

#include <vector>

#include "lgn/data/windows.h"
#include "lgn/flow/propagate.h"

namespace lgn::studies {

/// Squared errors of a prediction of the validation part, summed over blocks of time: every run's part is cut into as many as
/// make ten or more of all runs, or into its samples where it has fewer. Blocks without any value are left out. The model
/// starts, as in holdout_residuals, with the part that was fitted.
Vector block_errors(const Propagator& model, const Matrix& starts, const Split& split);

/// Which predictions are the best, as far as the data can tell: the one with the smallest sum of errors, and those
/// that are not worse by more than chance, or by less than 1%.
///
/// errors[k] are block_errors of method k; a method without any, or whose errors are not finite, takes no
/// part. Blocks are long enough to be nearly independent where errors of neighbouring samples are not (the
/// method of batch means), so that Student's test applies to logarithms of their ratios, pair by pair, at
/// 95%; ratios, because errors that grow along a run would leave the verdict to its last block. What is
/// below `explained` (residuals.h) of the validation signal, whose sum of squares is `power`, counts as
/// predicted exactly.
std::vector<bool> find_best(const std::vector<Vector>& errors, double power);

}  // namespace lgn::studies
