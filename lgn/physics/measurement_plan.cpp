#include "lgn/physics/measurement_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "lgn/core/constants_internal.h"
#include "lgn/core/error.h"
#include "lgn/core/stop.h"

namespace lgn {
namespace {

/// Infinity in the place of what is not known.
double known(double error) { return std::isfinite(error) ? error : infinity; }

/// The value of a quantity and its standard error; NaN where a mode has no such quantity.
std::pair<double, double> estimated(const Mode& mode, Want::Quantity quantity) {
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  switch (quantity) {
    case Want::Quantity::frequency:
      return mode.oscillates() ? std::pair(mode.frequency_hz, known(mode.se->frequency_hz))
                               : std::pair(none, none);
    case Want::Quantity::damping_ratio:
      return mode.oscillates() ? std::pair(mode.damping_ratio, known(mode.se->damping_ratio))
                               : std::pair(none, none);
    case Want::Quantity::time_constant:
      return std::isfinite(mode.time_constant)
                 ? std::pair(mode.time_constant, known(mode.se->time_constant))
                 : std::pair(none, none);
  }
  return {none, none};
}

std::optional<Expectation> tried(const PlannedSystem& system, const PlannedRecord& record) {
  stop_point();
  try {
    return expect_errors(system, record);
  } catch (const Error&) {
    return std::nullopt;
  }
}

double rounded_up(double value) {
  const double unit = std::pow(10.0, std::floor(std::log10(value)) - 2);
  return unit * std::ceil(value / unit * (1 - 1e-12));
}

/// Looks along one quantity of the plan.
struct Search {
  const PlannedSystem& system;
  const PlannedRecord& record;
  const std::vector<Want>& wants;
  double PlannedRecord::*along;

  double shortfall_at(double value) const {
    PlannedRecord changed = record;
    changed.*along = value;
    const auto expected = tried(system, changed);
    return expected ? shortfall(*expected, system, wants) : infinity;
  }

