#pragma once

#include <string>
#include <vector>

#include "lgn/model/model.h"
#include "lgn/report/plot/figure.h"

namespace lgn {

/// One self-contained page about a design, the old system beside the new one: elements before and after, which targets bind, poles
/// that moved, with arrows, transfer functions and responses to a step or from the first initial state before and after, and the sensitivity of each target to
/// each element: what tolerance matters. `after` must be a design of `before` (lgn/design/design.h).
std::string design_report(const Model& before, const Model& after);

/// Its plots as they are on paper: moved-poles, magnitude-1, step-1 …, free-1 ….
std::vector<Figure> design_figures(const Model& before, const Model& after);

}  // namespace lgn
