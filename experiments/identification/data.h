#pragma once

#include "lgn/core/random.h"
#include "lgn/data/dataset.h"
#include "lgn/dynamics/systems.h"

namespace lgn::studies {

/// The paper's ladder: R in every section, L = C = 1, exactly S − D.
System uniform_ladder(Index sections, double resistance = 0.1);

/// A start of a training run: 0.5·randn, scaled by 1/√(E₀ + 1e-6), E₀ = ½‖x₀‖².
Vector training_start(Index states, Random& random);

/// Runs of the system at these times, one vector per run, from training starts; exact.
Dataset exact_runs(const System& system, const std::vector<Vector>& times, Random& random);

/// The same runs from the same starts as the paper's integrator gives them (dormand_prince.h).
Dataset integrated(const System& system, const Dataset& exact);
/// RMS of the difference over RMS of the exact values.
double relative_error(const Dataset& data, const Dataset& exact);

/// The start of a prediction that no run was like: e₁ + ½e₂.
Vector test_start(Index states);

/// 0, step, 2 step, … (samples in all).
Vector even_times(double step, Index samples);
/// 0 and samples − 1 uniform random times up to `end`, sorted.
Vector uneven_times(double end, Index samples, Random& random);

/// Standard deviation of all values together.
double deviation(const Dataset& data);

/// The data with Gaussian noise of this size in every value.
Dataset with_noise(const Dataset& data, double sigma, Random& random);
/// The data without a fraction of its values, chosen one by one.
Dataset with_gaps(const Dataset& data, double fraction, Random& random);

}  // namespace lgn::studies
