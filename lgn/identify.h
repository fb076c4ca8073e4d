#pragma once

#include "lgn/data/dataset.h"
#include "lgn/identify/fit_options.h"
#include "lgn/identify/fit_structure.h"
#include "lgn/model/model.h"

namespace lgn {

/// Finds the generator of ẋ = A x in a structure from data, and its physics.
///
///     const Dataset data = read_csv({"ringdown.csv"});
///     const Model model = identify(data);
///     for (const Mode& mode : model.modes) fmt::print("{} Hz\n", mode.frequency_hz);
///
/// Deterministic for the same data, options and number of threads (unless max_seconds cuts it
/// short). Throws Error for data or options that cannot be used, NotIdentified when nothing was
/// found.
Model identify(const Dataset& data, const FitOptions& options = {});

/// The initial states of all runs that are most likely under the model, one column per run: weighed by the noise of
/// each channel that the model knows.
Matrix fitted_initial_states(const Model& model, const Dataset& data);

/// The model as it stands beside other data than its own: with initial states that fit these, and nothing held out.
Model model_on(const Model& model, const Dataset& data);

/// What channels show from x₀ at t_0 = times[0] on, under inputs with a column for each time where the model has some;
/// column k belongs to t_k.
Matrix simulate(const Model& model, const Vector& x0, const Vector& times,
                const Matrix& inputs = {});

}  // namespace lgn
