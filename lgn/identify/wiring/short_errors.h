#pragma once

#include <functional>
#include <optional>

#include "lgn/data/dataset.h"
#include "lgn/flow/input_course.h"

namespace lgn {

/// How badly a generator predicts these data over short windows: ShortPredictions, or the same under inputs, B and an offset
/// at their best for all windows together, of which forty at most are looked at.
std::function<double(const Matrix&)> short_errors(const Dataset& data,
                                                  const std::optional<InputTiming>& inputs);

}  // namespace lgn
