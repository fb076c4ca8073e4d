#pragma once

#include <string>
#include <vector>

#include "lgn/identify.h"

namespace lgn::studies {

/// A baseline of the paper, trained as its authors do: on trajectories from the first sample of each run, or on
/// samples that must be evenly spaced and complete.
struct Baseline {
  std::string name;
  std::string what;  ///< in a few words
  Model (*fit)(const Dataset& data, const FitOptions& options);
};

/// linear-id, lgn-sd and symoden.
const std::vector<Baseline>& baselines();

/// Throws Error, with the names that there are, unless `name` is a structure that identify() knows (sd,
/// auto, parametric:rlc), one with a method of its own behind an @ (sd@adam, sd@closed-form), or a
/// baseline.
void check_method_name(const std::string& name);

/// The model that this method finds; of the options structure, method and holdout have no effect.
///
/// A baseline's model has its generator, modes, starts as the options say (fitted to the data, or their first
/// samples), guarantee and warnings; no standard errors. Throws as identify() does, and Error
/// where a baseline cannot use the data.
Model fit_method(const std::string& name, const Dataset& data, const FitOptions& options);

}  // namespace lgn::studies
