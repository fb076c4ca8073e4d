#include "lgn/dynamics/nonlinear_systems.h"

#include <fmt/format.h>

#include <algorithm>

#include "lgn/core/error.h"
#include "lgn/core/setting.h"

namespace lgn {
namespace {

/// θ of a structure by the names of its parameters; zero for the others, one for scales.
Vector named_theta(const NonlinearStructure& structure,
                   const std::vector<std::pair<std::string, double>>& values) {
  Vector theta = structure.start();
  const auto names = structure.parameter_names();
  for (const auto& [name, value] : values)
    theta[std::find(names.begin(), names.end(), name) - names.begin()] = value;
  return theta;
}

/// θ of a structure by its coefficients.
struct Coefficient {
  Index row;
  Factors factors;
  double value;
};
Vector projected_theta(const NonlinearStructure& structure,
                       const std::vector<Coefficient>& coefficients) {
  Matrix c = Matrix::Zero(structure.dimension(), structure.functions().size());
  for (const auto& [row, factors, value] : coefficients)
    c(row, structure.functions().find(factors)) = value;
  return structure.project(c);
}

KnownLaw law_of(const NonlinearRecipe& recipe, std::vector<std::string> channels,
                const std::vector<std::pair<std::string, double>>& values) {
  return {recipe, named_theta(*build_nonlinear(recipe), values), std::move(channels)};
}

KnownLaw duffing_chain(Index masses, double omega, double gamma, double beta) {
  const NonlinearRecipe recipe{"nonlinear-mechanical", 2 * masses};
  std::vector<std::pair<std::string, double>> values;
  std::vector<std::string> channels;
  const auto spring = [&](const std::string& between) {
    values.emplace_back("k" + between, omega * omega);
    values.emplace_back("k" + between + "^3", beta);
  };
  for (Index i = 1; i <= masses; ++i) {
    if (i < masses) spring(fmt::format("{}-{}", i, i + 1));
    values.emplace_back(fmt::format("c{}", i), gamma);
    channels.push_back(fmt::format("q{}", i));
  }
  spring("1");
  if (masses > 1) spring(fmt::format("{}", masses));
  for (Index i = 1; i <= masses; ++i) channels.push_back(fmt::format("v{}", i));
  return law_of(recipe, channels, values);
}

}  // namespace

KnownLaw with_input(KnownLaw law, const Vector& gain) {
  law.recipe.inputs = 1;
  const auto structure = build_nonlinear(law.recipe);
  const Index known = law.theta.size();
  law.theta.conservativeResize(structure->parameters());
  // Of each gain alone: the place in B that its parameter has.
  for (Index k = known; k < law.theta.size(); ++k)
    law.theta[k] = structure->gains(Vector::Unit(law.theta.size(), k)).col(0).dot(gain);
  return law;
}

const std::vector<std::string>& known_law_names() {
  static const std::vector<std::string> names{"duffing",    "pendulum", "saturating-rlc",
                                              "rigid-body", "lorenz",   "duffing-chain",
                                              "van-der-pol"};
  return names;
}

KnownLaw known_law(const std::string& name, double omega, double gamma, double beta, Index masses) {
  if (!(omega >= 0) || !(gamma >= 0) || !(beta >= 0))
    throw Error(fmt::format("{}, {} and {} must not be negative", setting("omega"),
                            setting("gamma"), setting("nonlinearity")));
  constexpr Index most_masses = 10;
  if (masses < 1 || masses > most_masses)
    throw Error(fmt::format("{} must be from 1 to {}", setting("masses"), most_masses));
  const double stiffness = omega * omega;
  if (name == "duffing") return duffing_chain(1, omega, gamma, beta);
  if (name == "duffing-chain") return duffing_chain(masses, omega, gamma, beta);
  if (name == "pendulum") {
    const MechanicalTerms terms{{2, 4}, {1, 3}, {0}, true};
    KnownLaw law = law_of({"nonlinear-mechanical", 2, 0, terms}, {"theta", "v"},
                          {{"k1 sin", stiffness}, {"c1", gamma}});
    law.start_size = 1.3;
    return law;
  }
  if (name == "saturating-rlc")
    return law_of({"storage", 2}, {"q", "i"},
                  {{"S1,2", stiffness},
                   {"d2", gamma * stiffness},
                   {"a2", beta},
                   {"q2", 1 / std::max(stiffness, 1e-12)}});
  if (name == "rigid-body") {
    const NonlinearRecipe recipe{"gyro", 3, 2};
    const Vector inertia = Eigen::Vector3d(1, 2, 3), friction = Eigen::Vector3d(0.2, 0.5, 0.3);
    std::vector<Coefficient> all;
    for (int i = 0; i < 3; ++i) {
      const int j = (i + 1) % 3, k = (i + 2) % 3;
      all.push_back({i, times({j}, {k}), (inertia[j] - inertia[k]) / inertia[i]});
      all.push_back({i, {i}, -gamma * friction[i] / inertia[i]});
    }
    return {recipe, projected_theta(*build_nonlinear(recipe), all), {"w1", "w2", "w3"}, 1.5};
  }
  if (name == "lorenz") {
    const NonlinearRecipe recipe{"lossless", 3};
    const double sigma = 10, rho = 28, decay = 8.0 / 3;
    const Vector theta = projected_theta(*build_nonlinear(recipe), {{0, {0}, -sigma},
                                                                    {0, {1}, sigma},
                                                                    {1, {0}, rho},
                                                                    {1, {1}, -1},
                                                                    {1, {0, 2}, -1},
                                                                    {2, {2}, -decay},
                                                                    {2, {0, 1}, 1}});
    return {recipe, theta, {"x", "y", "z"}, 8};
  }
  if (name == "van-der-pol") {
    const NonlinearRecipe recipe{"polynomial", 2, 3};
    const Vector theta = projected_theta(
        *build_nonlinear(recipe),
        {{0, {1}, 1}, {1, {0}, -stiffness}, {1, {1}, gamma}, {1, {0, 0, 1}, -gamma}});
    return {recipe, theta, {"q", "v"}, 1};
  }
  throw Error(fmt::format("unknown nonlinear system \"{}\"", name),
              fmt::format("they are {}", fmt::join(known_law_names(), ", ")));
}

}  // namespace lgn
