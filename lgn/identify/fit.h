#pragma once

#include <memory>
#include <string>
#include <vector>

#include "lgn/data/dataset.h"
#include "lgn/flow/flow.h"

namespace lgn {

/// A structure fitted to data: its parameters, and what was estimated with them.
struct Fit {
  std::shared_ptr<const Structure> structure;
  std::string method = {};  ///< closed-form, mle or adam: what was done
  Vector theta = {};
  Matrix initial_states = {};        ///< one column per run, as channels show them: offset included
  Vector offset = {};                ///< x̄ of ẋ = A (x − x̄); empty: zero
  Vector noise = {};                 ///< σ of each channel as the method saw it; empty: it did not
  std::vector<Matrix> factors = {};  ///< weight of each sample of each run; empty: all one
  MagnusOptions magnus = {};         ///< how the flow is integrated where A varies in time
  int iterations = 0;
  bool converged = false;
  bool stopped = false;  ///< ended early, by the observer

  /// A; at time zero where it varies.
  Matrix generator() const;
  /// x(t_k) in column k, from x₀ at the first time, by the steps that the fit takes between such times; as channels
  /// show them.
  Matrix propagate(const Vector& x0, const Vector& times) const;
};

}  // namespace lgn
