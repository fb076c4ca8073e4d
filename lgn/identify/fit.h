#pragma once

#include <Eigen/SparseCore>
#include <memory>
#include <string>
#include <vector>

#include "lgn/data/dataset.h"
#include "lgn/flow/flow.h"
#include "lgn/flow/innovation.h"
#include "lgn/flow/input_course.h"
#include "lgn/flow/propagate.h"

namespace lgn {

/// Rows of few numbers, many of them.
using SparseRows = Eigen::SparseMatrix<double, Eigen::RowMajor>;

/// What a fit knows about its errors that is found without the information of all of θ.
struct FitErrors {
  SparseRows root;                    ///< R with R Rᵀ the covariance of θ
  Vector offset;                      ///< standard errors of ȳ
  double widening = 1, distance = 0;  ///< as in ErrorRoot (correlated_residuals.h)
};

/// A structure fitted to data: its parameters, and what was estimated with them.
struct Fit {
  std::shared_ptr<const Structure> structure;
  std::string method = {};  ///< closed-form, mle or adam: what was done
  Vector theta = {};
  /// One column per run; as channels show them, offset included, where each channel is a state.
  Matrix initial_states = {};
  Vector offset = {};                ///< ȳ, what channels show at rest; empty: zero
  Drive drive = {};                  ///< B, D and how inputs act; empty without inputs
  Innovation innovation = {};        ///< K and what it belongs to; empty where noise is white
  Vector noise = {};                 ///< σ of each channel as the method saw it; empty: it did not
  std::vector<Matrix> factors = {};  ///< weight of each sample of each run; empty: all one
  MagnusOptions magnus = {};         ///< how the flow is integrated where A varies in time
  int iterations = 0;
  bool converged = false;
  bool stopped = false;                               ///< ended early, by the observer
  std::shared_ptr<const FitErrors> errors = nullptr;  ///< null: the information of θ says them

  /// A; at time zero where it varies.
  Matrix generator() const;
  /// What channels show at t_k in column k, from x₀ at the first time, by the steps that the fit takes between such times;
  /// under inputs with a column for each time, where the fit has inputs.
  Matrix propagate(const Vector& x0, const Vector& times, const Matrix& inputs = {}) const;
  /// The same as a function, which must not outlive the fit.
  Propagator propagator() const {
    return [this](const Vector& x0, const Vector& times, const Matrix& inputs) {
      return propagate(x0, times, inputs);
    };
  }
  /// How many unknowns were estimated besides θ and initial states: entries of ȳ and K, and of B (but those that are zero) and D
  /// where θ does not say them.
  Index shared_unknowns() const {
    return offset.size() + innovation.k.size() +
           (structure->ports() != nullptr ? 0 : (drive.b.array() != 0).count() + drive.d.size());
  }
};

}  // namespace lgn
