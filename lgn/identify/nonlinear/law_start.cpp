#include <algorithm>
#include <cmath>
#include <limits>

#include "lgn/core/error.h"
#include "lgn/data/scales.h"
#include "lgn/identify/nonlinear/law_search_internal.h"

namespace lgn {
namespace {

/// The width of the windows of regression: a third of a turn, and some samples.
double regression_width(const Dataset& data) {
  double shortest = std::numeric_limits<double>::infinity();
  for (const auto& run : data.runs())
    shortest = std::min(shortest, run.times()[run.samples() - 1] - run.times()[0]);
  const double rate = typical_rate(data.less(channel_means(data)));
  return std::min(0.3 * shortest, std::max(10 * median_step(data), 2 / std::max(1e-300, rate)));
}

}  // namespace

LawFit regress_law(const Dataset& data, const SmoothedData& smoothed, const NonlinearRecipe& recipe,
                   const InputTiming& timing) {
  LawFit fit;
  fit.recipe = recipe;
  fit.structure = build_nonlinear(recipe);
  const NonlinearStructure& structure = *fit.structure;
  const Vector scales = scale_guesses(structure, channel_amplitudes(data));
  const double width = regression_width(data);
  const LawRegression regression(data, smoothed.data, structure, width, timing);
  Vector start = structure.start();
  for (Index k = 0; k < start.size(); ++k)
    if (structure.parameter_list()[static_cast<std::size_t>(k)].scale) start[k] = scales[k];
  const ActiveTerms all(static_cast<std::size_t>(start.size()), true);
  auto found = regression.solve(start, all, scales);
  Vector free = found.residual;
  const auto compare = [&](const std::optional<Vector>& other) {
    if (other) free = free.cwiseMin(*other);
  };
  compare(regression.free_residual());
  // A law without structure, of cubic terms where there are windows enough for them.
  constexpr Index most_cubic = 6;
  const Index n = structure.dimension();
  if (recipe.name != "polynomial" && n <= most_cubic) try {
      const auto polynomial =
          build_nonlinear({.name = "polynomial", .states = n, .inputs = recipe.inputs});
      compare(LawRegression(data, smoothed.data, *polynomial, width, timing).free_residual());
    } catch (const NotIdentified&) {
    }
  fit.misfit =
      found.residual.cwiseQuotient(free.cwiseMax(regression_floor * found.size)).maxCoeff();
  found =
      regression.eliminate(std::move(found), std::log(static_cast<double>(data.present())), scales);
  fit.theta = found.theta;
  fit.active = found.active;
  return fit;
}

}  // namespace lgn
