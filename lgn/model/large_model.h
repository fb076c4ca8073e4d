#pragma once

#include <memory>
#include <optional>
#include <string>

#include "lgn/dynamics/network.h"
#include "lgn/model/model.h"

namespace lgn {

/// A network too large for dense matrices, identified: its structure with θ in place of A.
struct LargeModel {
  /// What every model has; `a`, `parameters`, `energy` and `network` are empty, and `modes` those that were computed.
  Model about;
  std::shared_ptr<const NetworkStructure> structure;
  Vector theta;
  Vector theta_errors;  ///< standard errors; empty: not computed, NaN: at a bound

  Index dimension() const { return structure->dimension(); }
  /// What channels show at t_k in column k, from x₀ at the first time (sparse_flow.h).
  Matrix propagate(const Vector& x0, const Vector& times) const;
  /// The most likely initial states of the runs of data, one column each.
  Matrix initial_states(const Dataset& data) const;
};

/// The model as a file, of the schema of all models (model_file.h): A is {"n", "rows", "cols", "values"}, `modes_complete` false, and
/// `network` has lists of nodes, storages and elements with their standard errors. "engine": "sparse" stands near its beginning.
std::string large_model_to_json(const LargeModel& model);
/// Throws Error for text that is no such model.
LargeModel large_model_from_json(const std::string& text, const std::string& file);
/// The model in a file; nothing where the file holds another kind of model, or cannot be looked at twice (standard input).
std::optional<LargeModel> read_large_model(const std::string& path);

/// What was found, in a few lines.
std::string large_summary(const LargeModel& model);

}  // namespace lgn
