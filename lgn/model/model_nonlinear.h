#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "lgn/data/dataset.h"
#include "lgn/dynamics/nonlinear_structures.h"
#include "lgn/flow/input_course.h"
#include "lgn/physics/modes.h"

namespace lgn {

/// The nonlinear law ẋ = f(x; θ) + B u of a model, x counted from the model's offset.
struct ModelNonlinear {
  NonlinearRecipe recipe;
  std::shared_ptr<const NonlinearStructure> structure;
  Vector theta;       ///< zero where a term is not there
  Matrix covariance;  ///< of θ; empty where it is not known
  Index window = 0;   ///< samples that were predicted on from one initial state when it was fitted
  Matrix
      range;  ///< the least and the largest value of each state that was seen, two columns; empty: not known

  /// Where f = 0, with f linearised there; the first is what A of the model belongs to.
  struct Equilibrium {
    Vector state;
    Matrix a;
    std::vector<Mode> modes;
    bool stable = false;
  };
  std::vector<Equilibrium> equilibria;
  std::optional<TrappingBall> bound;  ///< of a lossless law, where there is one

  /// One term of the law: its place in ẋ, its function, its coefficient ± standard error (NaN: not known, 0: given).
  struct Term {
    Index state;
    Factors factors;
    double coefficient, error;
  };
  std::vector<Term> terms() const;
  /// B with the standard errors of its entries (empty: not known).
  Matrix gains() const { return structure->gains(theta); }
  Matrix gain_errors() const;
  /// x(t_k) in column k, from x(t_0) = x0, without inputs and with these.
  Matrix propagate(const Vector& x0, const Vector& times) const;
  Matrix propagate(const Vector& x0, const InputCourse& inputs) const;
  /// H of every column; nothing where no energy is known.
  std::optional<Vector> energies(const Matrix& states) const;
};

/// The law with its equilibria: that near zero, and those that Newton's steps find from these states (a column each). Modes
/// have standard errors where the covariance is known, for data of this duration.
ModelNonlinear describe_law(const NonlinearRecipe& recipe, const Vector& theta,
                            const Matrix& covariance, const Matrix& states,
                            const std::string& time_unit, double duration);

/// Positions and the velocities beside them, by name: v1 of q1 and v of q, else theta_rate of theta.
std::vector<std::string> with_rates(const std::vector<std::string>& positions);

/// "dv/dt = -1.000(2) q - 0.50(1) q^3 - 0.100(3) v + 1.00(1) u", one line for each state, names as given.
std::vector<std::string> law_lines(const ModelNonlinear& law,
                                   const std::vector<std::string>& states,
                                   const std::vector<std::string>& inputs);

}  // namespace lgn
