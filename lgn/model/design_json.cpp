#include "lgn/model/design_json_internal.h"
#include "lgn/model/json_writer_internal.h"

namespace lgn {
namespace {

using Bound = DesignedValue::Bound;

Json bound_json(Bound bound) {
  return bound == Bound::none ? Json(nullptr) : Json(bound == Bound::lower ? "lower" : "upper");
}

Json property_json(const DesignedProperty& property) {
  return {{"text", property.text},
          {"before", json_number(property.before)},
          {"after", json_number(property.after)},
          {"likely", json_number(property.likely)},
          {"binding", property.binding},
          {"sensitivities", json_vector(property.sensitivities)}};
}

DesignedProperty property_from(const JsonReader& in, Index values) {
  DesignedProperty property{in.text("text"), in.real("before"), in.real("after"),
                            in.get<bool>("binding", "true or false")};
  const Json& list = in.raw("sensitivities");
  property.sensitivities =
      in.numbers("sensitivities", list.is_array() && list.empty() ? 0 : values);
  if (!in.optional("likely").is_null()) property.likely = in.real("likely");
  return property;
}

DesignedValue value_from(const JsonReader& in) {
  DesignedValue value{
      in.text("name"), in.text("quantity"), in.real("before"), in.real("after"), 0, 0};
  const Vector bounds = in.finite_numbers("bounds", 2);
  value.low = bounds[0];
  value.high = bounds[1];
  if (in.raw("at_bound").is_null()) return value;
  const std::string word = in.text("at_bound");
  if (word != "lower" && word != "upper") in.fail("at_bound", "is neither lower nor upper");
  value.bound = word == "lower" ? Bound::lower : Bound::upper;
  return value;
}

}  // namespace

Json design_to_json(const DesignRecord& design) {
  Json values = Json::array(), targets = Json::array();
  for (const DesignedValue& value : design.values)
    values.push_back({{"name", value.name},
                      {"quantity", value.quantity},
                      {"before", json_number(value.before)},
                      {"after", json_number(value.after)},
                      {"bounds", {json_number(value.low), json_number(value.high)}},
                      {"at_bound", bound_json(value.bound)}});
  for (const DesignedProperty& target : design.targets) targets.push_back(property_json(target));
  return {{"values", values},
          {"targets", targets},
          {"objective", property_json(design.objective)},
          {"series", design.series.empty() ? Json(nullptr) : Json(design.series)},
          {"draws", design.draws ? Json{{"wanted", json_number(design.draws->wanted)},
                                        {"held", json_number(design.draws->held)},
                                        {"count", design.draws->count}}
                                 : Json(nullptr)},
          {"iterations", design.iterations},
          {"starts", design.starts},
          {"converged", design.converged}};
}

DesignRecord design_from_json(const JsonReader& in) {
  DesignRecord design;
  for (const JsonReader& one : in.objects("values")) design.values.push_back(value_from(one));
  const Index values = std::ssize(design.values);
  for (const JsonReader& one : in.objects("targets"))
    design.targets.push_back(property_from(one, values));
  design.objective = property_from(in.object("objective"), values);
  if (!in.optional("series").is_null()) design.series = in.text("series");
  if (!in.optional("draws").is_null()) {
    const JsonReader draws = in.object("draws");
    design.draws = {draws.real("wanted"), draws.real("held"), draws.whole("count")};
  }
  design.iterations = static_cast<int>(in.whole("iterations"));
  design.starts = static_cast<int>(in.whole("starts"));
  design.converged = in.get<bool>("converged", "true or false");
  return design;
}

}  // namespace lgn
