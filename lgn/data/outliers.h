#pragma once

#include "lgn/data/dataset.h"

namespace lgn {

/// The data without samples that stand out from their neighbours: cells that differ from the median
/// of the six around them by more than ten times what is usual in their channel (1.4826 times the
/// median difference) become missing. A first cleaning for a robust fit, not a judgement: what it
/// takes out, the fit sees again.
Dataset without_outliers(const Dataset& data);

}  // namespace lgn
