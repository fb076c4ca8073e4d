#pragma once

#include "lgn/core/partition.h"
#include "lgn/flow/input_course.h"
#include "lgn/identify/regression/closed_form.h"

namespace lgn {

/// ẋ = A x multiplied by a bump ψ(s) = (1 − s²)⁴, s = 2(t − c)/width, and integrated by parts:
///     −∫ψ̇ x dt = A ∫ψ x dt,
/// so that no derivative of the data is taken (theory, Eq. 32). One column for every window [c −
/// width/2, c + width/2] inside a run; centres are width/8 apart, but no closer than the median
/// step. Both sides are divided by ∫ψ: a column of states is a mean of x, one of derivatives a mean
/// of ẋ, and all windows weigh the same.
///
/// Each channel's integrals are weighted sums of its samples that are present, at whatever times:
/// between neighbours x is the polynomial of degree `order` (1, 3, 5 or 7) through the nearest
/// order + 1 samples, and its products with ψ and ψ̇ are integrated exactly. Error O(h^(order + 1))
/// for steps h, and noise of the derivatives ∝ width^(−3/2). A window is left out where some
/// channel has a gap of more than width/3 or fewer than three samples in it, a run where some
/// channel has fewer than order + 1; there may be no columns at all. O(K n) for K samples where all
/// channels are complete, a few times as much where each has gaps of its own. Throws Error for
/// another order or a width that is not positive.
///
/// With `derivative` 2 columns of derivatives are means of ẍ, by ∫ψ̈ x: noise ∝ width^(−5/2). In a partition, for the channels of own
/// rows, windows are those of the whole.
Regression weak_form(const Dataset& data, double width, int order, int derivative = 1,
                     const Partition& partition = *one_part());

/// Windows in which inputs act: what weak_form() gives, and ∫ψu/∫ψ of every input, exactly, a column each.
struct DrivenWindows {
  Regression free;
  Matrix inputs;
};
DrivenWindows weak_form_and_inputs(const Dataset& data, double width, int order, int derivative,
                                   const InputTiming& timing);

/// The same for ẋ = A x + B u + f, −∫ψ̇ x = A ∫ψ x + B ∫ψ u + f ∫ψ, with B and f eliminated: what inputs, as they act, and
/// a constant explain is taken from both sides, and A (X P) ≈ Y P is left (Frisch and Waugh). Integrals of inputs are exact.
Regression driven_weak_form(const Dataset& data, double width, int order,
                            const InputTiming& timing);

}  // namespace lgn
