#pragma once

#include <memory>
#include <optional>

#include "lgn/data/dataset.h"
#include "lgn/dynamics/modulated.h"
#include "lgn/identify/fit.h"
#include "lgn/identify/fit_options.h"

namespace lgn {

/// Learns θ, and every run's initial state, by the paper's training: Adam with a falling learning rate on
/// the trajectory loss, from a random start or from `theta`.
///
/// A long trajectory has many local minima, because a wrong frequency that is off by whole turns
/// looks right again. So the horizon grows: training first sees windows of about one radian, which
/// have one minimum, then longer ones, each from the result of the last, then whole runs. Time is
/// scaled so that rates are of order one, except that the constants of a law keep their units;
/// channels are weighed equally where they share one unit, else by their size. The same arguments
/// give the same result. Throws NotIdentified where no finite trajectory was met.
Fit train(const Dataset& data, std::shared_ptr<const ConstantStructure> structure,
          const FitOptions& options = {}, const std::optional<Vector>& theta = {});

/// The same for a generator that varies in time, from θ, as the paper does it: on the mean squared error of whole runs,
/// in the units of the data, one step of the method from sample to sample. The model that comes out is propagated
/// exactly, not by those steps.
Fit train_varying(const Dataset& data, std::shared_ptr<const Structure> structure,
                  const Vector& theta, const FitOptions& options = {});

/// Coefficients as the paper's layers start from: each uniform in ±1/√(functions beside the constant).
Vector random_courses(const ModulatedStructure& structure, Random& random);

}  // namespace lgn
