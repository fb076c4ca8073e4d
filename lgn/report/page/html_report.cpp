#include "lgn/report/page/html_report.h"

#include <fmt/format.h>

#include "lgn/core/setting.h"
#include "lgn/model/some_modes.h"
#include "lgn/physics/signal_content.h"
#include "lgn/report/network/network_drawing.h"
#include "lgn/report/network/network_table.h"
#include "lgn/report/page/drawn_runs_internal.h"
#include "lgn/report/page/hidden_section.h"
#include "lgn/report/page/large_section.h"
#include "lgn/report/page/law_section.h"
#include "lgn/report/page/page_frame_internal.h"
#include "lgn/report/page/page_parts_internal.h"
#include "lgn/report/page/report_plots.h"
#include "lgn/report/page/report_words.h"
#include "lgn/report/page/response_section.h"
#include "lgn/report/page/variation_plots.h"
#include "lgn/report/plot/mode_shapes.h"
#include "lgn/report/plot/pole_map.h"
#include "lgn/report/text/markup.h"
#include "lgn/report/text/tables.h"
#include "lgn/report/text/variation_table.h"

namespace lgn {
namespace {

std::string modes_html(const Model& model) {
  const std::string unit = escape_markup(model.time_unit);
  std::string out = fmt::format(
      "<div class='table'><table><tr><th>pole [1/{0}]</th><th>ω<sub>n</sub> [rad/{0}]</th><th>f "
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
  return out + "</table></div>";
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

/// What varies and how, above its plots; nothing where A is constant.
std::string variation_html(const Model& model) {
  const auto tables = variation_tables(model);
  if (tables.empty()) return {};
  std::string out = "<h2>Variation</h2>";
  const auto paragraph = [&](const std::vector<std::string>& lines) {
    std::string text;
    for (const auto& line : lines) text += (text.empty() ? "" : "<br/>") + escape_markup(line);
    if (!text.empty()) out += "<p>" + text + "</p>";
  };
  for (const auto& part : tables) {
    paragraph(part.above);
    out += table_html(part.table);
    paragraph(part.below);
  }
  if (varying_courses(model) > most_courses)
    out +=
        fmt::format("<p>{} more courses are not drawn.</p>", varying_courses(model) - most_courses);
  return out;
}

/// A model of a drift says nothing about times that it was not identified from.
std::string beyond_html(const Model& model, const Dataset& data) {
  if (!model.extrapolated(data.runs()[0].times())) return {};
  return fmt::format(
      "<p>A(t) was identified from {} to {} {}; beyond, it is extrapolated and not to be trusted.</p>",
      short_number(model.variation->begin), short_number(model.variation->end),
      escape_markup(model.time_unit));
}

/// With fewer there is nothing to be seen of a correlation.
constexpr Index fewest_lags = 2;

/// Everything that a report draws.
struct Content {
  DrawnRuns drawn;
  SignalContent signal;
  EnergyPlots energy;
  std::vector<ReportPlot> variation, signals, others;
  std::vector<ReportPlot> law = {};
  HiddenPlots hidden = {};
  LargePlots large = {};
  ResponsePlots response = {};
};

Content find_content(const Model& model, const Dataset& data) {
  Content content{draw_runs(model, data), {}, energy_plots(model, data),
                  variation_plots(model), {}, {}};
  content.signals = signal_plots(model, content.drawn);
  content.others.push_back({"poles", "", pole_map(model)});
  if (content.drawn.autocorrelation.lags() >= fewest_lags)
    content.others.push_back(autocorrelation_plot(model, content.drawn));
  const Vector& noise = model.fit.channel_noise;
  if (!model.sparse && noise.size() == model.outputs() && (noise.array() > 0).all() &&
      noise.allFinite())
    content.signal = find_signal_content(data, noise);
  if (content.signal.singular_values.size() > 0)
    content.others.push_back(content_plot(content.signal));
  content.hidden = hidden_plots(model, data);
  content.large = large_plots(model, content.drawn);
  content.response = response_plots(model, data);
  content.law = law_plots(model, data);
  return content;
}

std::vector<ReportPlot> all_plots(const Content& content) {
  std::vector<ReportPlot> plots = content.variation;
  for (const auto* more :
       {&content.law, &content.others, &content.hidden.stabilisation, &content.hidden.shapes,
        &content.large.elements, &content.large.residuals, &content.response.bode,
        &content.response.step, &content.response.impulse, &content.signals,
        &content.hidden.spectra, &content.energy.plots})
    plots.insert(plots.end(), more->begin(), more->end());
  return plots;
}

/// A setting of the fit as the page shows it, whoever made the page.
std::string as_code(std::string_view name, std::string_view value) {
  return fmt::format("<code>{}{}{}</code>", name, value.empty() ? "" : ": ", value);
}

std::string top_html(const Model& model, const Content& content, const std::string& shown) {
  std::string out = fmt::format("<h1>Identified system</h1><p class='lead'>{}</p>",
                                escape_markup(found_in_words(model)));
  if (!shown.empty())
    out +=
        fmt::format("<p>Shown beside {}, which are not the data that the model was fitted to.</p>",
                    escape_markup(shown));
  out += "<h2>Model validation</h2><ul class='trust'>";
  for (const auto& [good, text] : reasons_to_trust(model, content.drawn, content.signal))
    out += fmt::format("<li class='{}'>{}</li>", good ? "good" : "care", escape_markup(text));
  out += "</ul>";
  if (!model.warnings.empty()) {
    out += "<div class='warnings'><h2>Warnings</h2><ul>";
    for (const auto& warning : model.warnings)
      out += fmt::format("<li><code>{}</code> {}</li>", escape_markup(warning.code),
                         write_settings(escape_markup(warning.message), as_code));
    out += "</ul></div>";
  }
  Model without_warnings = model;
  without_warnings.warnings.clear();
  return out + fmt::format("<pre>{}</pre>", escape_markup(summary_text(without_warnings)));
}

std::string signals_html(const Model& model, const Dataset& data, const Content& content) {
  std::string out =
      heading("Data and model",
              "Drag over a plot to look closer at a part of the time; all plots follow.") +
      beyond_html(model, data) + "<div id='signals'></div>";
  const auto more_runs = data.runs().size() - content.drawn.runs.size();
  const Index more_channels = model.outputs() - content.drawn.channels;
  if (more_runs > 0) out += fmt::format("<p>{} more runs are not drawn.</p>", more_runs);
  if (more_channels > 0)
    out += fmt::format("<p>{} more channels are not drawn.</p>", more_channels);
  return out;
}

std::string energy_html(const Model& model, const EnergyPlots& energy) {
  if (energy.plots.empty()) return {};
  std::string out = heading("Energy");
  for (const auto& plot : energy.plots) out += figure_html(plot.name);
  if (energy.shares.size() < 2) return out;
  Table table{{"channel", "share of the dissipated energy"}, {}};
  for (const Index c : energy.channels)
    table.rows.push_back({model.channels[static_cast<std::size_t>(c)],
                          fmt::format("{:.1f}%", 100 * energy.shares[c])});
  return out + table_html(table);
}

std::string candidates_html(const Model& model) {
  if (model.candidates.empty()) return {};
  Table table = candidates(model);
  for (std::size_t k = 0; k < table.rows.size(); ++k)
    if (model.candidates[k].chosen) table.rows[k].front() = "→ " + table.rows[k].front();
  if (model.ambient)
    return heading("Structures considered",
                   "Chosen: the number of states with the smallest information criterion (BIC).") +
           table_html(table);
  return heading(
             "Structures considered",
             "Chosen: the simplest structure whose validation error is at most twice the smallest, and whose "
             "extra parameters are justified (BIC). Validation error: RMS of the prediction error on the last "
             "quarter of every run, which is not fitted here, over the RMS of all samples.") +
         table_html(table);
}

std::string origin_html(const Model& model, const std::string& shown) {
  std::string out = heading("Reproducibility");
  if (!shown.empty())
    out += fmt::format("<p>Shown here: {}. The model comes from other data.</p>",
                       escape_markup(shown));
  if (!model.command.empty()) out += fmt::format("<pre>{}</pre>", escape_markup(model.command));
  return out +
         fmt::format(
             "<p>lgn {}, structure {}, method {}{}{}</p>", escape_markup(model.version),
             escape_markup(model.structure), escape_markup(model.method),
             model.data.files.empty()
                 ? ""
                 : "; data " + escape_markup(fmt::format("{}", fmt::join(model.data.files, ", "))),
             model.data.sha256.empty()
                 ? ""
                 : ", SHA-256 <code>" + escape_markup(model.data.sha256) + "</code>");
}

/// The model with the modes that a page shows: of a sparse generator a few of the slowest.
Model with_modes_to_show(const Model& given) {
  constexpr Index most = 40;
  Model model = given;
  if (model.sparse) model.modes = some_modes(model, std::min(most, model.dimension()));
  return model;
}

}  // namespace

std::vector<Figure> report_figures(const Model& given, const Dataset& data) {
  const Model model = with_modes_to_show(given);
  std::vector<Figure> figures;
  if (model.network) figures.push_back({"network", network_svg(*model.network)});
  for (const auto& plot : all_plots(find_content(model, data)))
    figures.push_back({plot.name, plot.plot.svg()});
  std::size_t number = 0;
  for (const Index mode : shaped_modes(model))
    figures.push_back({fmt::format("shape-{}", ++number), shape_plot(model, mode).svg()});
  return figures;
}

std::string html_report(const Model& given, const Dataset& data, const std::string& shown) {
  const Model model = with_modes_to_show(given);
  const Content content = find_content(model, data);
  std::string body = top_html(model, content, shown);
  if (model.network) body += network_html(*model.network, network_svg(*model.network));
  body +=
      elements_html(model, content.large) + law_html(model, content.law) + variation_html(model);
  for (const auto& plot : content.variation) body += figure_html(plot.name);
  body +=
      heading("Modes of " + model.modes_of()) + figure_html("poles", "tall") + modes_html(model);
  body += stabilisation_html(model, content.hidden);
  if (!shaped_modes(model).empty())
    body +=
        heading(
            "Mode shapes",
            "Motion of the channels in one mode alone, normalised to a largest component of 1.") +
        "<div id='shapes'></div>" + assurance_html(content.hidden);
  body += runs_html(model, data);
  body += response_html(model, content.response);
  body += worst_html(content.large) + signals_html(model, data, content) +
          spectra_html(model, content.hidden);
  if (content.drawn.autocorrelation.lags() >= fewest_lags)
    body +=
        heading(
            "Residual whiteness",
            "Of white noise 95% of the autocorrelations lie inside the grey band; a slow excursion means "
            "unmodelled dynamics.") +
        figure_html("autocorrelation");
  body += energy_html(model, content.energy);
  if (content.signal.singular_values.size() > 0)
    body +=
        heading(
            "Singular values and rank",
            "Directions whose singular value is not above the noise floor are not determined by the data.") +
        figure_html("content");
  body += candidates_html(model) + origin_html(model, shown);
  const std::string name = !shown.empty()             ? shown
                           : model.data.files.empty() ? "model"
                                                      : model.data.files.front();
  std::vector<std::string> runs;
  for (const auto& run : content.drawn.runs) runs.push_back(run.label);
  return page_html(name, body, model, all_plots(content), content.drawn.channels, runs);
}

}  // namespace lgn
