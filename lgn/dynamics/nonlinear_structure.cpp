#include "lgn/dynamics/nonlinear_structure.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>

#include "lgn/core/decompositions.h"
#include "lgn/core/gauss_newton.h"

namespace lgn {
namespace {

std::vector<Factors> functions_in(const std::vector<NonlinearStructure::Entry>& entries) {
  std::vector<Factors> result;
  for (const auto& entry : entries) result.push_back(times(entry.factors, {}));
  return result;
}

/// Π θ over the parameters, all but the one at `without`.
double product(const Vector& theta, const std::vector<Index>& parameters,
               std::size_t without = static_cast<std::size_t>(-1)) {
  double result = 1;
  for (std::size_t k = 0; k < parameters.size(); ++k)
    if (k != without) result *= theta[parameters[k]];
  return result;
}

/// f linearised at x = 0, the same at every time.
class LinearisedCourse final : public GeneratorCourse {
 public:
  LinearisedCourse(const NonlinearStructure& structure, const Vector& theta, Index times)
      : times_(times), parameters_(theta.size()) {
    const Index n = structure.dimension();
    generators_ = structure.linearisation(theta, Vector::Zero(n)).replicate(1, times);
    // Slopes of C carried to A: only functions with one factor left at zero count, which m's own slopes tell.
    const auto& functions = structure.functions().functions();
    const FactorValues zero = factor_values(Vector::Zero(n), structure.functions().angles());
    for (const auto& slope : structure.coefficient_slopes(theta))
      for (const auto& [state, coefficient, factors] :
           slopes_of(functions[static_cast<std::size_t>(slope.function)], n)) {
        double value = coefficient * slope.value;
        for (const int code : factors) value *= zero[code];
        if (value != 0) slopes_.push_back({slope.row, state, slope.parameter, value});
      }
  }

  const Matrix& generators() const override { return generators_; }
  Vector pullback(const Matrix& g) const override {
    const Index n = generators_.rows();
    Matrix sum = Matrix::Zero(n, n);
    for (Index k = 0; k < times_; ++k) sum += g.middleCols(k * n, n);
    return pullback_at(0, sum);
  }
  Matrix pullback_at(Index, const Matrix& g) const override {
    const Index n = generators_.rows(), count = g.cols() / n;
    Matrix result = Matrix::Zero(parameters_, count);
    for (const auto& [row, column, parameter, value] : slopes_)
      for (Index i = 0; i < count; ++i) result(parameter, i) += value * g(row, i * n + column);
    return result;
  }
  Matrix pushforward(const Vector& delta) const override {
    Matrix change = Matrix::Zero(generators_.rows(), generators_.rows());
    for (const auto& [row, column, parameter, value] : slopes_)
      change(row, column) += value * delta[parameter];
    return change.replicate(1, times_);
  }

 private:
  struct Slope {
    Index row, column, parameter;
    double value;
  };
  Index times_, parameters_;
  Matrix generators_;
  std::vector<Slope> slopes_;
};

class LinearisedStructure final : public SampledStructure {
 public:
  LinearisedStructure(const NonlinearStructure& structure, Index times)
      : structure_(structure), times_(times) {}
  std::unique_ptr<const GeneratorCourse> course(const Vector& theta) const override {
    return std::make_unique<LinearisedCourse>(structure_, theta, times_);
  }

