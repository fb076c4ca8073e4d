#pragma once

#include <string>

#include "lgn/model/model.h"
#include "lgn/report/text/tables.h"

namespace lgn {

/// Mode shapes with standard errors: one row for each mode that the data determine and each channel, conjugates once.
///
/// Size and phase are those of the shape beside its largest entry, v_c/v_max = size · e^(i phase): 0° moves with that
/// channel, 180° against it. Errors of size and phase follow from those of the real and imaginary part, taken as
/// independent; those of the largest entry are zero by definition, and not written. Cost: modes × channels.
Table shapes(const Model& model);

/// The same as text, with what the columns mean.
std::string shapes_table(const Model& model);

}  // namespace lgn
