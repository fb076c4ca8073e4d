#include "lgn/report/page/response_section.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "lgn/report/page/page_parts_internal.h"
#include "lgn/report/text/response_text.h"

namespace lgn {
namespace {

constexpr double degrees = 180 / std::numbers::pi;
constexpr const char* bode_group = "response";
constexpr const char* response_group = "response-time";
/// Coherence from which a point of the data says something.
constexpr double coherent = 0.3;

Vector decibels(const Vector& sizes) { return 20 * sizes.array().log10(); }

/// Over frequency, from the first to the last of a curve.
void choose_axis(Plot& plot, const Model& model, const FrequencyResponse& curve) {
  const double factor = frequency_factor(model);
  plot.log_x().range_x(factor * curve.omega[0], factor * curve.omega.tail(1)[0]);
}

std::string frequency_label(const Model& model) {
  return fmt::format("frequency [{}]", frequency_unit(model));
}

/// The data's points of one pair.
struct Measured {
  Vector frequencies, sizes, phases, coherence;
};

/// Angles of the data as near to the model's as whole turns allow.
Measured measured(const Model& model, const TransferEstimate& data, std::size_t pair,
                  const FrequencyResponse& curve) {
  const Index count = (data.omega.array() <= curve.omega.tail(1)[0] * (1 + 1e-9)).count();
  const ComplexVector values = data.values[pair].head(count);
  Measured result{frequency_factor(model) * data.omega.head(count), decibels(values.cwiseAbs()),
                  Vector(count),
                  data.coherence.row(static_cast<Index>(pair) % model.outputs()).head(count)};
  const Vector phases = curve.phases();
  for (Index k = 0; k < count; ++k) {
    const auto after = std::lower_bound(curve.omega.begin(), curve.omega.end(), data.omega[k]);
    const Index near = std::min<Index>(after - curve.omega.begin(), curve.omega.size() - 1);
    constexpr double turn = 2 * std::numbers::pi;
    const double angle = std::arg(values[k]);
    result.phases[k] = degrees * (angle - turn * std::round((angle - phases[near]) / turn));
  }
  return result;
}

/// What a magnitude plot shows: the curve and the coherent data, 160 dB at most.
void choose_range(Plot& plot, const Vector& curve, const Measured& data) {
  double low = INFINITY, high = -INFINITY;
  const auto add = [&](double value) {
    if (!std::isfinite(value)) return;
    low = std::min(low, value);
    high = std::max(high, value);
  };
  for (const double value : curve) add(value);
  for (Index k = 0; k < data.sizes.size(); ++k)
    if (data.coherence[k] > coherent) add(data.sizes[k]);
  if (!(low <= high)) return;
  constexpr double margin = 4, most = 160;
  plot.range_y(std::max(low, high - most) - margin, high + margin);
}

ReportPlot magnitude_plot(const Model& model, const std::string& name, std::size_t number,
                          const FrequencyResponse& curve, const Measured& data) {
  Plot plot(name + ", magnitude", frequency_label(model), "|H| [dB]", 720, 300);
  choose_axis(plot, model, curve);
  const Vector frequencies = frequency_factor(model) * curve.omega;
  const Vector sizes = curve.values.cwiseAbs(), level = decibels(sizes);
  if (curve.covariance.size() > 0) {
    // A thousandth is as good as nothing, which has no logarithm.
    const Vector wide = model.fit.interval * curve.magnitude_errors();
    plot.band(frequencies, decibels((sizes - wide).cwiseMax(1e-3 * sizes)), decibels(sizes + wide),
              2);
  }
  if (data.sizes.size() > 0) plot.dots(data.frequencies, data.sizes, 0, "data");
  plot.line(frequencies, level, 2, "model");
  choose_range(plot, level, data);
  return {fmt::format("magnitude-{}", number), bode_group, std::move(plot)};
}

ReportPlot phase_plot(const Model& model, const std::string& name, std::size_t number,
                      const FrequencyResponse& curve, const Measured& data) {
  Plot plot(name + ", phase", frequency_label(model), "arg H [°]", 720, 220);
  choose_axis(plot, model, curve);
  const Vector frequencies = frequency_factor(model) * curve.omega;
  const Vector phases = degrees * curve.phases();
  double low = phases.minCoeff(), high = phases.maxCoeff();
  if (curve.covariance.size() > 0) {
    const Vector wide = (degrees * model.fit.interval * curve.phase_errors()).cwiseMin(180.0);
    plot.band(frequencies, phases - wide, phases + wide, 2);
  }
  for (Index k = 0; k < data.phases.size(); ++k)
    if (data.coherence[k] > coherent) {
      low = std::min(low, data.phases[k]);
      high = std::max(high, data.phases[k]);
    }
  if (data.phases.size() > 0) plot.dots(data.frequencies, data.phases, 0, "data");
  plot.line(frequencies, phases, 2, "model");
  if (std::isfinite(low) && std::isfinite(high)) plot.range_y(low - 15, high + 15);
  return {fmt::format("phase-{}", number), bode_group, std::move(plot)};
}

ReportPlot coherence_plot(const Model& model, const std::string& name, std::size_t number,
                          const FrequencyResponse& curve, const Measured& data) {
  Plot plot(name + ", coherence of the data", frequency_label(model), "γ²", 720, 170);
  choose_axis(plot, model, curve);
  plot.range_y(0, 1.05);
  plot.line(data.frequencies, data.coherence, 0, "");
  plot.dots(data.frequencies, data.coherence, 0, "");
  return {fmt::format("coherence-{}", number), bode_group, std::move(plot)};
}

ReportPlot course_plot(const Model& model, const std::string& name, const std::string& kind,
                       std::size_t number, const TimeResponse& response, const Estimated& last) {
  Plot plot(fmt::format("{}, {} response", name, kind), fmt::format("time [{}]", model.time_unit),
            "response", 720, 260);
  plot.range_x(response.times[0], response.times.tail(1)[0]);
  if (response.errors.size() > 0) {
    const Vector wide = model.fit.interval * response.errors;
    plot.band(response.times, response.values - wide, response.values + wide, 1);
  }
  if (std::isfinite(last.value))
    plot.line(Vector{{response.times[0], response.times.tail(1)[0]}},
              Vector::Constant(2, last.value), 0, "static gain", {1, true, true});
  plot.line(response.times, response.values, 1, "");
  return {fmt::format("{}-{}", kind, number), response_group, std::move(plot)};
}

}  // namespace

ResponsePlots draw_response(const Model& model, ModelResponse response, Index most_pairs) {
  ResponsePlots result;
  const Index pairs = std::ssize(response.figures);
  result.left_out = std::max<Index>(0, pairs - most_pairs);
  for (Index p = 0; p < pairs - result.left_out; ++p) {
    const auto place = static_cast<std::size_t>(p);
    const ResponseFigures& figures = response.figures[place];
    const FrequencyResponse& curve = response.frequency[place];
    const std::string name = pair_name(model, figures.output, figures.input);
    Measured data;
    if (response.data && response.data->omega.size() > 0)
      data = measured(model, *response.data, place, curve);
    result.bode.push_back(magnitude_plot(model, name, place + 1, curve, data));
    result.bode.push_back(phase_plot(model, name, place + 1, curve, data));
    // One for each output: all inputs together explain it.
    if (data.coherence.size() > 0 && figures.input == 0)
      result.bode.push_back(coherence_plot(
          model, model.channels[static_cast<std::size_t>(figures.output)], place + 1, curve, data));
    result.step.push_back(
        course_plot(model, name, "step", place + 1, response.step[place], figures.static_gain));
    result.impulse.push_back(
        course_plot(model, name, "impulse", place + 1, response.impulse[place], {}));
  }
  result.response = std::move(response);
  return result;
}

ResponsePlots response_plots(const Model& model, const Dataset& data) {
  constexpr Index most_pairs = 12;
  if (!model.drive.active() || model.variation) return {};
  // Zeros take some n³ for each pair.
  constexpr double most_work = 1e8;
  const auto n = static_cast<double>(model.dimension());
  const auto pairs = static_cast<double>(model.outputs() * std::ssize(model.inputs));
  if (pairs * n * n * n > most_work) {
    ResponsePlots result;
    result.too_large = true;
    return result;
  }
  return draw_response(model, model_response(model, &data), most_pairs);
}

std::string response_html(const Model& model, const ResponsePlots& plots) {
  if (plots.too_large)
    return heading(
        "Response to inputs",
        "Left out for a system of this size: lgn response writes the transfer functions.");
  if (!plots.response) return {};
  std::string words =
      "Transfer functions from inputs to channels, their responses to a unit step and to an impulse, and what is read off them. ";
  words += model.system_errors.known()
               ? fmt::format("Bands: {:.4g}% confidence.", 100 * model.fit.confidence)
               : "Errors are not known.";
  if (model.drive.timing.delay != 0) words += " The delay counts as known.";
  if (plots.response->data && plots.response->data->omega.size() > 0)
    words += fmt::format(
        " Dots: the transfer function of the data themselves, averaged over {} segments, and its coherence.",
        plots.response->data->segments);
  else if (plots.response->data)
    words +=
        " The data themselves show no transfer function: " + plots.response->data->reason + ".";
  std::string out = heading("Response to inputs", words);
  out += "<div id='response'>" + table_html(response_table(model, *plots.response));
  for (const auto* list : {&plots.bode, &plots.step, &plots.impulse})
    for (const auto& plot : *list)
      out += figure_html(plot.name, plot.name.starts_with("coherence") ? "low" : "");
  if (plots.left_out > 0)
    out += fmt::format("<p>{} more pairs of an input and a channel are not drawn.</p>",
                       plots.left_out);
  return out + "</div>";
}

}  // namespace lgn
