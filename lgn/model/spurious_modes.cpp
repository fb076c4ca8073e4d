#include "lgn/model/spurious_modes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "lgn/identify/hidden/combination_tones.h"

namespace lgn {
namespace {

/// How large each mode is in the channels, over all runs, or in their standard deviations where the record is ambient.
Vector amplitudes(const Model& model) {
  const Eigensystem system = eigensystem(model.a);
  const Matrix& moved = model.ambient ? model.ambient->g : model.starts;
  Vector result(system.values.size());
  for (Index k = 0; k < result.size(); ++k) {
    const double shown = (model.c.cast<Complex>() * system.right.col(k)).norm();
    const double size = shown * (system.left.col(k).adjoint() * moved.cast<Complex>()).norm();
    result[k] = model.ambient ? std::sqrt(size) : size;
  }
  return result;
}

/// Of a run.
double duration_of(const Model& model) {
  return model.data.step * static_cast<double>(model.data.samples) /
         static_cast<double>(std::max<Index>(1, model.data.runs));
}

/// What can be said of a mode without the others.
std::string doubt_about(const Mode& mode, const Model& model, bool evenly_sampled) {
  constexpr double few_samples = 2, at_nyquist = 0.98 * std::numbers::pi;
  const double step = model.data.step;
  if (!(step > 0)) return {};
  const double duration = duration_of(model);
  if (duration > 0 && model.ambient && mode.oscillates() && -mode.pole.real() * duration < 1)
    return "narrower than a line of the spectrum: a machine, or chance";
  if (duration > 0 && std::abs(mode.pole) * duration < 1) return "slower than the record is long";
  if (-mode.pole.real() * step * few_samples > 1)
    return fmt::format("decays within {} samples", few_samples);
  if (evenly_sampled && std::abs(mode.pole.imag()) * step > at_nyquist)
    return "at the Nyquist frequency";
  return {};
}

/// Modes that a generator which varies with a period shows beside one at λ = −σ + iω: they stand at Ω ± ω, Ω the frequency of
/// the variation, and decay as that does (Floquet). Both must be there, and weaker than the one they belong to.
void mark_sidebands(std::vector<Mode>& modes, const Vector& sizes, const std::string& unit) {
  constexpr double alike = 3, close = 0.02, determined = 0.25;
  const auto usable = [](const Mode& mode) {
    return mode.pole.imag() > 0 && mode.se && mode.identifiable.value_or(true) &&
           mode.se->re < determined * -mode.pole.real();
  };
  const auto decay_alike = [&](const Mode& a, const Mode& b) {
    return std::abs(a.pole.real() - b.pole.real()) < alike * std::hypot(a.se->re, b.se->re);
  };
  const auto count = static_cast<Index>(modes.size());
  const auto at = [&](Index k) -> Mode& { return modes[static_cast<std::size_t>(k)]; };
  for (Index a = 0; a < count; ++a)
    for (Index below = 0; below < count; ++below)
      for (Index above = 0; above < count; ++above) {
        if (a == below || a == above || below == above) continue;
        if (!usable(at(a)) || !usable(at(below)) || !usable(at(above))) continue;
        if (!(std::max(sizes[below], sizes[above]) < sizes[a])) continue;
        const double sum = at(a).pole.imag() + at(below).pole.imag();
        const double difference = at(above).pole.imag() - at(a).pole.imag();
        const double error = std::hypot(2 * at(a).se->im, at(below).se->im, at(above).se->im);
        if (!(std::abs(sum - difference) < std::min(alike * error, close * sum))) continue;
        if (!decay_alike(at(a), at(below)) || !decay_alike(at(a), at(above))) continue;
        const double per_second = at(a).frequency_hz / at(a).natural_frequency;
        const std::string reason =
            fmt::format("sideband of {:.3g} {}: the system may vary in time, with {:.3g} {}",
                        per_second * at(a).pole.imag(), unit, per_second * sum, unit);
        for (const Index band : {below, above})
          for (Mode& mode : modes)
            if (mode.pole == at(band).pole || mode.pole == std::conj(at(band).pole))
              mode.spurious = reason;
      }
}

}  // namespace

void mark_spurious_modes(Model& model, bool evenly_sampled) {
  if (!model.hidden()) return;
  const auto determined = [](const Mode& mode) { return mode.identifiable.value_or(true); };
  std::vector<SpectralLine> lines;
  std::vector<std::size_t> of_line;
  const Vector sizes = amplitudes(model);
  for (std::size_t k = 0; k < model.modes.size(); ++k) {
    Mode& mode = model.modes[k];
    mode.spurious = determined(mode) ? doubt_about(mode, model, evenly_sampled) : std::string();
    if (!(mode.pole.imag() > 0) || !std::isfinite(sizes[static_cast<Index>(k)])) continue;
    const double damped = mode.pole.imag() / mode.natural_frequency * mode.frequency_hz;
    lines.push_back({damped, sizes[static_cast<Index>(k)]});
    of_line.push_back(k);
  }
  // Beside modes that die away, one that does not at all is kept up.
  constexpr double dies = 1, lives = 0.02;
  const double duration = duration_of(model);
  const auto decay = [&](const Mode& mode) { return -mode.pole.real() * duration; };
  const bool some_die = std::any_of(model.modes.begin(), model.modes.end(), [&](const Mode& mode) {
    return mode.oscillates() && decay(mode) > dies;
  });
  for (Mode& mode : model.modes)
    if (some_die && duration > 0 && !model.ambient && determined(mode) && mode.oscillates() &&
        mode.spurious.empty() && decay(mode) < lives)
      mode.spurious = "does not decay where others do: an input or a machine may keep it up";
  for (const auto& tone : combination_tones(lines)) {
    const Complex pole = model.modes[of_line[tone.line]].pole;
    for (Mode& mode : model.modes)
      if (determined(mode) && (mode.pole == pole || mode.pole == std::conj(pole)))
        mode.spurious = "harmonic or combination tone: " + tone.formula;
  }
  if (!model.ambient) mark_sidebands(model.modes, sizes, frequency_unit(model));
}

}  // namespace lgn
