#include "lgn/report/html_report.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "lgn/core/error.h"
#include "lgn/physics/metrics.h"
#include "lgn/report/markup.h"
#include "lgn/report/network_drawing.h"
#include "lgn/report/network_table.h"
#include "lgn/report/svg_plot.h"
#include "lgn/report/tables.h"
#include "lgn/report/variation_plots.h"
#include "lgn/report/variation_table.h"

namespace lgn {
namespace {

constexpr Index most_channels = 12;

constexpr const char* page_head = R"(<!doctype html>
<html lang='en'><head><meta charset='utf-8'>
<meta name='viewport' content='width=device-width,initial-scale=1'><title>lgn report</title>
<style>
body { font: 16px/1.5 system-ui, sans-serif; max-width: 760px; margin: 2rem auto; padding: 0 1rem;
  color: #222; background: #fff }
h1 { font-size: 1.6rem }
h2 { font-size: 1.2rem; margin-top: 2rem }
.lead { font-size: 1.1rem }
svg { max-width: 100%; height: auto; display: block; margin: 1rem 0 }
pre { white-space: pre-wrap; overflow-x: auto; background: #f5f5f5; padding: .8rem; border-radius: 4px; font-size: .85rem }
table { border-collapse: collapse; font-size: .9rem; display: block; overflow-x: auto }
td, th { padding: .25rem .7rem; text-align: right; border-bottom: 1px solid #ddd; white-space: nowrap }
p { overflow-wrap: anywhere }
.drawing { overflow-x: auto }
.drawing svg { min-width: 600px }
</style></head><body>
)";

/// The model's trajectory on a grid fine enough to draw, from the run's first time to its last.
struct Curve {
  Vector times;
  Matrix states;
};
Curve draw_run(const Model& model, const Trajectory& run) {
  constexpr Index points = 1200;
  const Vector times = Vector::LinSpaced(points, run.times()[0], run.times()[run.samples() - 1]);
  if (model.starts.cols() == 0) throw Error("a model without starts cannot be drawn");
  return {times, model.propagate(model.starts.col(0), times)};
}

std::string in_words(const Model& model) {
  int rings = 0, decays = 0;
  const Mode* slowest = nullptr;
  for (const auto& mode : model.modes) {
    if (mode.pole.imag() < 0) ++rings;
    if (!mode.oscillates()) ++decays;
    if (mode.pole.imag() < 0 &&
        (slowest == nullptr || mode.natural_frequency < slowest->natural_frequency))
      slowest = &mode;
  }
  std::string text = variation_in_words(model) + (model.variation ? "Its mean has " : "");
  if (rings > 0) text += fmt::format("{} oscillation{}", rings, rings == 1 ? "" : "s");
  if (decays > 0)
    text += fmt::format("{}{} mode{} without oscillation", rings > 0 ? " and " : "", decays,
                        decays == 1 ? "" : "s");
  text += ". ";
  if (slowest != nullptr) {
    text += fmt::format("The slowest rings at {} {}", short_number(slowest->frequency_hz),
                        frequency_unit(model));
    if (slowest->pole.real() < 0)
      text +=
          fmt::format(" and loses half its energy in {} {}",
                      short_number(std::log(2.0) / (-2 * slowest->pole.real())), model.time_unit);
    text += ". ";
  }
  return text;
}

std::string modes_html(const Model& model) {
  const std::string unit = escape_markup(model.time_unit);
  std::string out = fmt::format(
      "<table><tr><th>pole [1/{0}]</th><th>ω<sub>n</sub> [rad/{0}]</th><th>f "
      "[{1}]</th><th>ζ</th><th>τ [{0}]</th>"
      "<th>Q</th><th>channels</th></tr>",
      unit, escape_markup(frequency_unit(model)));
  for (const auto& row : mode_rows(model)) {
    out += "<tr>";
    for (const auto* cell : {&row.pole, &row.natural_frequency, &row.frequency, &row.damping,
                             &row.time_constant, &row.quality, &row.channels})
      out += "<td>" + escape_markup(*cell) + "</td>";
    out += "</tr>";
  }
  return out + "</table>";
}

std::string table_html(const Table& table) {
  const auto row = [](const std::vector<std::string>& cells, const char* tag) {
    std::string out;
    for (const auto& cell : cells) out += fmt::format("<{0}>{1}</{0}>", tag, escape_markup(cell));
    return "<tr>" + out + "</tr>";
  };
  std::string out = "<table>" + row(table.header, "th");
  for (const auto& cells : table.rows) out += row(cells, "td");
  return out + "</table>";
}

/// What the network is made of, around its drawing.
std::string network_html(const Network& network, const std::string& drawing) {
  std::string out = fmt::format("<h2>Network</h2><p>{}.</p><div class='drawing'>{}</div>",
                                escape_markup(network_summary(network)), drawing);
  for (const auto& note : network_notes(network)) out += "<p>" + escape_markup(note) + ".</p>";
  out += table_html(nodes_table(network));
  const NetworkTable between = connections_table(network);
  return between.rows.empty() ? out : out + "<p></p>" + table_html(between);
}

/// What varies and how, above its plots.
std::string variation_html(const Model& model) {
  std::string out = "<h2>Variation</h2>";
  const auto paragraph = [&](const std::vector<std::string>& lines) {
    std::string text;
    for (const auto& line : lines) text += (text.empty() ? "" : "<br/>") + escape_markup(line);
    if (!text.empty()) out += "<p>" + text + "</p>";
  };
  for (const auto& part : variation_tables(model)) {
    paragraph(part.above);
    out += table_html(part.table);
    paragraph(part.below);
  }
  if (varying_courses(model) > most_courses)
    out +=
        fmt::format("<p>{} more courses are not drawn.</p>", varying_courses(model) - most_courses);
  return out;
}

/// A model of a drift says nothing about times that it was not learned from.
std::string beyond_html(const Model& model, const Dataset& data) {
  if (!model.variation || !model.variation->extrapolated(data.runs()[0].times())) return {};
  return fmt::format(
      "<p>A(t) was learned from {} to {} {}; beyond, the model is not to be trusted.</p>",
      short_number(model.variation->begin), short_number(model.variation->end),
      escape_markup(model.time_unit));
}

std::string energy_plot(const Model& model, const Curve& curve) {
  SvgPlot plot("Energy of the model, ½ xᵀQx", fmt::format("time [{}]", model.time_unit), "energy");
  plot.line(curve.times, energies(curve.states, *model.energy), 1, "");
  return plot.svg();
}

std::string signal_plot(const Model& model, const Dataset& data, const Curve& curve,
                        Index channel) {
  const auto& trajectory = data.runs()[0];
  const std::string& name = model.channels[static_cast<std::size_t>(channel)];
  SvgPlot plot(data.runs().size() > 1 ? fmt::format("{}, run {}", name, trajectory.label()) : name,
               fmt::format("time [{}]", model.time_unit), name);
  plot.dots(trajectory.times(), trajectory.states().row(channel).transpose(), 0, "data");
  plot.line(curve.times, curve.states.row(channel).transpose(), 2, "model");
  return plot.svg();
}

std::string pole_plot(const Model& model) {
  Vector re(model.dimension()), im(model.dimension());
  for (Index k = 0; k < re.size(); ++k) {
    re[k] = model.modes[static_cast<std::size_t>(k)].pole.real();
    im[k] = model.modes[static_cast<std::size_t>(k)].pole.imag();
  }
  SvgPlot plot(model.variation ? "Poles of the mean generator" : "Poles",
               fmt::format("Re λ [1/{}]", model.time_unit),
               fmt::format("Im λ [rad/{}]", model.time_unit));
  plot.crosses(re, im, 1, "");
  plot.line(Vector::Zero(2), Vector{{im.minCoeff(), im.maxCoeff()}}, 0, "");
  return plot.svg();
}

}  // namespace

std::vector<Figure> report_figures(const Model& model, const Dataset& data) {
  std::vector<Figure> figures;
  if (model.network) figures.push_back({"network", network_svg(*model.network)});
  const std::vector<Figure> variation = variation_figures(model);
  figures.insert(figures.end(), variation.begin(), variation.end());
  figures.push_back({"poles", pole_plot(model)});
  const Curve curve = draw_run(model, data.runs()[0]);
  for (Index c = 0; c < std::min(model.dimension(), most_channels); ++c)
    figures.push_back({fmt::format("signal-{}", c + 1), signal_plot(model, data, curve, c)});
  if (model.energy) figures.push_back({"energy", energy_plot(model, curve)});
  if (model.energy && model.variation)
    figures.push_back(power_figure(model, curve.times, curve.states));
  return figures;
}

std::string html_report(const Model& model, const Dataset& data) {
  std::string body =
      fmt::format("<h1>{}</h1><p class='lead'>{}{}.</p>", "What the data say",
                  escape_markup(in_words(model)), escape_markup(guarantee_text(model.guarantee)));
  body += fmt::format("<pre>{}</pre>", escape_markup(summary_text(model)));
  if (!model.candidates.empty())
    body += fmt::format("<h2>Structures considered</h2><pre>{}</pre>",
                        escape_markup(candidates_table(model)));
  bool varies = model.variation.has_value();
  for (const auto& figure : report_figures(model, data)) {
    if (figure.name == "network") {
      body += network_html(*model.network, figure.svg);
      continue;
    }
    if (std::exchange(varies, false)) body += variation_html(model);
    if (figure.name == "poles")
      body += fmt::format("<h2>Modes{}</h2>{}", model.variation ? " of the mean generator" : "",
                          modes_html(model));
    if (figure.name == "signal-1") body += "<h2>Data and model</h2>" + beyond_html(model, data);
    if (figure.name == "energy") body += "<h2>Energy</h2>";
    body += figure.svg;
  }
  if (model.dimension() > most_channels)
    body +=
        fmt::format("<p>{} more channels are not drawn.</p>", model.dimension() - most_channels);
  body += fmt::format(
      "<h2>Origin</h2><p>lgn {}, structure {}, method {}; data {}{}</p>",
      escape_markup(model.version), escape_markup(model.structure), escape_markup(model.method),
      escape_markup(fmt::format("{}", fmt::join(model.data.files, ", "))),
      model.data.sha256.empty() ? "" : ", SHA-256 " + escape_markup(model.data.sha256));
  return page_head + body + "</body></html>\n";
}

}  // namespace lgn
