#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "lgn/dynamics/state_functions.h"
#include "lgn/dynamics/structure.h"

namespace lgn {

/// H(x; θ) ≥ 0 that cannot grow along ẋ = f(x; θ), for every θ of its structure and every x.
class StateEnergy {
 public:
  virtual ~StateEnergy() = default;
  virtual double value(const Vector& theta, const Eigen::Ref<const Vector>& x) const = 0;
  virtual Vector gradient(const Vector& theta, const Eigen::Ref<const Vector>& x) const = 0;
  /// Whether it is ½ xᵀQx, which no collocation at Gauss points lets grow, however long its steps.
  virtual bool quadratic() const { return false; }
};

/// The structure of a nonlinear law, ẋ = C(θ) m(x, u): m are products of states, their sines and cosines, or inputs, and
///     C_row,function = Σ coefficient · Π θ_parameter
/// a polynomial in θ whose image has a guarantee: where there is an energy H, ∇H·f ≤ 0 for every θ above its bounds and
/// every x. With inputs, ẋ = f(x; θ) + B u, the energy grows by no more than their work: dH/dt ≤ ∇H·B u. All derivatives are exact.
/// What a linear model knows as A is f linearised at x = 0.
///
/// Laws, checked for every one by one test suite: ∂f/∂x and ∂f/∂θ are those of f, the energy does not grow at random θ and
/// x, projecting twice is projecting once.
class NonlinearStructure final : public Structure {
 public:
  struct Parameter {
    std::string name;
    double lower;  ///< −∞ where any value will do
    double start;
    /// Whether it is a scale of the energy: always there, positive, and sometimes a matter of choice.
    bool scale = false;
  };
  /// C_row,function += coefficient · Π θ over `parameters`, which may repeat.
  struct Entry {
    Index row;
    Factors factors;
    double coefficient;
    std::vector<Index> parameters;
  };
  /// ∂C_row,function/∂θ_parameter.
  struct Slope {
    Index row, function, parameter;
    double value;
  };

  /// `energy` may be null: nothing is promised then.
  NonlinearStructure(std::string name, Index dimension, std::vector<Parameter> parameters,
                     const std::vector<Entry>& entries,
                     std::shared_ptr<const StateEnergy> energy = nullptr);

  std::string name() const override { return name_; }
  Index dimension() const override { return functions_.dimension(); }
  /// Re λ ≤ 0 at a minimum of the energy, which never grows.
  Guarantee guarantee() const override;
  Index parameters() const override { return static_cast<Index>(parameters_.size()); }
  std::vector<std::string> parameter_names() const override;
  Vector lower_bounds() const override;
  std::vector<NamedValue> named_values(const Vector& theta) const override;
  /// The Hessian of the energy at x = 0.
  std::optional<Matrix> energy(const Vector& theta) const override;
  bool common_unit() const override { return false; }
  std::unique_ptr<const SampledStructure> sample(const Vector& times) const override;

  /// The same law with inputs, the gain of each on each of these states a parameter of its own, unbounded.
  std::shared_ptr<const NonlinearStructure> driven(Index inputs,
                                                   const std::vector<Index>& states) const;
  Index inputs() const { return functions_.inputs(); }
  /// The function that is input u_j, in the columns of C.
  Index input_function(Index input) const {
    return functions_.find({input_of(input, dimension())});
  }
  /// B, n × inputs.
  Matrix gains(const Vector& theta) const;

  const std::vector<Parameter>& parameter_list() const { return parameters_; }
  const StateFunctions& functions() const { return functions_; }
  /// Null where no energy is known.
  const StateEnergy* state_energy() const { return energy_.get(); }
  /// θ to start from.
  Vector start() const;

  /// C(θ), n × functions.
  Matrix coefficients(const Vector& theta) const;
  /// ∂C/∂θ where it is not zero; places may repeat.
  std::vector<Slope> coefficient_slopes(const Vector& theta) const;
  /// f(x; θ) and ∂f/∂x, inputs zero. For many x at one θ take a NonlinearField.
  Vector field(const Vector& theta, const Vector& x) const;
  Matrix linearisation(const Vector& theta, const Vector& x) const;

  /// θ above its bounds for which C(θ) is nearest to `coefficients`, or near it; of C itself where it is C(θ).
  Vector project(const Matrix& coefficients) const;
  /// Where f = 0 near x, by Newton's steps; nothing where they lead nowhere.
  std::optional<Vector> equilibrium(const Vector& theta, const Vector& near) const;

 private:
  friend class NonlinearField;
  struct Place {
    Index row, function;
    double coefficient;
    std::vector<Index> parameters;
  };
  std::string name_;
  std::vector<Parameter> parameters_;
  StateFunctions functions_;
  std::vector<Place> entries_;
  std::shared_ptr<const StateEnergy> energy_;
};

/// f(x; θ) + B u at one θ, compiled: terms that are zero cost nothing. O(terms) for each x. Without u inputs are zero. The structure
/// must outlive it.
class NonlinearField {
 public:
  /// `moving`: the parameters by which derivatives are taken, in this order.
  NonlinearField(const NonlinearStructure& structure, const Vector& theta,
                 std::vector<Index> moving = {});

  const NonlinearStructure& structure() const { return structure_; }
  const Vector& theta() const { return theta_; }
  Index dimension() const { return structure_.dimension(); }
  /// Parameters that move.
  Index parameters() const { return static_cast<Index>(moving_.size()); }
  const std::vector<Index>& moving() const { return moving_; }

  Vector value(const Eigen::Ref<const Vector>& x,
               const Eigen::Ref<const Vector>& u = Vector()) const;
  /// The same into `f`, without memory of its own.
  void value(const Eigen::Ref<const Vector>& x, const Eigen::Ref<const Vector>& u,
             Eigen::Ref<Vector> f) const;
  /// ∂f/∂x, n × n, whatever the inputs are.
  Matrix jacobian(const Eigen::Ref<const Vector>& x) const;
  /// ∂/∂θ of the moving parameters, n × p.
  Matrix parameter_jacobian(const Eigen::Ref<const Vector>& x,
                            const Eigen::Ref<const Vector>& u = Vector()) const;

 private:
  /// coefficient · Π of count factors from `first` on, at this place.
  struct Term {
    Index row, column;
    double coefficient;
    std::size_t first, count;
  };
  void add(std::vector<Term>& terms, Index row, Index column, double coefficient,
           const Factors& factors);
  double evaluate(const Term& term, const FactorValues& z) const;

  const NonlinearStructure& structure_;
  Vector theta_;
  std::vector<Index> moving_;
  std::vector<int> factors_;
  std::vector<Term> value_, jacobian_, parameter_;
};

}  // namespace lgn
