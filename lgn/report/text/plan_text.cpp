#include "lgn/report/text/plan_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "lgn/model/json_writer_internal.h"
#include "lgn/report/text/tables.h"

namespace lgn {
namespace {

std::string percent(double fraction) {
  if (std::isnan(fraction)) return "–";
  if (!std::isfinite(fraction) || fraction >= 10) return "not determined";
  return fmt::format("{:.2g}%", 100 * fraction);
}

/// Relative errors, of the quantities that the modes have.
struct Columns {
  bool oscillating = false, decaying = false;

  std::vector<std::string> header(const std::string& first) const {
    std::vector<std::string> cells{first};
    if (oscillating) cells.insert(cells.end(), {"frequency", "damping ratio"});
    if (decaying) cells.emplace_back("time constant");
    return cells;
  }
  std::vector<std::string> row(const std::string& first, const RelativeErrors& worst,
                               double factor = 1) const {
    std::vector<std::string> cells{first};
    if (oscillating) {
      cells.push_back(percent(factor * worst.frequency));
      cells.push_back(percent(factor * worst.damping_ratio));
    }
    if (decaying) cells.push_back(percent(factor * worst.time_constant));
    return cells;
  }
  std::vector<std::string> words(const std::string& first, const std::string& word) const {
    std::vector<std::string> cells{first};
    cells.resize(header("").size(), word);
    return cells;
  }
};

Columns columns_of(const MeasurementPlan& plan) {
  Columns columns;
  for (const Mode& mode : listed_modes(plan.expected, plan.system))
    (mode.oscillates() ? columns.oscillating : columns.decaying) = true;
  return columns;
}

std::string sensors_text(const MeasurementPlan& plan) {
  if (plan.record.sensors.empty())
    return plan.system.channels.size() <= 4
               ? fmt::format("{}", fmt::join(plan.system.channels, ", "))
               : fmt::format("all {} channels", plan.system.channels.size());
  std::string text;
  for (const Index c : plan.record.sensors)
    text += (text.empty() ? "" : ", ") + plan.system.channels[static_cast<std::size_t>(c)];
  return text;
}

/// σ of the sensors, where there are few.
std::string noise_text(const MeasurementPlan& plan) {
  std::vector<std::string> sizes;
  const Vector& noise = plan.record.noise;
  for (Index k = 0; k < noise.size(); ++k)
    if (plan.record.sensors.empty() ||
        std::find(plan.record.sensors.begin(), plan.record.sensors.end(), k) !=
            plan.record.sensors.end())
      sizes.push_back(fmt::format("{:.3g}", noise[k]));
  if (sizes.size() > 4) return {};
  return fmt::format(", noise {}", fmt::join(sizes, ", "));
}

std::string modes_text(const MeasurementPlan& plan) {
  const Columns columns = columns_of(plan);
  const RateUnit unit = rate_unit(plan.system);
  std::vector<std::string> header{"mode"};
  if (columns.oscillating)
    header.insert(header.end(),
                  {fmt::format("frequency [{}]", unit.name), "", "damping ratio", ""});
  header.insert(header.end(), {fmt::format("time constant [{}]", plan.system.time_unit), ""});
  std::vector<std::vector<std::string>> rows;
  const auto add = [](std::vector<std::string>& cells, double value, double error) {
    if (!std::isfinite(value)) {
      cells.insert(cells.end(), {"–", ""});
    } else if (!std::isfinite(error) || (value > 0 && error >= 10 * value)) {
      cells.insert(cells.end(), {fmt::format("{:.5g}", value), "not determined"});
    } else {
      cells.push_back(with_error(value, error));
      cells.push_back(value > 0 ? percent(error / value) : "");
    }
  };
  for (const Mode& mode : listed_modes(plan.expected, plan.system)) {
    std::vector<std::string> cells{fmt::format("{}", rows.size() + 1)};
    if (columns.oscillating && mode.oscillates()) {
      add(cells, mode.frequency_hz, mode.se->frequency_hz);
      add(cells, mode.damping_ratio, mode.se->damping_ratio);
    } else if (columns.oscillating) {
      cells.insert(cells.end(), {"–", "", "–", ""});
    }
    add(cells, mode.time_constant, mode.se->time_constant);
    rows.push_back(cells);
  }
  return text_table(header, rows);
}

std::string changes_text(const MeasurementPlan& plan) {
  const Columns columns = columns_of(plan);
  const RateUnit unit = rate_unit(plan.system);
  std::vector<std::vector<std::string>> rows;
  const RelativeErrors now = worst_errors(plan.expected, plan.system);
  rows.push_back(columns.row("as planned", now));
  const double fastest = fastest_oscillation(plan.system);
  const auto add = [&](const std::vector<PlanPoint>& points, bool is_rate) {
    // Octaves of the course, two to each side.
    const std::size_t middle = points.size() / 2, octave = middle / 3;
    for (const std::size_t place :
         {middle - 2 * octave, middle - octave, middle + octave, middle + 2 * octave}) {
      const PlanPoint& point = points[place];
      const std::string name = is_rate
                                   ? fmt::format("at {:.4g} {}", unit.factor * point.at, unit.name)
                                   : fmt::format("for {:.4g} {}", point.at, plan.system.time_unit);
      if (point.expected)
        rows.push_back(columns.row(name, worst_errors(*point.expected, plan.system)));
      else if (is_rate && point.at <= 2 * fastest)
        rows.push_back(columns.words(name, "aliased"));
      else
        rows.push_back(columns.words(name, place < middle ? "too few samples" : "–"));
    }
  };
  add(plan.durations, false);
  add(plan.rates, true);
  rows.push_back(columns.row(counted(4 * plan.record.runs, "run"), now, 0.5));
  rows.push_back(columns.row("half the noise", now, 0.5));
  return text_table(columns.header("largest relative error"), rows);
}

std::string needs_text(const MeasurementPlan& plan) {
  if (plan.wants.empty()) return {};
  std::string asked;
  for (const Want& want : plan.wants) asked += (asked.empty() ? "" : ", ") + want.text;
  const double now = shortfall(plan.expected, plan.system, plan.wants);
  std::string text =
      now <= 1 ? fmt::format("\nwanted: {}: met; a standard error is {:.2g} of its limit at most\n",
                             asked, now)
      : std::isfinite(now)
          ? fmt::format("\nwanted: {}: not met; a standard error is {:.3g} times its limit\n",
                        asked, now)
          : fmt::format("\nwanted: {}: not met; a mode is not determined\n", asked);
  const RateUnit unit = rate_unit(plan.system);
  text += now <= 1 ? "each of these alone would do:\n" : "each of these alone would meet it:\n";
  for (const PlanNeed& need : plan.needs) {
    const auto none = [&](const std::string& what) {
      return std::isfinite(need.best)
                 ? fmt::format("  {:<10}no {} that was tried; {:.3g} times the limit at best\n",
                               what == "length" ? "record" : "rate", what, need.best)
                 : fmt::format("  {:<10}no {} that was tried\n",
                               what == "length" ? "record" : "rate", what);
    };
    if (need.what == "duration")
      text += need.value
                  ? fmt::format("  {:<10}{:.4g} {} at {:.4g} {}\n", "record", *need.value,
                                plan.system.time_unit, unit.factor * plan.record.rate, unit.name)
                  : none("length");
    else if (need.what == "rate")
      text += need.value ? fmt::format("  {:<10}{:.4g} {} for {:.4g} {}\n", "rate",
                                       unit.factor * *need.value, unit.name, plan.record.duration,
                                       plan.system.time_unit)
                         : none("rate");
    else if (need.what == "runs" && need.value)
      text += fmt::format("  {:<10}{:.0f} like this one\n", "runs", *need.value);
    else if (need.what == "noise" && need.value)
      text += fmt::format("  {:<10}{:.3g} times the planned one\n", "noise", *need.value);
  }
  return text;
}

std::string nats(double gain) {
  return std::isfinite(gain) ? fmt::format("{:+.2f}", gain) : std::string("–");
}

std::string sensors_table(const MeasurementPlan& plan) {
  if (plan.sensors.empty()) return {};
  const Columns columns = columns_of(plan);
  const bool add = plan.sensors.front().add;
  std::vector<std::string> header = columns.header(add ? "sensor to add" : "sensor to leave out");
  header.emplace_back("information");
  std::vector<std::vector<std::string>> rows;
  constexpr std::size_t most = 12;
  for (const SensorChoice& choice : plan.sensors) {
    if (rows.size() == most) break;
    rows.push_back(columns.row(plan.system.channels[static_cast<std::size_t>(choice.channel)],
                               worst_errors(choice.expected, plan.system)));
    rows.back().push_back(nats(add ? choice.gain : -choice.gain));
  }
  return fmt::format("\n{}\n{}",
                     add ? "the next sensor, the most telling first:"
                         : "each sensor left out, the least missed last:",
                     text_table(header, rows));
}

std::string inputs_table(const MeasurementPlan& plan) {
  if (plan.inputs.empty()) return {};
  const Columns columns = columns_of(plan);
  std::vector<std::string> header = columns.header("input");
  header.insert(header.end(), {"information", "peak/rms"});
  std::vector<std::vector<std::string>> rows;
  for (const InputChoice& choice : plan.inputs) {
    rows.push_back(
        columns.row(choice.input + (choice.input == plan.record.input ? " (planned)" : ""),
                    worst_errors(choice.expected, plan.system)));
    rows.back().push_back(nats(choice.expected.information - plan.expected.information));
    rows.back().push_back(fmt::format("{:.3g}", choice.crest));
  }
  return "\ninputs of the same rms, the most telling first:\n" + text_table(header, rows);
}

Json modes_json(const Expectation& expected, const PlannedSystem& system, double factor = 1) {
  Json list = Json::array();
  for (const Mode& mode : listed_modes(expected, system))
    list.push_back({{"re", json_number(mode.pole.real())},
                    {"im", json_number(mode.pole.imag())},
                    {"frequency_hz", json_number(mode.frequency_hz)},
                    {"damping_ratio", json_number(mode.damping_ratio)},
                    {"time_constant", json_number(mode.time_constant)},
                    {"se",
                     {{"re", json_number(factor * mode.se->re)},
                      {"im", json_number(factor * mode.se->im)},
                      {"frequency_hz", json_number(factor * mode.se->frequency_hz)},
                      {"damping_ratio", json_number(factor * mode.se->damping_ratio)},
                      {"time_constant", json_number(factor * mode.se->time_constant)}}},
                    {"identifiable", mode.identifiable.value_or(true)}});
  return list;
}

Json points_json(const std::vector<PlanPoint>& points, const PlannedSystem& system,
                 const char* name, double factor) {
  Json list = Json::array();
  for (const PlanPoint& point : points)
    list.push_back(
        {{name, factor * point.at},
         {"modes", point.expected ? modes_json(*point.expected, system) : Json(nullptr)}});
  return list;
}

Json names_json(const MeasurementPlan& plan) {
  Json names = Json::array();
  if (plan.record.sensors.empty())
    for (const auto& name : plan.system.channels) names.push_back(name);
  for (const Index c : plan.record.sensors)
    names.push_back(plan.system.channels[static_cast<std::size_t>(c)]);
  return names;
}

}  // namespace

RateUnit rate_unit(const PlannedSystem& system) {
  const auto seconds = seconds_in(system.time_unit);
  if (!seconds) return {1, "1/" + system.time_unit};
  return {1 / *seconds, "Hz"};
}

std::string plan_assumptions(const MeasurementPlan& plan) {
  if (plan.assumptions.empty()) return {};
  return fmt::format("taken for granted: {}", fmt::join(plan.assumptions, ", "));
}

std::string plan_text(const MeasurementPlan& plan) {
  const RateUnit unit = rate_unit(plan.system);
  return fmt::format("expected standard errors: {} of {:.4g} {} at {:.4g} {}, sensors {}{}\n\n",
                     counted(plan.record.runs, "run"), plan.record.duration, plan.system.time_unit,
                     unit.factor * plan.record.rate, unit.name, sensors_text(plan),
                     noise_text(plan)) +
         modes_text(plan) + "\n" + changes_text(plan) + needs_text(plan) + sensors_table(plan) +
         inputs_table(plan) +
         (plan.sensors.empty() && plan.inputs.empty()
              ? ""
              : "\ninformation: what is known of the poles, in nats beside the plan; 0.7 nats halve the volume of their confidence region\n");
}

std::string plan_json(const MeasurementPlan& plan) {
  const RateUnit unit = rate_unit(plan.system);
  Json json{{"schema", "lgn-plan/1"},
            {"duration", plan.record.duration},
            {"rate_hz", unit.factor * plan.record.rate},
            {"runs", plan.record.runs},
            {"time_unit", plan.system.time_unit},
            {"sensors", names_json(plan)},
            {"noise", json_vector(plan.record.noise)},
            {"values", plan.expected.values},
            {"unknowns", plan.expected.unknowns},
            {"modes", modes_json(plan.expected, plan.system)}};
  Json runs = Json::array(), noise = Json::array();
  for (const Index factor : {1, 2, 4, 8, 16})
    runs.push_back({{"runs", factor * plan.record.runs},
                    {"modes", modes_json(plan.expected, plan.system,
                                         1 / std::sqrt(static_cast<double>(factor)))}});
  for (const double factor : {0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0})
    noise.push_back(
        {{"factor", factor}, {"modes", modes_json(plan.expected, plan.system, factor)}});
  json["against"] = {{"duration", points_json(plan.durations, plan.system, "duration", 1)},
                     {"rate", points_json(plan.rates, plan.system, "rate_hz", unit.factor)},
                     {"runs", runs},
                     {"noise", noise}};
  Json wants = Json::array(), needs = Json::object();
  for (const Want& want : plan.wants) wants.push_back(want.text);
  for (const PlanNeed& need : plan.needs) {
    const bool is_rate = need.what == "rate";
    needs[is_rate                ? "rate_hz"
          : need.what == "noise" ? "noise_factor"
                                 : need.what] =
        need.value ? Json((is_rate ? unit.factor : 1.0) * *need.value) : Json(nullptr);
  }
  json["wants"] = wants;
  json["shortfall"] = plan.wants.empty()
                          ? Json(nullptr)
                          : json_number(shortfall(plan.expected, plan.system, plan.wants));
  json["needs"] = needs;
  Json sensors = Json::array(), inputs = Json::array();
  for (const SensorChoice& choice : plan.sensors)
    sensors.push_back({{"channel", plan.system.channels[static_cast<std::size_t>(choice.channel)]},
                       {"change", choice.add ? "add" : "leave out"},
                       {"information", json_number(choice.add ? choice.gain : -choice.gain)},
                       {"modes", modes_json(choice.expected, plan.system)}});
  for (const InputChoice& choice : plan.inputs)
    inputs.push_back(
        {{"input", choice.input},
         {"information", json_number(choice.expected.information - plan.expected.information)},
         {"crest", choice.crest},
         {"modes", modes_json(choice.expected, plan.system)}});
  const bool adds = !plan.sensors.empty() && plan.sensors.front().add;
  json["next_sensor"] = adds ? sensors.front()["channel"] : Json(nullptr);
  json["sensor_choices"] = sensors;
  json["best_input"] = plan.inputs.empty() ? Json(nullptr) : Json(plan.inputs.front().input);
  json["input_choices"] = inputs;
  json["assumptions"] = plan.assumptions;
  return json.dump(1) + "\n";
}

}  // namespace lgn
