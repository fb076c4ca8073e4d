#include "lgn/model/model_nonlinear.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "lgn/core/decompositions.h"
#include "lgn/flow/collocation.h"
#include "lgn/physics/uncertainty.h"

namespace lgn {
namespace {

/// R with R Rᵀ = A for a symmetric positive semidefinite A.
Matrix semidefinite_root(const Matrix& a) {
  const SymmetricEigen eigen = symmetric_eigen(a);
  return eigen.vectors * eigen.values.cwiseMax(0.0).cwiseSqrt().asDiagonal();
}

/// ∂A/∂θ_q below one another where A is f linearised at its equilibrium, which moves with θ; by differences of a millionth of
/// each parameter.
Matrix linearised_directions(const NonlinearStructure& structure, const Vector& theta,
                             const Vector& state) {
  const Index n = structure.dimension(), p = theta.size();
  Matrix result = Matrix::Zero(p * n, n);
  const auto at = [&](const Vector& moved) {
    const auto rest = structure.equilibrium(moved, state);
    return structure.linearisation(moved, rest ? *rest : state);
  };
  for (Index q = 0; q < p; ++q) {
    if (theta[q] == 0) continue;
    const double step = 1e-6 * std::abs(theta[q]);
    Vector up = theta, down = theta;
    up[q] += step;
    down[q] -= step;
    result.middleRows(q * n, n) = (at(up) - at(down)) / (2 * step);
  }
  return result;
}

ModelNonlinear::Equilibrium describe_equilibrium(const ModelNonlinear& law, const Vector& state,
                                                 const std::string& time_unit, double duration) {
  ModelNonlinear::Equilibrium result;
  result.state = state;
  result.a = law.structure->linearisation(law.theta, state);
  result.modes = find_modes(result.a, {}, time_unit);
  result.stable = true;
  const double size = result.a.norm();
  for (const Mode& mode : result.modes)
    result.stable = result.stable && mode.pole.real() <= 1e-9 * size;
  if (law.covariance.size() > 0) {
    const Matrix root = semidefinite_root(law.covariance);
    set_errors(
        result.modes,
        pole_covariances(result.a, {Matrix::Identity(root.rows(), root.rows()),
                                    linearised_directions(*law.structure, law.theta, state), root}),
        duration, 1);
  }
  return result;
}

}  // namespace

std::vector<ModelNonlinear::Term> ModelNonlinear::terms() const {
  const Matrix c = structure->coefficients(theta);
  const Index functions = c.cols(), n = c.rows();
  Matrix slopes = Matrix::Zero(c.size(), theta.size());
  for (const auto& slope : structure->coefficient_slopes(theta))
    slopes(slope.function * n + slope.row, slope.parameter) += slope.value;
  std::vector<Term> result;
  for (Index row = 0; row < n; ++row)
    for (Index function = 0; function < functions; ++function) {
      if (c(row, function) == 0) continue;
      const Vector slope = slopes.row(function * n + row);
      double error = std::nan("");
      if (covariance.size() > 0) error = std::sqrt(std::max(0.0, slope.dot(covariance * slope)));
      if (slope.isZero(0)) error = 0;
      result.push_back({row, structure->functions().functions()[static_cast<std::size_t>(function)],
                        c(row, function), error});
    }
  return result;
}

Matrix ModelNonlinear::gain_errors() const {
  if (covariance.size() == 0) return {};
  // Each gain is a parameter of its own.
  Matrix result = Matrix::Zero(structure->dimension(), structure->inputs());
  for (const auto& slope : structure->coefficient_slopes(theta))
    for (Index input = 0; input < result.cols(); ++input)
      if (slope.function == structure->input_function(input))
        result(slope.row, input) =
            std::sqrt(std::max(0.0, covariance(slope.parameter, slope.parameter)));
  return result;
}

Matrix ModelNonlinear::propagate(const Vector& x0, const Vector& times) const {
  return propagate(x0, no_inputs(times));
}

Matrix ModelNonlinear::propagate(const Vector& x0, const InputCourse& inputs) const {
  return lgn::propagate(NonlinearField(*structure, theta), x0, inputs);
}

std::optional<Vector> ModelNonlinear::energies(const Matrix& states) const {
  const StateEnergy* energy = structure->state_energy();
  if (energy == nullptr) return {};
  Vector result(states.cols());
  for (Index k = 0; k < states.cols(); ++k) result[k] = energy->value(theta, states.col(k));
  return result;
}

ModelNonlinear describe_law(const NonlinearRecipe& recipe, const Vector& theta,
                            const Matrix& covariance, const Matrix& states,
                            const std::string& time_unit, double duration) {
  ModelNonlinear law;
  law.recipe = recipe;
  law.structure = build_nonlinear(recipe);
  law.theta = theta;
  law.covariance = covariance;
  const Index n = law.structure->dimension();
  // Samples that are missing are no numbers.
  law.range.resize(n, 2);
  for (Index i = 0; i < n; ++i)
    law.range.row(i) << states.row(i).minCoeff<Eigen::PropagateNumbers>(),
        states.row(i).maxCoeff<Eigen::PropagateNumbers>();
  if (!law.range.allFinite()) law.range.resize(0, 0);
  // Beyond twice what was seen, an equilibrium says nothing.
  const double reach = 2 * states.colwise().norm().maxCoeff();
  std::vector<Vector> found;
  constexpr std::size_t most = 8;
  const auto look = [&](const Vector& near) {
    const auto rest = law.structure->equilibrium(theta, near);
    if (!rest || rest->norm() > reach || found.size() >= most) return;
    for (const Vector& other : found)
      if ((other - *rest).norm() <= 1e-6 * (reach + other.norm())) return;
    found.push_back(*rest);
  };
  look(Vector::Zero(n));
  const Index stride = std::max<Index>(1, states.cols() / 50);
  for (Index k = 0; k < states.cols(); k += stride)
    if (states.col(k).allFinite()) look(states.col(k));
  // A law without a place of rest is linearised at zero.
  if (found.empty()) found.emplace_back(Vector::Zero(n));
  for (const Vector& state : found)
    law.equilibria.push_back(describe_equilibrium(law, state, time_unit, duration));
  if (recipe.name == "lossless") law.bound = certified_bound(*law.structure, theta);
  return law;
}

std::vector<std::string> with_rates(const std::vector<std::string>& positions) {
  std::vector<std::string> names = positions;
  for (const std::string& position : positions) {
    const bool numbered =
        position.front() == 'q' && std::all_of(position.begin() + 1, position.end(),
                                               [](char c) { return c >= '0' && c <= '9'; });
    names.push_back(numbered ? "v" + position.substr(1) : position + "_rate");
  }
  return names;
}

std::vector<std::string> law_lines(const ModelNonlinear& law,
                                   const std::vector<std::string>& states,
                                   const std::vector<std::string>& inputs) {
  std::vector<std::string> lines;
  for (const std::string& name : states) lines.push_back(fmt::format("d{}/dt =", name));
  std::vector<bool> any(states.size(), false);
  for (const auto& [state, factors, coefficient, error] : law.terms()) {
    const auto at = static_cast<std::size_t>(state);
    std::string& line = lines[at];
    const double size = std::abs(coefficient);
    line += coefficient < 0 ? " -" : any[at] ? " +" : "";
    std::string number;
    if (error > 0 && std::isfinite(error)) {
      // The error in units of its two first digits: 0.500(12).
      const int decimals = std::clamp(1 - static_cast<int>(std::floor(std::log10(error))), 0, 12);
      number = fmt::format("{:.{}f}({:.0f})", size, decimals, error * std::pow(10.0, decimals));
    } else if (size != 1 || factors.empty()) {
      number = fmt::format("{:.6g}", size);
    }
    if (!number.empty()) line += " " + number;
    if (!factors.empty()) line += " " + text_of(factors, states, inputs);
    any[at] = true;
  }
  for (std::size_t k = 0; k < lines.size(); ++k)
    if (!any[k]) lines[k] += " 0";
  return lines;
}

}  // namespace lgn
