#pragma once

#include <optional>
#include <string>

#include "lgn/dynamics/varying_law.h"
#include "lgn/identify/variation/find_variation.h"

namespace lgn {

/// Whether a structure of this name varies in time: ltv-skew, ltv-sd, ltv-psd, ltv-full,
/// parametric:LAW with such a law; ltv-parametric and ltv-parametric:LAW mean the same as the latter.
bool varies_in_time(const std::string& name);

/// The law of such a name, for n states. Throws Error for a name without a law.
std::shared_ptr<const VaryingParametric> find_varying_parametric(const std::string& name,
                                                                 Index dimension);

/// Finds the variation of a structure in the data: by maximum likelihood from the constant generator
/// (find_variation.h), from the law's constants, or by Adam on the paper's features. Throws Error for names
/// that there are not, and for methods that do not belong to them. `generator`: where the constant one is looked for; by
/// default where regression finds it, which knows no inputs.
Fit estimate_varying(const Dataset& data, const std::string& structure,
                     const FitOptions& options = {}, const std::optional<Matrix>& generator = {});

/// The same for a law. `theta` to start from: by default what the law says, and multiples of its positive constants
/// where that leads nowhere.
Fit estimate_varying(const Dataset& data, std::shared_ptr<const Structure> law,
                     const FitOptions& options = {}, const std::optional<Vector>& theta = {});

/// Whether the data need a generator that varies: nothing where the constant generator `found` leaves
/// only noise, where the information criterion does not clearly ask for variation, or where variation
/// does not explain what is left, which then has another cause: it must leave only noise, or a third at
/// most. Else the variation, in the first of `bases` that leaves only noise, or in the best of them by
/// the criterion.
std::optional<Fit> needed_variation(
    const Dataset& data, const Fit& found,
    const std::vector<std::shared_ptr<const ConstantStructure>>& bases,
    const FitOptions& options = {});

}  // namespace lgn
