#include "experiments/identification/vibration.h"

#include <cmath>
#include <ctime>

#include "lgn/core/error.h"
#include "lgn/flow/sample_runs.h"
#include "lgn/identify.h"

namespace lgn::studies {
namespace {

constexpr Index floors = 5;
constexpr double ratio = 0.01;

double processor_seconds() {
  return static_cast<double>(std::clock()) / static_cast<double>(CLOCKS_PER_SEC);
}

VibrationStudy study(const std::string& name, double memory, int repeats) {
  VibrationStudy result{name};
  const System system = tower(floors, 1, ratio, memory);
  std::vector<double> truth;
  for (const Mode& mode : find_modes(system.a, {true, false, false}))
    if (mode.pole.imag() > 0) truth.push_back(mode.frequency_hz);
  double frequencies = 0, dampings = 0, seen = 0, bias = 0, squares = 0;
  for (int r = 0; r < repeats; ++r) {
    const Dataset data = sample_runs(
        system,
        {.end = 500, .step = 0.05, .noise = 0.05, .seed = static_cast<std::uint64_t>(r) + 1});
    ++result.tried;
    const double begin = processor_seconds();
    Model model;
    try {
      model = identify(data, {.record = Record::ambient});
    } catch (const NotIdentified&) {
      continue;
    }
    result.seconds += processor_seconds() - begin;
    std::size_t found = 0;
    for (const Mode& mode : model.modes) {
      // What describes the spectrum of the wind is damped much more.
      constexpr double light = 0.1;
      if (mode.pole.imag() <= 0 || mode.damping_ratio > light || !mode.se) continue;
      const double* own = nullptr;
      for (const double& f : truth)
        if (std::abs(mode.frequency_hz - f) < 0.05 * f) own = &f;
      if (own == nullptr) {
        ++result.invented;
        continue;
      }
      ++found;
      const double width = model.fit.interval;
      seen += 1;
      frequencies += std::abs(mode.frequency_hz - *own) < width * mode.se->frequency_hz;
      dampings += std::abs(mode.damping_ratio - ratio) < width * mode.se->damping_ratio;
      const double error = mode.damping_ratio / ratio - 1;
      bias += error;
      squares += error * error;
    }
    if (found == truth.size()) ++result.complete;
    if (found > truth.size()) result.invented += static_cast<int>(found - truth.size());
  }
  result.seconds /= result.tried;
  result.frequency = frequencies / seen;
  result.damping = dampings / seen;
  result.damping_bias = bias / seen;
  result.damping_error = std::sqrt(squares / seen);
  return result;
}

}  // namespace

std::vector<VibrationStudy> study_vibration(int repeats) {
  return {study("white", 0, repeats), study("forgotten in 0.33 s", 1.0 / 3, repeats)};
}

}  // namespace lgn::studies
