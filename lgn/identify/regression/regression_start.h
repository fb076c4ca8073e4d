#pragma once

#include <vector>

#include "lgn/data/dataset.h"
#include "lgn/dynamics/structure.h"

namespace lgn {

/// The generator by regression (closed_form.h): in the structure where that is skew, sd or psd,
/// otherwise without structure. Without one, channels whose amplitudes differ a thousandfold are seen
/// in units of their own, D⁻¹ x, and A = D A' D⁻¹. Throws what closed_form throws.
Matrix regression_generator(const Dataset& data, const ConstantStructure& structure);

/// What regression suggests, best first: the generator above; where samples are too sparse for it,
/// the logarithms of the step map (step_map_start.h), and the regression of the differences of
/// neighbours on the middle of their step, which is crude, but there whenever two complete samples
/// follow one another. Never empty: throws NotIdentified when no two do.
///
/// Of more than some ten thousand samples it takes a part, so that a start costs no more than reading them: windows that are
/// spread over the runs, which show what is fast, and, where those are shorter than what is slow, every so many of all.
std::vector<Matrix> regression_generators(const Dataset& data, const ConstantStructure& structure);

}  // namespace lgn
