#include "experiments/reproduction/results_json.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "lgn/core/error.h"

namespace lgn::studies {
namespace {

using Json = nlohmann::ordered_json;

std::string written(const Json& json) {
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

Json finite_or_null(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

Json public_row(const Row& row) {
  Json json = Json::object();
  const auto text = [&json](const char* name, const std::string& value) {
    if (!value.empty()) json[name] = value;
  };
  const bool paper_diverged = row.paper && !std::isfinite(*row.paper);
  text("system", row.system);
  json["method"] = row.method;
  json["metric"] = row.metric;
  json["paper"] = row.paper ? finite_or_null(*row.paper) : Json(nullptr);
  text("paper_text", row.paper_text.empty() && paper_diverged ? "diverged" : row.paper_text);
  json["paper_method"] = finite_or_null(row.median());
  json["paper_method_low"] = finite_or_null(row.lowest());
  json["paper_method_high"] = finite_or_null(row.highest());
  json["seeds"] = row.paper_method.size();
  json["ours"] = row.ours ? finite_or_null(*row.ours) : Json(nullptr);
  if ((!row.paper_method.empty() && !std::isfinite(row.highest())) ||
      (row.ours && !std::isfinite(*row.ours)))
    json["diverged"] = true;
  text("note", row.note);
  return json;
}

/// JSON has no word for numbers that are not finite.
Json any_number(double value) {
  if (std::isfinite(value)) return value;
  return std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf";
}

Json maybe(const std::optional<double>& value) {
  return value ? any_number(*value) : Json(nullptr);
}

/// A part of the file, which knows what it is called.
class Field {
 public:
  Field(const Json& json, std::string name) : json_(json), name_(std::move(name)) {}

  Field operator[](const char* key) const {
    if (!json_.is_object()) fail("is not an object");
    const std::string name = name_.empty() ? key : name_ + "." + key;
    const auto found = json_.find(key);
    if (found == json_.end()) throw Error(fmt::format("there is no field \"{}\"", name));
    return {*found, name};
  }
  /// read(entry) of every entry of a list.
  template <class Read>
  auto list(Read read) const {
    if (!json_.is_array()) fail("is not a list");
    std::vector<decltype(read(*this))> entries;
    for (std::size_t k = 0; k < json_.size(); ++k)
      entries.push_back(read(Field(json_[k], fmt::format("{}[{}]", name_, k))));
    return entries;
  }
  std::string text() const {
    if (!json_.is_string()) fail("is not a text");
    return json_.get<std::string>();
  }
  double number() const {
    if (json_.is_number()) return json_.get<double>();
    if (json_ == "inf") return std::numeric_limits<double>::infinity();
    if (json_ == "-inf") return -std::numeric_limits<double>::infinity();
    if (json_ == "nan") return std::numeric_limits<double>::quiet_NaN();
    fail("is not a number");
  }
  std::optional<double> maybe_number() const {
    return json_.is_null() ? std::nullopt : std::optional(number());
  }

 private:
  [[noreturn]] void fail(const char* problem) const {
    throw Error(name_.empty() ? fmt::format("the whole {}", problem)
                              : fmt::format("field \"{}\" {}", name_, problem));
  }

  const Json& json_;
  std::string name_;
};

Row read_row(const Field& row) {
  return {.system = row["system"].text(),
          .method = row["method"].text(),
          .metric = row["metric"].text(),
          .paper = row["paper"].maybe_number(),
          .paper_text = row["paper_text"].text(),
          .paper_method = row["paper_method"].list([](const Field& f) { return f.number(); }),
          .ours = row["ours"].maybe_number(),
          .note = row["note"].text()};
}

Panel read_panel(const Field& panel) {
  return {
      .name = panel["name"].text(), .caption = panel["caption"].text(), .svg = panel["svg"].text()};
}

}  // namespace

std::string results_json(const std::vector<Findings>& all) {
  Json json = Json::object();
  for (const Findings& findings : all) {
    Json rows = Json::array();
    for (const Row& row : findings.rows) rows.push_back(public_row(row));
    json[findings.id] = std::move(rows);
  }
  return written(json);
}

std::string findings_json(const Findings& findings) {
  Json rows = Json::array(), panels = Json::array();
  for (const Row& row : findings.rows) {
    Json seeds = Json::array();
    for (const double value : row.paper_method) seeds.push_back(any_number(value));
    rows.push_back({{"system", row.system},
                    {"method", row.method},
                    {"metric", row.metric},
                    {"paper", maybe(row.paper)},
                    {"paper_text", row.paper_text},
                    {"paper_method", std::move(seeds)},
                    {"ours", maybe(row.ours)},
                    {"note", row.note}});
  }
  for (const Panel& panel : findings.panels)
    panels.push_back({{"name", panel.name}, {"caption", panel.caption}, {"svg", panel.svg}});
  return written({{"id", findings.id},
                  {"title", findings.title},
                  {"setting", findings.setting},
                  {"seconds", any_number(findings.seconds)},
                  {"rows", std::move(rows)},
                  {"remarks", findings.remarks},
                  {"panels", std::move(panels)}});
}

Findings read_findings(const std::string& text) {
  Json json;
  try {
    json = Json::parse(text);
  } catch (const Json::parse_error& error) {
    throw Error(fmt::format("no JSON from byte {} on", error.byte));
  }
  const Field all(json, "");
  return {.id = all["id"].text(),
          .title = all["title"].text(),
          .setting = all["setting"].text(),
          .rows = all["rows"].list(read_row),
          .panels = all["panels"].list(read_panel),
          .remarks = all["remarks"].list([](const Field& f) { return f.text(); }),
          .seconds = all["seconds"].number()};
}

}  // namespace lgn::studies
