#include "lgn/model/plan_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "lgn/core/constants_internal.h"
#include "lgn/core/decompositions.h"
#include "lgn/core/error.h"
#include "lgn/core/number_text.h"
#include "lgn/core/setting.h"
#include "lgn/model/plan_parsing_internal.h"

namespace lgn {
namespace {

using namespace plan_internal;

PlannedSystem model_system(const Model& model) {
  model.check_dense("a plan");
  if (model.variation)
    throw Error("the generator varies in time, for which there are no plans yet",
                "fit a constant one: " + setting("structure", "auto"));
  if (model.record == "ambient")
    throw Error(
        "the model is one of random vibration, whose errors follow other laws than those of free and driven motion",
        "they fall with the square root of the length of the record");
  PlannedSystem system;
  const Index n = model.dimension();
  system.channels = model.channels;
  system.time_unit = model.time_unit;
  system.a = model.a;
  system.c = model.hidden() ? model.c : Matrix(Matrix::Identity(n, n));
  system.offset = model.offset.size() > 0;
  std::vector<Complex> doubted;
  for (const Mode& mode : model.modes)
    if (!mode.identifiable.value_or(true) || !mode.spurious.empty()) doubted.push_back(mode.pole);
  // Where nothing would be left, nothing is left out.
  if (doubted.size() < model.modes.size())
    system.doubted = Eigen::Map<const ComplexVector>(doubted.data(), std::ssize(doubted));
  if (model.drive.active()) {
    system.drive = model.drive;
    return system;
  }
  system.starts = model.starts;
  if (!model.hidden() && model.offset.size() > 0) system.starts.colwise() -= model.rest();
  if (system.starts.size() == 0 || !system.starts.allFinite() || system.starts.isZero(0))
    throw Error("the model has no initial states that a free response could begin with",
                fmt::format("plan for its modes: {}", setting("mode", "3.2Hz,0.01")));
  return system;
}

/// Hz in one per unit of time, and what to call it.
std::pair<double, std::string> hertz(const PlannedSystem& system) {
  const auto seconds = seconds_in(system.time_unit);
  return seconds ? std::pair(1 / *seconds, std::string("Hz"))
                 : std::pair(1.0, "1/" + system.time_unit);
}

/// Chooses the length of the record, where nobody did.
void choose_duration(PlannedRecord& record, const PlannedSystem& system, const Model* model,
                     std::vector<std::string>& taken) {
  const auto said = [&](const std::string& why) {
    taken.push_back(
        fmt::format("{:.4g} {} for a run ({})", record.duration, system.time_unit, why));
  };
  if (model != nullptr && model->data.step > 0 && model->data.runs > 0) {
    record.duration = model->data.step * static_cast<double>(model->data.samples) /
                      static_cast<double>(model->data.runs);
    if (record.duration > 0) return said("as long as the model's data");
  }
  const ComplexVector poles = eigenvalues(system.a);
  double decay = 0, turn = 0;
  for (const Complex& pole : poles) {
    const auto slower = [](double& least, double rate) {
      if (rate > 0) least = least > 0 ? std::min(least, rate) : rate;
    };
    slower(decay, -pole.real());
    slower(turn, std::abs(pole.imag()) / (2 * pi));
  }
  constexpr double time_constants = 3, cycles = 50;
  if (decay > 0 && (turn == 0 || time_constants / decay < 100 * cycles / turn)) {
    record.duration = time_constants / decay;
    return said("three time constants of the slowest mode");
  }
  record.duration = turn > 0 ? cycles / turn : 1;
  said("fifty cycles of the slowest mode");
}

void choose_rate(PlannedRecord& record, const PlannedSystem& system, const Model* model,
                 std::vector<std::string>& taken) {
  const auto [factor, unit] = hertz(system);
  const double fastest = fastest_oscillation(system);
  double cycle = 0;
  for (const Complex& pole : eigenvalues(system.a))
    if (pole.imag() != 0) cycle = std::max(cycle, std::abs(pole) / (2 * pi));
  std::string why = "as fast as the model's data";
  record.rate = model != nullptr && model->data.step > 0 ? 1 / model->data.step : 0;
  if (!(record.rate > 2 * fastest)) {
    why = "ten samples in a cycle of the fastest mode";
    record.rate = 10 * cycle;
  }
  if (!(record.rate > 0)) {
    why = "two hundred samples in a run";
    record.rate = 200 / record.duration;
  }
  taken.push_back(fmt::format("{:.4g} {} ({})", factor * record.rate, unit, why));
}

Index runs_of(const std::string& text, Index otherwise) {
  if (text.empty()) return otherwise;
  constexpr double most = 1e6;
  const auto count = quantity_of(text);
  if (!count || !count->unit.empty() || !(count->value >= 1) || count->value > most ||
      count->value != std::floor(count->value))
    throw Error(fmt::format("\"{}\" is no number of runs", text),
                "a whole number from 1 on, such as " + setting("runs", "3"));
  return static_cast<Index>(count->value);
}

void choose_sensors(PlannedRecord& record, const PlannedSystem& system,
                    const std::vector<std::string>& names) {
  for (const auto& name : names) {
    const auto found = std::find(system.channels.begin(), system.channels.end(), name);
    Index channel = found - system.channels.begin();
    if (found == system.channels.end()) {
      const auto number = quantity_of(name);
      const bool counts = number && number->unit.empty() && number->value >= 1 &&
                          number->value <= static_cast<double>(system.channels.size()) &&
                          number->value == std::floor(number->value);
      if (!counts)
        throw Error(fmt::format("there is no channel \"{}\"", name),
                    fmt::format("channels are {}", fmt::join(system.channels, ", ")));
      channel = static_cast<Index>(number->value) - 1;
    }
    if (std::find(record.sensors.begin(), record.sensors.end(), channel) != record.sensors.end())
      throw Error(fmt::format("the channel \"{}\" is named twice", name),
                  "name each sensor once: " + setting("sensors"));
    record.sensors.push_back(channel);
  }
}

void choose_noise(PlannedRecord& record, const PlannedSystem& system, const Model* model,
                  std::string text, std::vector<std::string>& taken) {
  const Index l = system.c.rows();
  if (text.empty()) {
    if (model != nullptr && model->fit.channel_noise.size() == l &&
        (model->fit.channel_noise.array() > 0).all()) {
      record.noise = model->fit.channel_noise;
      taken.emplace_back("the noise of the model's data");
      return;
    }
    text = "1%";
    taken.emplace_back("noise of 1% of the rms of each channel");
  }
  const std::vector<std::string> parts = split(text);
  if (parts.size() != 1 && std::ssize(parts) != l)
    throw Error(fmt::format("\"{}\" is the noise of {}, and there {} {}", text,
                            counted(std::ssize(parts), "channel"), l == 1 ? "is" : "are", l),
                "give one for all, or one for each");
  record.noise.resize(l);
  Vector rms;
  for (Index c = 0; c < l; ++c) {
    const std::string& part = parts[parts.size() == 1 ? 0 : static_cast<std::size_t>(c)];
    const auto value = fraction_of(part);
    if (!value || !(*value > 0))
      throw Error(
          fmt::format("\"{}\" is no noise", part),
          fmt::format("a positive part of the rms, such as {}, or a standard deviation, such as {}",
                      setting("noise", "1%"), setting("noise", "0.01")));
    record.noise[c] = *value;
    if (!part.ends_with('%')) continue;
    if (rms.size() == 0) {
      rms = planned_rms(system, record);
      if (!(rms.maxCoeff() > 0) || !rms.allFinite())
        throw Error(
            "no channel shows anything of the planned motion, so that noise cannot be a part of it",
            "give the noise in the channels' unit: " + setting("noise", "0.01"));
    }
    // Of a channel that shows nothing, as of the one that shows most.
    record.noise[c] *= rms[c] > 1e-9 * rms.maxCoeff() ? rms[c] : rms.maxCoeff();
  }
}

MeasurementPlan planned(PlannedSystem system, const Model* model, const PlanOptions& options) {
  std::vector<std::string> taken;
  PlannedRecord record;
  if (!std::isfinite(options.amplitude) || !(options.amplitude > 0))
    throw Error(fmt::format("inputs cannot have an amplitude of {}", options.amplitude),
                "it is their rms, a positive number: " + setting("amplitude", "1"));
  const bool driven = system.drive.active();
  if (!driven && !options.input.empty())
    throw Error("there is no input to excite", "leave out " + setting("input"));
  record.amplitude = options.amplitude;
  record.seed = options.seed;
  if (!options.input.empty()) record.input = options.input;
  if (options.duration.empty())
    choose_duration(record, system, model, taken);
  else
    record.duration = duration_of(options.duration, system.time_unit);
  if (options.rate.empty())
    choose_rate(record, system, model, taken);
  else
    record.rate =
        rate_of(options.rate, system.time_unit, "sampling rate",
                fmt::format("such as {} or {}", setting("rate", "200Hz"), setting("rate", "1kHz")));
  record.runs = runs_of(options.runs, driven ? 1 : system.starts.cols());
  if (options.runs.empty()) taken.push_back(counted(record.runs, "run"));
  choose_sensors(record, system, options.sensors);
  choose_noise(record, system, model, options.noise, taken);
  if (driven)
    taken.push_back(fmt::format("{}inputs of rms {:g} from rest",
                                options.input.empty() ? "steps as " : "", record.amplitude));
  else
    taken.emplace_back(model == nullptr ? "all modes released from rest"
                                        : "the model's initial states");
  taken.push_back(fmt::format("{} offset to estimate", system.offset ? "an" : "no"));
  taken.emplace_back("the number of modes known, noise white and normal");
  if (constexpr double noticeable = 1.1; model != nullptr && model->fit.error_widening > noticeable)
    taken.push_back(fmt::format(
        "although residuals of the model's data are autocorrelated, which widened its errors by up to {:.2g}",
        model->fit.error_widening));
  std::vector<Want> wants;
  for (const auto& text : options.wants) wants.push_back(parse_want(text, system.time_unit));
  MeasurementPlan plan = plan_measurement(std::move(system), std::move(record), std::move(wants));
  plan.assumptions = std::move(taken);
  return plan;
}

}  // namespace

MeasurementPlan plan_for_modes(const PlanOptions& options) {
  return planned(typed_system(options.modes), nullptr, options);
}

MeasurementPlan plan_for_model(const Model& model, const PlanOptions& options) {
  if (!options.modes.empty())
    throw Error("a model and modes besides are two answers to one question", "give one of them");
  return planned(model_system(model), &model, options);
}

}  // namespace lgn
