#include "lgn/report/page/hidden_section.h"

#include <fmt/format.h>

#include <algorithm>

#include "lgn/core/stop.h"
#include "lgn/identify/hidden/run_modes.h"
#include "lgn/report/page/page_parts_internal.h"
#include "lgn/report/page/spectrum_plots.h"
#include "lgn/report/plot/mode_shapes.h"
#include "lgn/report/plot/shape_plots.h"
#include "lgn/report/plot/stabilisation_plot.h"

namespace lgn {
namespace {

constexpr std::size_t most_assured = 40;

std::vector<ReportPlot> shape_figures(const Model& model) {
  std::vector<ReportPlot> plots;
  const std::vector<Index> modes = shaped_modes(model);
  for (std::size_t k = 0; k < modes.size(); ++k)
    plots.push_back({fmt::format("complexity-{}", k + 1), "", complexity_plot(model, modes[k])});
  if (modes.size() < 2) return plots;
  const auto end =
      modes.begin() + static_cast<std::ptrdiff_t>(std::min(modes.size(), most_assured));
  plots.push_back({"assurance", "", assurance_plot(model, {modes.begin(), end})});
  return plots;
}

}  // namespace

HiddenPlots hidden_plots(const Model& model, const Dataset& data) {
  HiddenPlots plots;
  if (!model.hidden()) return plots;
  const Spectra spectra = find_spectra(model, data);
  plots.spectra = spectrum_plots(model, spectra);
  if (model.outputs() > 1) plots.shapes = shape_figures(model);
  if (!model.stabilisation) return plots;
  if (!model.stabilisation->orders.empty())
    plots.stabilisation.push_back({"stabilisation", frequency_group,
                                   stabilisation_plot(model, spectra.data, spectra.highest)});
  if (model.stabilisation->singular_values.size() > 0)
    plots.stabilisation.push_back({"hankel", "", hankel_plot(model)});
  return plots;
}

std::string stabilisation_html(const Model& model, const HiddenPlots& plots) {
  std::string out;
  for (const auto& plot : plots.stabilisation)
    if (plot.name == "stabilisation")
      out +=
          heading("Stabilisation diagram",
                  fmt::format("Poles of realisations with more and more states; stable: {}. Poles "
                              "of the system stay where they are, others wander. Click or tap a "
                              "pole to see its shape and damping.",
                              stability_words(model.outputs()))) +
          figure_html(plot.name, "tall") + "<div id='pole' aria-live='polite'></div>";
    else
      out +=
          heading("Singular values of the Hankel matrix",
                  "As many as stand out of the level of the noise are states that the data show.") +
          figure_html(plot.name);
  return out;
}

std::string assurance_html(const HiddenPlots& plots) {
  const bool any = std::any_of(plots.shapes.begin(), plots.shapes.end(),
                               [](const ReportPlot& plot) { return plot.name == "assurance"; });
  if (!any) return {};
  return "<p class='soft'>Modal assurance criterion: 1 where two modes have the same shape in these "
         "channels, 0 where their shapes are orthogonal. Modes are numbered as above.</p>" +
         figure_html("assurance", "square");
}

std::string runs_html(const Model& model, const Dataset& data) {
  constexpr std::size_t most_runs = 12, most_modes = 40;
  const std::size_t runs = data.runs().size();
  if (!model.hidden() || model.record != "free" || runs < 2 || runs > most_runs) return {};
  std::vector<ShapedPole> modes;
  std::vector<double> frequencies;
  for (const Mode& mode : model.modes)
    if (mode.pole.imag() > 0 && modes.size() < most_modes) {
      modes.push_back({mode.pole, mode.shape});
      frequencies.push_back(mode.frequency_hz);
    }
  if (modes.empty()) return {};
  std::vector<std::vector<std::optional<RunMode>>> found;
  const bool done = unless_stopped([&] { found = modes_of_runs(data, modes, model.dimension()); });
  if (!done) return {};
  std::string out = fmt::format(
      "<p class='soft'>The same modes in each run alone, by realisations of as many states without refinement: "
      "frequency in {}, damping ratio, and the modal assurance criterion with the model's shape.</p>"
      "<div class='table'><table><tr><th>f [{}]</th>",
      escape_markup(frequency_unit(model)), escape_markup(frequency_unit(model)));
  for (const auto& run : data.runs()) out += "<th>run " + escape_markup(run.label()) + "</th>";
  out += "</tr>";
  for (std::size_t m = 0; m < modes.size(); ++m) {
    out += fmt::format("<tr><td>{:.5g}</td>", frequencies[m]);
    for (const auto& run : found) {
      if (!run[m]) {
        out += "<td>–</td>";
        continue;
      }
      const double size = std::abs(run[m]->pole);
      out += fmt::format("<td>{:.5g}, ζ {:.3g}, {:.3f}</td>",
                         frequencies[m] * size / std::abs(modes[m].pole),
                         -run[m]->pole.real() / size, run[m]->assurance);
    }
    out += "</tr>";
  }
  return out + "</table></div>";
}

std::string spectra_html(const Model& model, const HiddenPlots& plots) {
  if (plots.spectra.empty()) return {};
  std::string out = heading(
      "Spectra",
      model.ambient
          ? "Power spectral density of the data by Welch's method, and that of the model from its correlation functions."
          : "Of the data and of the model's response at the same times, root mean square over runs; without a window.");
  out += "<div class='grid'>";
  for (const auto& plot : plots.spectra) out += "<div>" + figure_html(plot.name) + "</div>";
  out += "</div>";
  const Index more = model.outputs() - std::ssize(plots.spectra);
  if (more > 0) out += fmt::format("<p>Spectra of {} more channels are not drawn.</p>", more);
  return out;
}

}  // namespace lgn
