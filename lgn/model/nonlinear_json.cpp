#include <fmt/format.h>

#include "lgn/model/nonlinear_json_internal.h"

namespace lgn {
namespace {

Json law_json(const NonlinearRecipe& recipe) {
  const MechanicalTerms& m = recipe.mechanical;
  return {{"name", recipe.name},      {"states", recipe.states}, {"degree", recipe.degree},
          {"springs", m.springs},     {"dampers", m.dampers},    {"angles", m.angles},
          {"couplings", m.couplings}, {"inputs", recipe.inputs}};
}

std::vector<Index> whole_numbers(const JsonReader& in, const char* name, Index least, Index most) {
  const auto list = in.get<std::vector<Index>>(name, "a list of whole numbers");
  for (const Index value : list)
    if (value < least || value > most) in.fail(name, fmt::format("has the number {}", value));
  return list;
}

NonlinearRecipe read_law(const JsonReader& in, Index states) {
  NonlinearRecipe recipe;
  recipe.name = in.text("name");
  recipe.states = in.whole("states");
  recipe.degree = in.whole("degree");
  if (recipe.states != states) in.fail("states", fmt::format("is not {}", states));
  recipe.mechanical = {whole_numbers(in, "springs", 2, 8), whole_numbers(in, "dampers", 1, 7),
                       whole_numbers(in, "angles", 0, states / 2 - 1),
                       in.get<bool>("couplings", "true or false")};
  for (const Index power : recipe.mechanical.dampers)
    if (power % 2 == 0) in.fail("dampers", "has an even power");
  if (!in.optional("inputs").is_null()) recipe.inputs = in.whole("inputs");
  return recipe;
}

}  // namespace

Json nonlinear_to_json(const ModelNonlinear& law, const std::vector<std::string>& states,
                       const std::vector<std::string>& inputs) {
  Json terms = Json::array(), equilibria = Json::array();
  for (const auto& [state, factors, coefficient, error] : law.terms())
    terms.push_back({{"state", states[static_cast<std::size_t>(state)]},
                     {"function", text_of(factors, states, inputs)},
                     {"coefficient", json_number(coefficient)},
                     {"se", json_number(error)}});
  for (const auto& rest : law.equilibria) {
    Json modes = Json::array();
    for (const Mode& mode : rest.modes)
      modes.push_back({{"re", json_number(mode.pole.real())},
                       {"im", json_number(mode.pole.imag())},
                       {"frequency_hz", json_number(mode.frequency_hz)},
                       {"damping_ratio", json_number(mode.damping_ratio)},
                       {"se", mode.se ? Json{{"re", json_number(mode.se->re)},
                                             {"im", json_number(mode.se->im)},
                                             {"frequency_hz", json_number(mode.se->frequency_hz)},
                                             {"damping_ratio", json_number(mode.se->damping_ratio)}}
                                      : Json(nullptr)}});
    equilibria.push_back(
        {{"state", json_vector(rest.state)}, {"stable", rest.stable}, {"modes", modes}});
  }
  return {{"law", law_json(law.recipe)},
          {"formula", law_lines(law, states, inputs)},
          {"names", law.structure->parameter_names()},
          {"theta", json_vector(law.theta)},
          {"covariance", law.covariance.size() > 0 ? json_rows(law.covariance) : Json(nullptr)},
          {"terms", terms},
          {"equilibria", equilibria},
          {"window", law.window},
          {"range", law.range.size() > 0 ? json_rows(law.range) : Json(nullptr)},
          {"bound", law.bound ? Json{{"centre", json_vector(law.bound->centre)},
                                     {"metric", json_rows(law.bound->metric)},
                                     {"rate", json_number(law.bound->rate)},
                                     {"radius", json_number(law.bound->radius)}}
                              : Json(nullptr)}};
}

ModelNonlinear nonlinear_from_json(const JsonReader& in, Index states, Index inputs,
                                   const std::string& time_unit) {
  const NonlinearRecipe recipe = read_law(in.object("law"), states);
  if (recipe.inputs != inputs)
    in.fail("law", fmt::format("has {} inputs, the model {}", recipe.inputs, inputs));
  std::shared_ptr<const NonlinearStructure> structure;
  try {
    structure = build_nonlinear(recipe);
  } catch (const Error& error) {
    in.fail("law", "is none: " + error.problem());
  }
  const Index p = structure->parameters();
  const Vector theta = in.finite_numbers("theta", p);
  if (in.get<std::vector<std::string>>("names", "a list of names") != structure->parameter_names())
    in.fail("names", "are not those of the law");
  const Vector lower = structure->lower_bounds();
  for (Index k = 0; k < p; ++k)
    if (theta[k] < lower[k])
      in.fail("theta",
              fmt::format("has {} below its bound {}",
                          structure->parameter_names()[static_cast<std::size_t>(k)], lower[k]));
  const Matrix covariance = in.raw("covariance").is_null() ? Matrix() : in.rows("covariance", p, p);
  // The places of rest that were found are where to look for them.
  const auto known = in.objects("equilibria");
  Matrix near(states, static_cast<Index>(known.size()) + 1);
  near.setZero();
  for (std::size_t k = 0; k < known.size(); ++k)
    near.col(static_cast<Index>(k)) = known[k].finite_numbers("state", states);
  ModelNonlinear law = describe_law(recipe, theta, covariance,
                                    near.isZero(0) ? Matrix::Ones(states, 1) : near, time_unit, 0);
  law.window = in.whole("window");
  law.range = in.optional("range").is_null() ? Matrix() : in.rows("range", states, 2);
  return law;
}

}  // namespace lgn
