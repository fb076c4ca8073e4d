#pragma once

#include <string>
#include <vector>

#include "lgn/model/model.h"
#include "lgn/report/text/tables.h"

namespace lgn {

/// Modes to show the shapes of, conjugates once, at most a hundred: indices into model.modes.
std::vector<Index> shaped_modes(const Model& model);

/// A mode in a few words, such as "0.397 Hz, ζ 0.021".
std::string mode_title(const Model& model, const Mode& mode);

/// Mode shapes with standard errors: one row for each mode that the data determine and each channel, conjugates once.
///
/// Size and phase are those of the shape beside its largest entry, v_c/v_max = size · e^(i phase): 0° moves with that
/// channel, 180° against it. Errors of size and phase follow from those of the real and imaginary part, taken as
/// independent; those of the largest entry are zero by definition, and not written. Cost: modes × channels.
Table shapes(const Model& model);

/// The same as text, with what the columns mean.
std::string shapes_table(const Model& model);

}  // namespace lgn
