#include "lgn/report/text/response_text.h"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "lgn/model/json_writer_internal.h"

namespace lgn {
namespace {

constexpr double degrees = 180 / std::numbers::pi;

double decibels(double factor) { return 20 * std::log10(factor); }
double decibel_error(const Estimated& e) { return 20 / std::numbers::ln10 * e.error / e.value; }

std::string at_frequency(const Model& model, const Estimated& omega) {
  const double factor = frequency_factor(model);
  return fmt::format("{} {}", with_error(factor * omega.value, factor * omega.error),
                     frequency_unit(model));
}

/// Poles or zeros, one of each conjugate pair, those that are not determined as a number of them.
template <class Roots>
std::string roots_text(const Roots& roots, const std::string& unit) {
  std::string text;
  Index uncertain = 0;
  for (const auto& [value, re_error, im_error] : roots) {
    if (value.imag() < 0) continue;
    if (std::hypot(re_error, im_error) > std::abs(value)) {
      uncertain += value.imag() > 0 ? 2 : 1;
      continue;
    }
    text += (text.empty() ? "" : ", ") + root_text(value, re_error, im_error);
  }
  if (!text.empty()) text += " " + unit;
  if (uncertain > 0)
    text += fmt::format("{}{} not determined", text.empty() ? "" : "; ", uncertain);
  return text.empty() ? "none" : text;
}

std::string poles_text(const Model& model) {
  std::vector<EstimatedZero> poles;
  for (const Mode& mode : model.modes)
    poles.push_back(mode.se ? EstimatedZero{mode.pole, mode.se->re, mode.se->im}
                            : EstimatedZero{mode.pole});
  return roots_text(poles, "1/" + model.time_unit);
}

std::string cell(const std::string& name) {
  if (name.find_first_of(",;\t\"\n\r") == std::string::npos) return name;
  std::string text = "\"";
  for (const char c : name) text.append(c == '"' ? 2 : 1, c);
  return text + "\"";
}

std::string number(double value) {
  return std::isfinite(value) ? fmt::format("{}", value) : std::string();
}

std::string names(const Model& model, std::size_t place) {
  const auto outputs = static_cast<std::size_t>(model.outputs());
  return cell(model.inputs[place / outputs]) + "," + cell(model.channels[place % outputs]);
}

Json estimated_json(const Estimated& e, double factor = 1) {
  return {{"value", json_number(factor * e.value)}, {"se", json_number(factor * e.error)}};
}

Json zeros_json(const std::vector<EstimatedZero>& zeros) {
  Json list = Json::array();
  for (const EstimatedZero& zero : zeros)
    list.push_back(
        {{"re", json_number(zero.value.real())},
         {"im", json_number(zero.value.imag())},
         {"se", {{"re", json_number(zero.re_error)}, {"im", json_number(zero.im_error)}}}});
  return list;
}

Json curve_json(const FrequencyResponse& curve, double factor) {
  return {{"frequency_hz", json_vector(factor * curve.omega)},
          {"H", json_complex(curve.values)},
          {"magnitude_se", json_vector(curve.magnitude_errors())},
          {"phase_deg", json_vector(degrees * curve.phases())},
          {"phase_deg_se", json_vector(degrees * curve.phase_errors())}};
}

Json course_json(const TimeResponse& response) {
  return {{"t", json_vector(response.times)},
          {"value", json_vector(response.values)},
          {"se", json_vector(response.errors)}};
}

}  // namespace

std::string pair_name(const Model& model, Index output, Index input) {
  return model.inputs[static_cast<std::size_t>(input)] + " → " +
         model.channels[static_cast<std::size_t>(output)];
}

double frequency_factor(const Model& model) {
  return 1 / (2 * std::numbers::pi * seconds_in(model.time_unit).value_or(1.0));
}

std::vector<std::pair<std::string, std::string>> figure_words(const Model& model,
                                                              const ResponseFigures& figures) {
  const auto there = [](const Estimated& e) { return std::isfinite(e.value); };
  const std::string none = "–";
  const ResponseFigures& f = figures;
  const bool at_rest = f.peak_frequency.value == 0;
  return {
      {"static gain",
       there(f.static_gain) ? with_error(f.static_gain.value, f.static_gain.error) : none},
      {"bandwidth (−3 dB)", there(f.bandwidth) ? at_frequency(model, f.bandwidth) : none},
      {"peak", there(f.peak)
                   ? with_error(f.peak.value, f.peak.error) +
                         (at_rest ? " at rest" : " at " + at_frequency(model, f.peak_frequency))
                   : none},
      {"gain margin", there(f.gain_margin) ? with_error(decibels(f.gain_margin.value),
                                                        decibel_error(f.gain_margin)) +
                                                 " dB at " + at_frequency(model, f.gain_crossing)
                                           : none},
      {"phase margin", there(f.phase_margin) ? with_error(degrees * f.phase_margin.value,
                                                          degrees * f.phase_margin.error) +
                                                   "° at " + at_frequency(model, f.phase_crossing)
                                             : none},
      {"zeros", roots_text(f.zeros, "1/" + model.time_unit)}};
}

std::string response_text(const Model& model, const ModelResponse& response) {
  std::string text = "poles: " + poles_text(model) + "\n";
  if (!response.zeros.empty())
    text +=
        "zeros of the whole system: " + roots_text(response.zeros, "1/" + model.time_unit) + "\n";
  for (const ResponseFigures& figures : response.figures) {
    text += "\n" + pair_name(model, figures.output, figures.input) + "\n";
    for (const auto& [name, words] : figure_words(model, figures)) {
      // A sign of three bytes takes one place.
      const std::size_t wide = name.find("−") == std::string::npos ? 20 : 22;
      text += "  " + name + std::string(wide - name.size(), ' ') + words + "\n";
    }
  }
  text += "\nmargins: those of each pair closed by unit negative feedback, the nearest crossing\n";
  const double last = response.frequency.front().omega.tail(1)[0];
  text += fmt::format("looked for up to {} {}\n", short_number(frequency_factor(model) * last),
                      frequency_unit(model));
  if (model.system_errors.known())
    text += "± one standard error, and errors in units of the last digits\n";
  else
    text += "standard errors are not known: the model has none of B, C and D together\n";
  if (model.drive.timing.delay != 0) text += "the delay counts as known\n";
  return text;
}

Table response_table(const Model& model, const ModelResponse& response) {
  Table table{{"from → to"}, {}};
  for (const ResponseFigures& figures : response.figures) {
    table.rows.push_back({pair_name(model, figures.output, figures.input)});
    for (const auto& [name, words] : figure_words(model, figures)) {
      if (table.rows.size() == 1) table.header.push_back(name);
      table.rows.back().push_back(words);
    }
  }
  return table;
}

std::string bode_csv(const Model& model, const ModelResponse& response) {
  const double factor = frequency_factor(model), nan = std::nan("");
  std::string text =
      "source,input,output,frequency_hz,re,im,magnitude,magnitude_se,phase_deg,phase_deg_se,coherence\n";
  const auto row = [&](const char* source, std::size_t place, double omega, Complex h, double se,
                       double phase, double phase_se, double coherence) {
    text += fmt::format("{},{}", source, names(model, place));
    for (const double value : {factor * omega, h.real(), h.imag(), std::abs(h), se, degrees * phase,
                               degrees * phase_se, coherence})
      text += "," + number(value);
    text += "\n";
  };
  for (std::size_t p = 0; p < response.frequency.size(); ++p) {
    const FrequencyResponse& curve = response.frequency[p];
    const Vector phases = curve.phases(), size = curve.magnitude_errors(),
                 turn = curve.phase_errors();
    for (Index k = 0; k < curve.omega.size(); ++k)
      row("model", p, curve.omega[k], curve.values[k], size.size() > 0 ? size[k] : nan, phases[k],
          turn.size() > 0 ? turn[k] : nan, nan);
  }
  if (!response.data) return text;
  for (std::size_t p = 0; p < response.data->values.size(); ++p)
    for (Index k = 0; k < response.data->omega.size(); ++k) {
      const Complex h = response.data->values[p][k];
      row("data", p, response.data->omega[k], h, nan, std::arg(h), nan,
          response.data->coherence(static_cast<Index>(p) % model.outputs(), k));
    }
  return text;
}

std::string time_csv(const Model& model, const std::vector<TimeResponse>& responses) {
  std::string text = "input,output,t,value,se\n";
  for (std::size_t p = 0; p < responses.size(); ++p)
    for (Index k = 0; k < responses[p].times.size(); ++k)
      text += fmt::format("{},{},{},{}\n", names(model, p), number(responses[p].times[k]),
                          number(responses[p].values[k]),
                          responses[p].errors.size() > 0 ? number(responses[p].errors[k]) : "");
  return text;
}

std::string response_json(const Model& model, const ModelResponse& response) {
  const double factor = frequency_factor(model);
  Json pairs = Json::array();
  for (std::size_t p = 0; p < response.figures.size(); ++p) {
    const ResponseFigures& f = response.figures[p];
    Json pair = {{"input", model.inputs[static_cast<std::size_t>(f.input)]},
                 {"output", model.channels[static_cast<std::size_t>(f.output)]},
                 {"static_gain", estimated_json(f.static_gain)},
                 {"bandwidth_hz", estimated_json(f.bandwidth, factor)},
                 {"peak", estimated_json(f.peak)},
                 {"peak_frequency_hz", estimated_json(f.peak_frequency, factor)},
                 {"gain_margin", estimated_json(f.gain_margin)},
                 {"gain_margin_frequency_hz", estimated_json(f.gain_crossing, factor)},
                 {"phase_margin_deg", estimated_json(f.phase_margin, degrees)},
                 {"phase_margin_frequency_hz", estimated_json(f.phase_crossing, factor)},
                 {"zeros", zeros_json(f.zeros)},
                 {"bode", curve_json(response.frequency[p], factor)},
                 {"step", course_json(response.step[p])},
                 {"impulse", course_json(response.impulse[p])}};
    if (response.data && response.data->omega.size() > 0)
      pair["data"] = {
          {"frequency_hz", json_vector(factor * response.data->omega)},
          {"H", json_complex(response.data->values[p])},
          {"coherence", json_vector(response.data->coherence.row(f.output).transpose())}};
    pairs.push_back(std::move(pair));
  }
  const Json json = {{"zeros", zeros_json(response.zeros)},
                     {"delay", json_number(model.drive.timing.delay)},
                     {"interval_factor", json_number(model.fit.interval)},
                     {"responses", pairs}};
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace lgn