  /// The least value that meets the wants.
  PlanNeed find(const std::string& what, double now, double floor) const {
    PlanNeed need{what, {}, now};
    double failing = 0, meeting = 0, at = record.*along, best = now;
    if (now <= 1) {
      meeting = at;
      while (failing == 0) {
        const double next = std::max(at / 2, floor);
        if (shortfall_at(next) > 1 || next <= floor)
          failing = next;
        else
          meeting = at = next;
      }
    } else {
      failing = at;
      // Where twice as much gains next to nothing, more would not either.
      constexpr double no_gain = 0.995;
      for (int still = 0; meeting == 0 && still < 2;) {
        at *= 2;
        const double found = shortfall_at(at);
        if (found <= 1)
          meeting = at;
        else if (!std::isfinite(found))
          break;
        else
          failing = at;
        still = found < no_gain * best ? 0 : still + 1;
        best = std::min(best, found);
      }
    }
    need.best = best;
    if (meeting == 0) return need;
    while (meeting > 1.01 * failing) {
      const double middle = std::sqrt(meeting * failing);
      (shortfall_at(middle) <= 1 ? meeting : failing) = middle;
    }
    need.value = rounded_up(meeting);
    return need;
  }
};

std::vector<PlanPoint> course(const PlannedSystem& system, const PlannedRecord& record,
                              double PlannedRecord::*along) {
  constexpr int octaves = 3, per_octave = 4;
  std::vector<PlanPoint> points;
  for (int k = -octaves * per_octave; k <= octaves * per_octave; ++k) {
    PlannedRecord changed = record;
    changed.*along = record.*along * std::exp2(static_cast<double>(k) / per_octave);
    points.push_back({changed.*along, tried(system, changed)});
  }
  return points;
}

std::vector<PlanNeed> find_needs(const MeasurementPlan& plan) {
  if (plan.wants.empty()) return {};
  const double now = shortfall(plan.expected, plan.system, plan.wants);
  const Search lengths{plan.system, plan.record, plan.wants, &PlannedRecord::duration};
  const Search rates{plan.system, plan.record, plan.wants, &PlannedRecord::rate};
  // The least that can be planned at all is looked for, too: a few samples, and the Nyquist rate.
  const double shortest = 2 / plan.record.rate;
  const double slowest =
      std::max(2.02 * fastest_oscillation(plan.system), 2 / plan.record.duration);
  std::vector<PlanNeed> needs{lengths.find("duration", now, shortest),
                              rates.find("rate", now, std::min(slowest, plan.record.rate))};
  PlanNeed runs{"runs", {}, now}, noise{"noise", {}, now};
  if (std::isfinite(now)) {
    runs.value =
        std::max(1.0, std::ceil(static_cast<double>(plan.record.runs) * now * now * (1 - 1e-12)));
    noise.value = 1 / now;
  }
  needs.push_back(runs);
  needs.push_back(noise);
  return needs;
}

/// Whether one expectation tells more than another.
bool tells_more(const MeasurementPlan& plan, const Expectation& a, const Expectation& b) {
  if (!plan.wants.empty()) {
    const double of_a = shortfall(a, plan.system, plan.wants);
    const double of_b = shortfall(b, plan.system, plan.wants);
    if (of_a != of_b) return of_a < of_b;
  }
  return a.information > b.information;
}

std::vector<SensorChoice> find_sensors(const MeasurementPlan& plan) {
  std::vector<SensorChoice> choices;
  std::vector<Index> chosen = plan.record.sensors;
  const Index channels = plan.system.c.rows();
  if (chosen.empty())
    for (Index c = 0; c < channels; ++c) chosen.push_back(c);
  const bool add = static_cast<Index>(chosen.size()) < channels;
  if (!add && channels < 2) return {};
  for (Index c = 0; c < channels; ++c) {
    const auto place = std::find(chosen.begin(), chosen.end(), c);
    if (add == (place != chosen.end())) continue;
    PlannedRecord changed = plan.record;
    changed.sensors = chosen;
    if (add)
      changed.sensors.insert(std::lower_bound(chosen.begin(), chosen.end(), c) - chosen.begin() +
                                 changed.sensors.begin(),
                             c);
    else
      changed.sensors.erase(changed.sensors.begin() + (place - chosen.begin()));
    const auto expected = tried(plan.system, changed);
    if (!expected) continue;
    const double more = expected->information - plan.expected.information;
    choices.push_back({c, add, *expected, add ? more : -more});
  }
  std::stable_sort(choices.begin(), choices.end(), [&](const auto& a, const auto& b) {
    return add ? tells_more(plan, a.expected, b.expected)
               : tells_more(plan, b.expected, a.expected);
  });
  return choices;
}

std::vector<InputChoice> find_inputs(const MeasurementPlan& plan) {
  if (!plan.system.drive.active()) return {};
  std::vector<InputChoice> choices;
  for (const char* input : {"steps", "chirp", "multisine", "random"}) {
    PlannedRecord changed = plan.record;
    changed.input = input;
    const auto expected = tried(plan.system, changed);
    if (!expected) continue;
    const Vector times = planned_signals(plan.system, changed).runs().front().times();
    const double most = planned_inputs(plan.system, changed, times).cwiseAbs().maxCoeff();
    choices.push_back({input, *expected, most / changed.amplitude});
  }
  std::stable_sort(choices.begin(), choices.end(), [&](const auto& a, const auto& b) {
    return tells_more(plan, a.expected, b.expected);
  });
  return choices;
}

/// A want that no mode can meet or miss is a mistake.
void check_wants(const MeasurementPlan& plan) {
  const std::vector<Mode> modes = listed_modes(plan.expected, plan.system);
  const auto count = static_cast<Index>(modes.size());
  for (const Want& want : plan.wants) {
    if (want.mode > count)
      throw Error(fmt::format("\"{}\" asks for mode {}, and there {} {}", want.text, want.mode,
                              count == 1 ? "is" : "are", count),
                  "modes are counted from 1, the slowest first");
    const bool any = std::any_of(modes.begin(), modes.end(), [&](const Mode& mode) {
      const bool meant = want.mode == 0 || &mode == &modes[static_cast<std::size_t>(want.mode - 1)];
      const auto [value, error] = estimated(mode, want.quantity);
      if (meant && want.relative && value == 0)
        throw Error(fmt::format("\"{}\" asks for a fraction of a value that is zero", want.text),
                    "ask for an absolute error, such as zeta<0.001");
      return meant && !std::isnan(value);
    });
    if (!any)
      throw Error(fmt::format("\"{}\" asks for what no mode has", want.text),
                  "modes that oscillate have f and zeta, others tau");
  }
}

}  // namespace

std::vector<Mode> listed_modes(const Expectation& expected, const PlannedSystem& system) {
  std::vector<Mode> modes;
  for (const Mode& mode : expected.modes) {
    if (mode.pole.imag() < 0) continue;
    const bool doubted =
        std::any_of(system.doubted.begin(), system.doubted.end(), [&](const Complex& pole) {
          return std::abs(pole - mode.pole) <= 1e-6 * std::abs(mode.pole);
        });
    if (!doubted) modes.push_back(mode);
  }
  return modes;
}

RelativeErrors worst_errors(const Expectation& expected, const PlannedSystem& system) {
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  RelativeErrors worst{none, none, none};
  const auto note = [](double& most, const std::pair<double, double>& found) {
    if (found.first > 0) most = std::fmax(most, found.second / found.first);
  };
  for (const Mode& mode : listed_modes(expected, system)) {
    note(worst.frequency, estimated(mode, Want::Quantity::frequency));
    note(worst.damping_ratio, estimated(mode, Want::Quantity::damping_ratio));
    if (!mode.oscillates())
      note(worst.time_constant, estimated(mode, Want::Quantity::time_constant));
  }
  return worst;
}

double shortfall(const Expectation& expected, const PlannedSystem& system,
                 const std::vector<Want>& wants) {
  const std::vector<Mode> modes = listed_modes(expected, system);
  double most = 0;
  for (const Want& want : wants)
    for (std::size_t k = 0; k < modes.size(); ++k) {
      if (want.mode > 0 && static_cast<std::size_t>(want.mode) != k + 1) continue;
      const auto [value, error] = estimated(modes[k], want.quantity);
      if (std::isnan(value)) continue;
      const double limit = want.relative ? want.limit * value : want.limit;
      most = std::max(most, limit > 0 ? error / limit : infinity);
    }
  return most;
}

MeasurementPlan plan_measurement(PlannedSystem system, PlannedRecord record,
                                 std::vector<Want> wants) {
  MeasurementPlan plan;
  plan.system = std::move(system);
  plan.record = std::move(record);
  plan.wants = std::move(wants);
  std::sort(plan.record.sensors.begin(), plan.record.sensors.end());
  plan.expected = expect_errors(plan.system, plan.record);
  check_wants(plan);
  plan.durations = course(plan.system, plan.record, &PlannedRecord::duration);
  plan.rates = course(plan.system, plan.record, &PlannedRecord::rate);
  plan.needs = find_needs(plan);
  plan.sensors = find_sensors(plan);
  plan.inputs = find_inputs(plan);
  return plan;
}

}  // namespace lgn
