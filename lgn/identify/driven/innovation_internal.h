#pragma once

// Shared by the searches for innovations forms; not installed.

#include <memory>
#include <vector>

#include "lgn/identify/driven/prediction_errors.h"
#include "lgn/identify/fit_options.h"

namespace lgn::innovation_internal {

/// A place to start, and what it costs.
struct Start {
  std::shared_ptr<const PredictionErrors> problem;
  Vector psi;
  double misfit = 0;
};

/// The part of channels that counts as explained, squared.
Vector floor_of(const Dataset& data);

/// W with WᵀW = S⁻¹; what is below `floor` (a variance for each channel) counts as that.
Matrix whitening(const Matrix& covariance, const Vector& floor);

/// log det of the covariance with its floor.
double log_determinant(const Matrix& covariance, const Vector& floor);

/// Takes unknowns out of the quadratic model.
void hold_unknowns(PredictionErrors::Normal& normal, const std::vector<Index>& held);

/// Steps from a start to the largest likelihood, with the covariance of e at its best. Unknowns that are held stay as they are.
Fit search(const Start& start, const Dataset& data, const FitOptions& options, double tolerance,
           const std::vector<Index>& held = {});

}  // namespace lgn::innovation_internal
