#include <fmt/format.h>

#include <cmath>

#include "lgn/core/number_text.h"
#include "lgn/design/design.h"
#include "lgn/model/json_writer_internal.h"
#include "lgn/model/model_file.h"

namespace lgn {
namespace {

std::string bound_word(DesignedValue::Bound bound) {
  return bound == DesignedValue::Bound::lower   ? "lower"
         : bound == DesignedValue::Bound::upper ? "upper"
                                                : "";
}

Json property_json(const DesignedProperty& property) {
  return {{"text", property.text},
          {"before", json_number(property.before)},
          {"after", json_number(property.after)},
          {"binding", property.binding},
          {"sensitivities", json_vector(property.sensitivities)}};
}

}  // namespace

std::string design_to_json(const Design& design) {
  Json values = Json::array(), targets = Json::array();
  for (const DesignedValue& value : design.values)
    values.push_back(
        {{"name", value.name},
         {"quantity", value.quantity},
         {"before", json_number(value.before)},
         {"after", json_number(value.after)},
         {"bounds", {json_number(value.low), json_number(value.high)}},
         {"at_bound", value.bound == DesignedValue::Bound::none ? Json(nullptr)
                                                                : Json(bound_word(value.bound))}});
  for (const DesignedProperty& target : design.targets) targets.push_back(property_json(target));
  const Json field = {{"values", values},
                      {"targets", targets},
                      {"objective",
                       {{"text", design.objective.text},
                        {"before", json_number(design.objective.before)},
                        {"after", json_number(design.objective.after)}}},
                      {"iterations", design.iterations},
                      {"starts", design.starts},
                      {"converged", design.converged}};
  std::string text = model_to_json(design.model);
  // One field a line, as the model's own; the text ends with "\n}\n".
  text.resize(text.size() - 3);
  return text + fmt::format(",\n  \"design\": {}\n}}\n",
                            field.dump(-1, ' ', false, Json::error_handler_t::replace));
}

std::string design_text(const Design& design) {
  std::size_t name = 5, target = 6;
  for (const auto& value : design.values) name = std::max(name, value.name.size());
  for (const auto& one : design.targets) target = std::max(target, one.text.size());
  target = std::max(target, design.objective.text.size());
  std::string text =
      fmt::format("{:<{}}  {:>12}  {:>12}  {:>8}\n", "value", name, "before", "after", "factor");
  const auto shorter = [](double x) { return fmt::format("{:.6g}", x); };
  for (const auto& value : design.values)
    text += fmt::format("{:<{}}  {:>12}  {:>12}  {:>8}{}\n", value.name, name,
                        shorter(value.before), shorter(value.after),
                        value.before != 0 ? fmt::format("{:.4g}", value.after / value.before) : "-",
                        value.bound == DesignedValue::Bound::none
                            ? ""
                            : fmt::format("  {} bound", bound_word(value.bound)));
  text += fmt::format("\n{:<{}}  {:>12}  {:>12}\n", "wanted", target, "before", "after");
  for (const auto& one : design.targets)
    text += fmt::format("{:<{}}  {:>12}  {:>12}{}\n", one.text, target, shorter(one.before),
                        shorter(one.after), one.binding ? "  binds" : "");
  text += fmt::format("{:<{}}  {:>12}  {:>12}\n", design.objective.text, target,
                      shorter(design.objective.before), shorter(design.objective.after));
  if (!design.converged)
    text += fmt::format(
        "\nThe search ended after {} before its steps became small: the targets hold, the objective "
        "could be a little better.\n",
        counted(design.iterations, "step"));
  return text;
}

}  // namespace lgn
