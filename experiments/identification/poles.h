#pragma once

#include "lgn/data/dataset.h"
#include "lgn/dynamics/modal.h"
#include "lgn/dynamics/structure.h"
#include "lgn/identify/likelihood/problem.h"
#include "lgn/model/model.h"
#include "lgn/physics/uncertainty.h"

namespace lgn::studies {

/// Eigenvalues of a model beside the true ones, paired by the least total |Δλ|.
struct PoleErrors {
  ComplexVector truth;
  Vector absolute;  ///< |Δλ|, in the order of truth
  Vector relative;  ///< |Δλ|/|λ|
};
PoleErrors compare_poles(const Matrix& found, const Matrix& truth);

/// Re λ in ascending order: what the paper compares, blind to frequencies.
Vector sorted_real_parts(const Matrix& a);

/// E|z| of a complex z whose parts are normal with mean zero and this covariance.
///
/// With eigenvalues s₁² ≥ s₂² of the covariance, E|z| = s₁ √(2/π) E(k), k² = 1 − s₂²/s₁², where E is
/// the complete elliptic integral of the second kind: in polar coordinates the radial integral leaves
/// the mean of √(s₁² cos²φ + s₂² sin²φ) over a turn, times √(π/2).
double expected_modulus(const Eigen::Matrix2d& covariance);

/// Covariances of the poles, sorted as eigenvalues() are, of an estimator at the Cramér–Rao bound in a
/// structure that holds the truth, with noise of size sigma and unknown starts. `exact`: the data
/// without noise, gaps marked.
PoleCovariances least_covariances(const ConstantStructure& structure, const Matrix& truth,
                                  const Dataset& exact, double sigma);

/// The mean of |Δλ|/|λ| over modes that an estimator at the Cramér–Rao bound has in structure sd, with
/// noise of size sigma and unknown starts.
double pole_error_bound(const Matrix& truth, const Dataset& exact, double sigma);

/// The same of hidden states, seen through the true C with noise of these sizes; `how`: what else is estimated.
double modal_error_bound(const ModalSystem& truth, const Dataset& exact, const Vector& sigma,
                         const ProblemOptions& how);

/// Modes that have errors, and those whose intervals hold the true frequency and damping ratio; pairs count once.
struct IntervalCoverage {
  double modes = 0, frequency = 0, damping = 0;
};
IntervalCoverage interval_coverage(const Model& model, const ComplexVector& truth);

/// The poles of a model's modes.
ComplexVector poles_of(const Model& model);

}  // namespace lgn::studies