 private:
  const NonlinearStructure& structure_;
  Index times_;
};

}  // namespace

NonlinearStructure::NonlinearStructure(std::string name, Index dimension,
                                       std::vector<Parameter> parameters,
                                       const std::vector<Entry>& entries,
                                       std::shared_ptr<const StateEnergy> energy)
    : name_(std::move(name)),
      parameters_(std::move(parameters)),
      functions_(dimension, functions_in(entries)),
      energy_(std::move(energy)) {
  for (const Entry& entry : entries)
    entries_.push_back({entry.row, functions_.find(times(entry.factors, {})), entry.coefficient,
                        entry.parameters});
}

std::shared_ptr<const NonlinearStructure> NonlinearStructure::driven(
    Index inputs, const std::vector<Index>& states) const {
  std::vector<Parameter> parameters = parameters_;
  std::vector<Entry> entries;
  for (const Place& place : entries_)
    entries.push_back({place.row, functions_.functions()[static_cast<std::size_t>(place.function)],
                       place.coefficient, place.parameters});
  constexpr double unbounded = -std::numeric_limits<double>::infinity();
  for (const Index row : states)
    for (Index input = 0; input < inputs; ++input) {
      entries.push_back(
          {row, {input_of(input, dimension())}, 1, {static_cast<Index>(parameters.size())}});
      parameters.push_back({fmt::format("B{},{}", row + 1, input + 1), unbounded, 0});
    }
  return std::make_shared<NonlinearStructure>(name_, dimension(), std::move(parameters), entries,
                                              energy_);
}

Matrix NonlinearStructure::gains(const Vector& theta) const {
  const Matrix c = coefficients(theta);
  Matrix result(dimension(), inputs());
  for (Index input = 0; input < inputs(); ++input) result.col(input) = c.col(input_function(input));
  return result;
}

Guarantee NonlinearStructure::guarantee() const {
  const bool promised = energy_ != nullptr;
  return {promised, promised, false, false};
}

std::vector<std::string> NonlinearStructure::parameter_names() const {
  std::vector<std::string> names;
  for (const Parameter& parameter : parameters_) names.push_back(parameter.name);
  return names;
}

Vector NonlinearStructure::lower_bounds() const {
  Vector result(parameters());
  for (Index k = 0; k < result.size(); ++k)
    result[k] = parameters_[static_cast<std::size_t>(k)].lower;
  return result;
}

Vector NonlinearStructure::start() const {
  Vector result(parameters());
  for (Index k = 0; k < result.size(); ++k)
    result[k] = parameters_[static_cast<std::size_t>(k)].start;
  return result;
}

std::vector<NamedValue> NonlinearStructure::named_values(const Vector& theta) const {
  std::vector<NamedValue> result;
  for (Index k = 0; k < theta.size(); ++k)
    result.push_back({parameters_[static_cast<std::size_t>(k)].name,
                      Matrix::Constant(1, 1, theta[k]), NamedValue::Shape::scalar});
  return result;
}

std::optional<Matrix> NonlinearStructure::energy(const Vector& theta) const {
  if (!energy_) return std::nullopt;
  // Differences of the exact gradient, odd in the step, so that the error is of its square.
  const Index n = dimension();
  constexpr double step = 1e-5;
  Matrix hessian(n, n);
  for (Index i = 0; i < n; ++i) {
    const Vector move = step * Vector::Unit(n, i);
    hessian.col(i) =
        (energy_->gradient(theta, move) - energy_->gradient(theta, -move)) / (2 * step);
  }
  return 0.5 * (hessian + hessian.transpose());
}

std::unique_ptr<const SampledStructure> NonlinearStructure::sample(const Vector& times) const {
  return std::make_unique<LinearisedStructure>(*this, times.size());
}

Matrix NonlinearStructure::coefficients(const Vector& theta) const {
  Matrix result = Matrix::Zero(dimension(), functions_.size());
  for (const Place& entry : entries_)
    result(entry.row, entry.function) += entry.coefficient * product(theta, entry.parameters);
  return result;
}

std::vector<NonlinearStructure::Slope> NonlinearStructure::coefficient_slopes(
    const Vector& theta) const {
  std::vector<Slope> result;
  for (const Place& entry : entries_)
    for (std::size_t k = 0; k < entry.parameters.size(); ++k) {
      const double value = entry.coefficient * product(theta, entry.parameters, k);
      if (value != 0) result.push_back({entry.row, entry.function, entry.parameters[k], value});
    }
  return result;
}

Vector NonlinearStructure::field(const Vector& theta, const Vector& x) const {
  return coefficients(theta) * functions_.values(x);
}

Matrix NonlinearStructure::linearisation(const Vector& theta, const Vector& x) const {
  return NonlinearField(*this, theta).jacobian(x);
}

Vector NonlinearStructure::project(const Matrix& coefficients_wanted) const {
  const auto residual = [&](const Vector& theta) {
    return Matrix(coefficients(theta) - coefficients_wanted);
  };
  SumOfSquares problem;
  problem.lower = lower_bounds();
  problem.freedom = static_cast<double>(coefficients_wanted.size());
  problem.cost = [&](const Vector& theta) { return residual(theta).squaredNorm(); };
  problem.model = [&](const Vector& theta) {
    Matrix jacobian = Matrix::Zero(coefficients_wanted.size(), parameters());
    for (const auto& slope : coefficient_slopes(theta))
      jacobian(slope.function * dimension() + slope.row, slope.parameter) += slope.value;
    return std::make_unique<DenseModel>(
        std::make_shared<const Matrix>(jacobian.transpose() * jacobian),
        jacobian.transpose() * residual(theta).reshaped());
  };
  GaussNewtonOptions options;
  options.tolerance = 0;
  options.max_iterations = 300;
  options.cost_tolerance = 1e-28 * coefficients_wanted.squaredNorm();
  return minimize_gauss_newton(problem, {start()}, options).state.x;
}

std::optional<Vector> NonlinearStructure::equilibrium(const Vector& theta,
                                                      const Vector& near) const {
  const NonlinearField field(*this, theta);
  Vector x = near;
  const double room = 1 + near.norm();
  for (int step = 0; step < 100; ++step) {
    const Vector f = field.value(x);
    if (!f.allFinite()) return {};
    const Vector move = solve_minimum_norm(field.jacobian(x), f);
    // Far steps say that the linear model does not hold there.
    const double length = std::min(1.0, room / std::max(1e-300, move.norm()));
    x -= length * move;
    if (length == 1 && move.norm() <= 1e-13 * (1 + x.norm())) return x;
  }
  return {};
}

NonlinearField::NonlinearField(const NonlinearStructure& structure, const Vector& theta,
                               std::vector<Index> moving)
    : structure_(structure), theta_(theta), moving_(std::move(moving)) {
  const Index n = structure.dimension();
  const auto& functions = structure.functions().functions();
  const Matrix c = structure.coefficients(theta);
  for (Index function = 0; function < c.cols(); ++function) {
    const Factors& factors = functions[static_cast<std::size_t>(function)];
    for (Index row = 0; row < n; ++row) {
      if (c(row, function) == 0) continue;
      add(value_, row, 0, c(row, function), factors);
      for (const auto& [state, coefficient, rest] : slopes_of(factors, n))
        add(jacobian_, row, state, coefficient * c(row, function), rest);
    }
  }
  if (moving_.empty()) return;
  std::vector<Index> place(static_cast<std::size_t>(theta.size()), -1);
  for (std::size_t k = 0; k < moving_.size(); ++k)
    place[static_cast<std::size_t>(moving_[k])] = static_cast<Index>(k);
  std::map<std::array<Index, 3>, double> merged;
  for (const auto& slope : structure.coefficient_slopes(theta))
    if (const Index k = place[static_cast<std::size_t>(slope.parameter)]; k >= 0)
      merged[{slope.function, slope.row, k}] += slope.value;
  for (const auto& [at, value] : merged)
    add(parameter_, at[1], at[2], value, functions[static_cast<std::size_t>(at[0])]);
}

void NonlinearField::add(std::vector<Term>& terms, Index row, Index column, double coefficient,
                         const Factors& factors) {
  terms.push_back({row, column, coefficient, factors_.size(), factors.size()});
  factors_.insert(factors_.end(), factors.begin(), factors.end());
}

double NonlinearField::evaluate(const Term& term, const FactorValues& z) const {
  double result = term.coefficient;
  for (std::size_t k = term.first; k < term.first + term.count; ++k) result *= z[factors_[k]];
  return result;
}

void NonlinearField::value(const Eigen::Ref<const Vector>& x, const Eigen::Ref<const Vector>& u,
                           Eigen::Ref<Vector> f) const {
  const FactorValues z = structure_.functions().factors_at(x, u);
  f.setZero();
  for (const Term& term : value_) f[term.row] += evaluate(term, z);
}

Vector NonlinearField::value(const Eigen::Ref<const Vector>& x,
                             const Eigen::Ref<const Vector>& u) const {
  Vector f(dimension());
  value(x, u, f);
  return f;
}

Matrix NonlinearField::jacobian(const Eigen::Ref<const Vector>& x) const {
  const FactorValues z = factor_values(x, structure_.functions().angles());
  Matrix result = Matrix::Zero(dimension(), dimension());
  for (const Term& term : jacobian_) result(term.row, term.column) += evaluate(term, z);
  return result;
}

Matrix NonlinearField::parameter_jacobian(const Eigen::Ref<const Vector>& x,
                                          const Eigen::Ref<const Vector>& u) const {
  const FactorValues z = structure_.functions().factors_at(x, u);
  Matrix result = Matrix::Zero(dimension(), parameters());
  for (const Term& term : parameter_) result(term.row, term.column) += evaluate(term, z);
  return result;
}

}  // namespace lgn
