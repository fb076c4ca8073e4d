#pragma once

#include "lgn/data/dataset.h"
#include "lgn/identify/fit.h"
#include "lgn/identify/fit_options.h"

namespace lgn {

/// A network, or masses (`mechanical`), that inputs drive: topology and values as without inputs (network_fit.h), and which
/// nodes each input acts on.
///
/// B is estimated in full first; of masses a force moves velocities alone. Then entries that are not beyond their errors,
/// (b/se)² < log N for N values, are taken out, one for each input apart, and what is left is fitted once more; the smaller of both by the Bayesian
/// information criterion stays. Throws NotIdentified where more than half of all pairs couple, Error where rules or kinds
/// contradict.
Fit fit_ports(const Dataset& data, bool mechanical, const FitOptions& options);

}  // namespace lgn
