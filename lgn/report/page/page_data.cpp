#include "lgn/report/page/page_data.h"

#include <openssl/evp.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <span>

#include "lgn/core/error.h"
#include "lgn/identify/hidden/stabilisation.h"
#include "lgn/model/json_writer_internal.h"
#include "lgn/report/plot/mode_shapes.h"
#include "lgn/report/plot/stabilisation_plot.h"
#include "lgn/report/text/markup.h"

namespace lgn {
namespace {

template <class Number>
std::string base64(std::span<const Number> numbers) {
  const std::size_t bytes = numbers.size_bytes();
  std::string text(4 * ((bytes + 2) / 3) + 1, '\0');  // and the zero that ends it
  const int written = EVP_EncodeBlock(reinterpret_cast<unsigned char*>(text.data()),
                                      reinterpret_cast<const unsigned char*>(numbers.data()),
                                      static_cast<int>(bytes));
  text.resize(static_cast<std::size_t>(written));
  return text;
}

/// Whether floats could not hold a list, or not show how it varies about what is large.
bool needs_doubles(const Vector& values) {
  constexpr double small_spread = 1e-3, range_of_floats = 1e37;
  double low = 0, high = 0, size = 0;
  bool any = false;
  for (const double value : values) {
    if (!std::isfinite(value)) continue;
    low = any ? std::min(low, value) : value;
    high = any ? std::max(high, value) : value;
    size = std::max(size, std::abs(value));
    any = true;
  }
  return size > range_of_floats || (high > low && high - low <= small_spread * size);
}

/// Lists of numbers, each once.
class Arrays {
 public:
  std::size_t exact(const Vector& values) {
    return keep('d' + base64(std::span<const double>(values.data(),
                                                     static_cast<std::size_t>(values.size()))));
  }
  /// To seven digits of their spread, for pictures.
  std::size_t rounded(const Vector& values) {
    if (needs_doubles(values)) return exact(values);
    const Eigen::VectorXf floats = values.cast<float>();
    return keep('f' + base64(std::span<const float>(floats.data(),
                                                    static_cast<std::size_t>(floats.size()))));
  }
  const Json& list() const { return list_; }

 private:
  std::size_t keep(std::string text) {
    const auto [place, added] = places_.emplace(std::move(text), list_.size());
    if (added) list_.push_back(place->first);
    return place->second;
  }

  Json list_ = Json::array();
  std::map<std::string, std::size_t> places_;
};

const char* kind_name(Plot::Kind kind) {
  switch (kind) {
    case Plot::Kind::line:
      return "line";
    case Plot::Kind::dots:
      return "dots";
    case Plot::Kind::crosses:
      return "crosses";
    case Plot::Kind::circles:
      return "circles";
    case Plot::Kind::band:
      return "band";
    case Plot::Kind::cells:
      return "cells";
    case Plot::Kind::steps:
      break;
  }
  throw Error("a page draws no histograms");
}

Json axis_json(const Plot::Axis& axis, const std::optional<std::pair<double, double>>& shown = {}) {
  Json json = {{"label", clean_text(axis.label)}, {"log", axis.logarithmic}};
  if (axis.fixed)
    json["range"] = {axis.low, axis.high};
  else if (shown)
    json["range"] = {shown->first, shown->second};
  return json;
}

Json plot_json(const ReportPlot& one, Arrays& arrays) {
  const Plot& plot = one.plot;
  Json series = Json::array(), marks = Json::array(), notes = Json::array();
  for (const auto& s : plot.series()) {
    Json json = {{"kind", kind_name(s.kind)},    {"x", arrays.exact(s.x)},
                 {"y", arrays.rounded(s.y)},     {"colour", s.colour},
                 {"label", clean_text(s.label)}, {"width", s.stroke.width},
                 {"dashed", s.stroke.dashed},    {"faint", s.stroke.faint}};
    if (s.high.size() > 0) json["high"] = arrays.rounded(s.high);
    if (!s.items.empty()) json["items"] = s.items;
    series.push_back(std::move(json));
  }
  for (const auto& mark : plot.marks())
    marks.push_back({{"x", json_number(mark.x)}, {"label", clean_text(mark.label)}});
  for (const auto& note : plot.notes())
    notes.push_back(
        {{"x", json_number(note.x)}, {"y", json_number(note.y)}, {"text", clean_text(note.text)}});
  return {{"title", clean_text(plot.title())},
          {"group", one.group},
          {"x", axis_json(plot.x_axis())},
          {"y", axis_json(plot.y_axis(), plot.banded_range())},
          {"series", series},
          {"marks", marks},
          {"notes", notes}};
}

Json shapes_json(const Model& model, Arrays& arrays) {
  Json modes = Json::array(), rows = Json::array();
  for (const auto& row : channel_rows(model.channels))
    rows.push_back({{"name", clean_text(row.name)}, {"channels", row.channels}});
  for (const Index k : shaped_modes(model)) {
    const Mode& mode = model.modes[static_cast<std::size_t>(k)];
    const double largest = mode.shape.cwiseAbs().maxCoeff();
    const ComplexVector shape = mode.shape / (largest > 0 ? largest : 1.0);
    modes.push_back({{"title", clean_text(mode_title(model, mode))},
                     {"oscillates", mode.oscillates()},
                     {"re", arrays.rounded(shape.real())},
                     {"im", arrays.rounded(shape.imag())}});
  }
  return {{"modes", modes}, {"rows", rows}};
}

/// The poles of all orders, in their order, for who looks at one.
Json poles_json(const Model& model, Arrays& arrays) {
  Json poles = Json::array();
  if (!model.stabilisation) return poles;
  const auto& orders = model.stabilisation->orders;
  const auto stable = stable_poles(orders);
  for (std::size_t k = 0; k < orders.size(); ++k)
    for (Index p = 0; p < orders[k].poles.size(); ++p) {
      const ComplexVector shape = orders[k].shapes.col(p);
      poles.push_back({{"title", clean_text(pole_title(model, orders[k], p,
                                                       stable[k][static_cast<std::size_t>(p)]))},
                       {"re", arrays.rounded(shape.real())},
                       {"im", arrays.rounded(shape.imag())}});
    }
  return poles;
}

}  // namespace

std::string page_data(const Model& model, const std::vector<ReportPlot>& plots, Index channels,
                      const std::vector<std::string>& runs) {
  Arrays arrays;
  Json by_name = Json::object(), channel_names = Json::array(), run_names = Json::array();
  for (const auto& plot : plots) by_name[plot.name] = plot_json(plot, arrays);
  for (Index c = 0; c < channels; ++c)
    channel_names.push_back(clean_text(model.channels[static_cast<std::size_t>(c)]));
  for (const auto& run : runs) run_names.push_back(clean_text(run));
  const Json shapes = shapes_json(model, arrays), poles = poles_json(model, arrays);
  const Json page = {{"channels", channel_names}, {"runs", run_names},
                     {"shapes", shapes},          {"poles", poles},
                     {"plots", by_name},          {"arrays", arrays.list()}};
  // No name may end the script element, or begin another.
  std::string text;
  for (const char c : page.dump()) {
    if (c == '<')
      text += "\\u003c";
    else
      text += c;
  }
  return text;
}

}  // namespace lgn
