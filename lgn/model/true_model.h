#pragma once

#include "lgn/data/dataset.h"
#include "lgn/dynamics/systems.h"
#include "lgn/model/model.h"

namespace lgn {

/// A known system as a model, to compare what was identified with. `clean` are its runs without
/// noise, sampled every `step`; `hold`: how their input, if they have one, goes on between samples.
Model true_model(const System& system, const Dataset& clean, double step, Hold hold = Hold::zoh);

}  // namespace lgn
