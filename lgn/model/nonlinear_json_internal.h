#pragma once

#include "lgn/model/json_reader_internal.h"
#include "lgn/model/json_writer_internal.h"
#include "lgn/model/model_nonlinear.h"

namespace lgn {

/// The field "nonlinear" of a model file: "law" (name and what it is made of), "theta" of all its parameters by "names", their
/// "covariance", "terms" and "equilibria" as people read them, "bound" where a trapping ball is proved.
Json nonlinear_to_json(const ModelNonlinear& law, const std::vector<std::string>& states,
                       const std::vector<std::string>& inputs);

/// Reads it back, for a model with so many inputs; terms, equilibria and the bound are computed again. Throws Error for a law that there
/// is not, and for numbers outside of what it allows: its promise would not hold.
ModelNonlinear nonlinear_from_json(const JsonReader& in, Index states, Index inputs,
                                   const std::string& time_unit);

}  // namespace lgn
