#include "lgn/report/page/large_section.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "lgn/core/constants_internal.h"
#include "lgn/model/network_names.h"
#include "lgn/report/network/network_table.h"
#include "lgn/report/page/drawn_runs_internal.h"
#include "lgn/report/page/page_parts_internal.h"
#include "lgn/report/plot/envelope.h"

namespace lgn {
namespace {

using Type = Network::Type;

constexpr std::array drawn_types{Type::storage, Type::coupling, Type::exchange,
                                 Type::spring,  Type::damper,   Type::loss};
/// Of a map, which keeps the extremes.
constexpr Index map_points = 3000, most_bars = 60, most_listed = 20;

double part_of(const std::vector<double>& sorted, double part) {
  return sorted[static_cast<std::size_t>(part * static_cast<double>(sorted.size() - 1))];
}

/// How often values occur, in bars of equal width; of equal ratio where they spread over more than a decade.
void draw_histogram(Plot& plot, const std::vector<double>& values, int colour,
                    const std::string& label, bool ratios) {
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  const double pad = *high > *low ? 0 : std::max(std::abs(*low), 1e-12) * 1e-3;
  const auto place = [&](double value) { return ratios ? std::log10(value) : value; };
  const double begin = place(*low - pad), end = place(*high + pad);
  const Index bars = std::clamp(static_cast<Index>(std::sqrt(values.size())), Index{5}, most_bars);
  Vector counts = Vector::Zero(bars), edges = Vector::LinSpaced(bars + 1, begin, end);
  for (const double value : values)
    counts[std::clamp(
        static_cast<Index>(static_cast<double>(bars) * (place(value) - begin) / (end - begin)),
        Index{0}, bars - 1)] += 1;
  if (ratios) edges = edges.unaryExpr([](double exponent) { return std::pow(10, exponent); });
  // The page has no bars of its own.
  Vector x(2 * bars + 2), y = Vector::Zero(2 * bars + 2);
  for (Index k = 0; k <= bars; ++k) x[2 * k] = x[2 * k + 1] = edges[k];
  for (Index k = 0; k < bars; ++k) y[2 * k + 1] = y[2 * k + 2] = counts[k];
  plot.line(x, y, colour, label);
}

bool spread(const std::vector<double>& values) {
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  return *low > 0 && *high > 10 * *low;
}

Plot histogram(const std::string& title, const std::string& axis,
               const std::vector<double>& values) {
  Plot plot(title, axis, "how many", 720, 240);
  const bool ratios = spread(values);
  if (ratios) plot.log_x();
  draw_histogram(plot, values, 1, "", ratios);
  return plot;
}

Plot map(const std::string& title, const std::string& number, const std::string& axis,
         const std::vector<double>& values) {
  Plot plot(title, number, axis, 720, 240);
  const Vector all = Eigen::Map<const Vector>(values.data(), std::ssize(values));
  const Vector place =
      Vector::LinSpaced(all.size(), 1, static_cast<double>(std::max<Index>(all.size(), 1)));
  plot.dots(envelope_times(place, map_points), envelope(all, map_points), 1, "");
  if (spread(values)) plot.log_y();
  return plot;
}

/// Values and relative errors of one kind that are not given by a law.
struct Kind {
  std::vector<double> values, errors;
};

void add_elements(const Model& model, LargePlots& plots) {
  const Network network = model.sparse->network(model.channels);
  plots.kinds.header = {"element", "how many", "median", "5% to 95%", "median relative error"};
  Plot errors("Relative standard errors of the elements", "standard error / value", "how many", 720,
              240);
  errors.log_x();
  int colour = 0;
  for (const Type type : drawn_types) {
    Kind kind;
    for (const auto& element : network.elements)
      if (element.type == type && element.se != 0) {
        kind.values.push_back(element.value);
        if (element.se > 0 && element.value != 0)
          kind.errors.push_back(element.se / std::abs(element.value));
      }
    if (kind.values.empty()) continue;
    const std::string name = name_of(type);
    plots.elements.push_back(
        {"values-" + name, "", histogram("Values: " + name, name, kind.values)});
    plots.elements.push_back(
        {"map-" + name, "", map("Values in turn: " + name, "number", name, kind.values)});
    std::sort(kind.values.begin(), kind.values.end());
    std::sort(kind.errors.begin(), kind.errors.end());
    if (!kind.errors.empty()) draw_histogram(errors, kind.errors, ++colour, name, true);
    plots.kinds.rows.push_back(
        {name, std::to_string(kind.values.size()), short_number(part_of(kind.values, 0.5)),
         fmt::format("{} to {}", short_number(part_of(kind.values, 0.05)),
                     short_number(part_of(kind.values, 0.95))),
         kind.errors.empty() ? "–" : fmt::format("{:.2g}%", 100 * part_of(kind.errors, 0.5))});
  }
  if (colour > 0) plots.elements.push_back({"errors", "", std::move(errors)});
}

void add_residuals(const Model& model, const DrawnRuns& drawn, LargePlots& plots) {
  const Index n = model.outputs();
  const Vector shares =
      (drawn.residual_power.array() / drawn.power.array().max(1e-300)).sqrt() * 100;
  const std::vector<double> list(shares.data(), shares.data() + n);
  plots.residuals.push_back({"residual-map", "",
                             map("Residuals of each channel beside its signal",
                                 "number of the channel", "% of the signal", list)});
  plots.residuals.push_back(
      {"residual-histogram", "",
       histogram("Residuals of all channels beside their signals", "% of the signal", list)});
  std::vector<Index> order(at(n));
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](Index a, Index b) { return shares[a] > shares[b]; });
  const Matrix correlations = drawn.autocorrelation.values();
  plots.worst.header = {"channel", "residuals, RMS", "of the signal", "lag-1 autocorrelation"};
  for (Index k = 0; k < std::min(n, most_listed); ++k) {
    const Index c = order[at(k)];
    plots.worst.rows.push_back(
        {model.channels[at(c)], short_number(std::sqrt(drawn.residual_power[c])),
         fmt::format("{:.3g}%", shares[c]),
         correlations.cols() > 1 ? fmt::format("{:.2f}", correlations(c, 1)) : "–"});
  }
}

}  // namespace

LargePlots large_plots(const Model& model, const DrawnRuns& drawn) {
  LargePlots plots;
  if (!model.sparse) return plots;
  add_elements(model, plots);
  add_residuals(model, drawn, plots);
  return plots;
}

std::string elements_html(const Model& model, const LargePlots& plots) {
  if (plots.elements.empty()) return {};
  const Network network = model.sparse->network(model.channels);
  std::string out = heading("Network", network_summary(network) + ".");
  for (const auto& note : network_notes(network)) out += "<p>" + escape_markup(note) + ".</p>";
  out += table_html(plots.kinds);
  for (const auto& plot : plots.elements) out += figure_html(plot.name);
  return out;
}

std::string worst_html(const LargePlots& plots) {
  if (plots.residuals.empty()) return {};
  std::string out = heading("Residuals of all channels",
                            "Below, the channels with the largest residuals beside their signal.");
  for (const auto& plot : plots.residuals) out += figure_html(plot.name);
  return out + table_html(plots.worst);
}

}  // namespace lgn
