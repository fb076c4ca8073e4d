#include "lgn/dynamics/modulated.h"
#include "lgn/dynamics/varying_law.h"
#include "lgn/model/variation_json_internal.h"

namespace lgn {
namespace {

/// Errors that were not computed at all take one null.
Json errors_json(const Matrix& errors, Json json) {
  return errors.array().isNaN().all() ? Json(nullptr) : json;
}

Json basis_json(const TimeBasis& basis) {
  Json json = {{"name", basis.name()}};
  const Vector knots = basis.knots();
  if (knots.size() > 0) {
    json["count"] = basis.size() - 1;
    json["begin"] = json_number(knots[0]);
    json["end"] = json_number(knots[knots.size() - 1]);
    return json;
  }
  json["origin"] = json_number(basis.origin());
  if (basis.parameters() > 0 || basis.extrapolates())  // the frequencies are in θ
    json["count"] = basis.parameters();
  else
    json["frequencies"] = json_vector(basis.waves({}));
  return json;
}

/// What A(t) is made from, and what that makes of θ.
void add_structure(Json& json, const ModelVariation& variation) {
  Json frequencies = Json::array();
  const Vector& errors = variation.errors;
  const auto error = [&](Index k) { return errors.size() > k ? errors[k] : std::nan(""); };
  if (const ModulatedStructure* modulated = variation.structure->modulated()) {
    json["kind"] = "modulated";
    json["base"] = modulated->base().name();
    json["basis"] = basis_json(modulated->basis());
    json["link"] = modulated->link() == ModulatedStructure::Link::clip ? "clip" : "softplus";
    json["active"] = modulated->active();
    const Vector omega = modulated->omega(variation.theta);
    for (Index k = 0; k < omega.size(); ++k)
      frequencies.push_back({{"omega", json_number(omega[k])}, {"se", json_number(error(k))}});
  } else if (const Constants* law = variation.structure->law_constants()) {
    json["kind"] = "law";
    json["law"] = variation.structure->law_name();
    const Vector values = law->values(variation.theta);
    const auto names = law->names();
    Json constants = Json::array();
    for (Index k = 0; k < values.size(); ++k)
      constants.push_back({{"name", names[static_cast<std::size_t>(k)]},
                           {"value", json_number(values[k])},
                           {"se", json_number(error(k))}});
    json["constants"] = constants;
  } else {
    json["kind"] = "custom";
  }
  json["frequencies"] = frequencies;
}

Json harmonics_json(const std::vector<HarmonicPart>& parts) {
  Json json = Json::array();
  for (const auto& part : parts)
    json.push_back({{"frequency", part.frequency},
                    {"amplitude", json_number(part.amplitude)},
                    {"amplitude_se", json_number(part.amplitude_error)},
                    {"phase", json_number(part.phase)},
                    {"phase_se", json_number(part.phase_error)}});
  return json;
}

Json entries_json(const std::vector<EntryCourse>& entries) {
  Json json = Json::array();
  for (const auto& entry : entries)
    json.push_back({{"name", entry.name},
                    {"varies", entry.varies},
                    {"mean", json_number(entry.mean)},
                    {"mean_se", json_number(entry.mean_error)},
                    {"harmonics", harmonics_json(entry.harmonics)}});
  return json;
}

/// n × n for each time, of matrices side by side.
Json matrices_json(const Matrix& side_by_side) {
  const Index n = side_by_side.rows();
  Json list = Json::array();
  for (Index k = 0; k < side_by_side.cols(); k += n)
    list.push_back(json_rows(side_by_side.middleCols(k, n)));
  return list;
}

Json course_json(const VariationCourse& course) {
  Json entries = Json::object();
  for (const auto& entry : course.entries)
    entries[entry.name] = {{"value", json_vector(entry.values)},
                           {"se", errors_json(entry.errors, json_vector(entry.errors))}};
  return {{"t", json_vector(course.times)},
          {"A", matrices_json(course.generators)},
          {"A_se", errors_json(course.errors, matrices_json(course.errors))},
          {"poles_re", json_rows(course.poles.real())},
          {"poles_im", json_rows(course.poles.imag())},
          {"poles_re_se", errors_json(course.re_errors, json_rows(course.re_errors))},
          {"poles_im_se", errors_json(course.im_errors, json_rows(course.im_errors))},
          {"entries", entries}};
}

Json complex_json(const ComplexVector& values) {
  Json list = Json::array();
  for (const Complex& value : values)
    list.push_back({{"re", json_number(value.real())}, {"im", json_number(value.imag())}});
  return list;
}

Json floquet_json(const Floquet& floquet) {
  return {{"period", json_number(floquet.period)},
          {"multipliers", complex_json(floquet.multipliers)},
          {"exponents", complex_json(floquet.exponents)}};
}

}  // namespace

Json variation_to_json(const ModelVariation& variation) {
  Json json = Json::object();
  add_structure(json, variation);
  const auto period = variation.structure->period(variation.theta);
  json["theta"] = json_vector(variation.theta);
  json["names"] = variation.structure->parameter_names();
  json["se"] = variation.errors.size() > 0 ? json_vector(variation.errors) : Json(nullptr);
  json["interval"] = {json_number(variation.begin), json_number(variation.end)};
  json["start_times"] = json_vector(variation.start_times);
  json["extrapolates"] = variation.structure->extrapolates();
  json["period"] = period ? json_number(*period) : Json(nullptr);
  json["magnus"] = {{"method", variation.magnus.method},
                    {"tolerance", json_number(variation.magnus.tolerance)},
                    {"most_substeps", variation.magnus.most_substeps}};
  json["entries"] = entries_json(variation.course.entries);
  json["course"] = course_json(variation.course);
  json["floquet"] = variation.floquet ? floquet_json(*variation.floquet) : Json(nullptr);
  return json;
}

}  // namespace lgn
