#include "experiments/identification/hidden.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "experiments/identification/data.h"
#include "experiments/identification/poles.h"
#include "lgn/core/decompositions.h"
#include "lgn/core/error.h"
#include "lgn/dynamics/modal.h"
#include "lgn/flow/propagate.h"
#include "lgn/identify.h"
#include "lgn/identify/likelihood/maximum_likelihood.h"
#include "lgn/physics/assignment.h"

namespace lgn::studies {
namespace {

/// How the ladder is observed.
struct Observed {
  std::string name;
  std::vector<Index> channels = {0};
  Index runs = 1;
  bool uneven = false;
  double missing = 0;
};

const std::vector<Observed>& observations() {
  static const std::vector<Observed> all{
      {"one channel"},
      {"one channel, two runs", {0}, 2},
      {"one channel, uneven times", {0}, 1, true},
      {"one channel, 30% missing", {0}, 1, false, 0.3},
      {"two channels", {0, 3}},
      {"two channels, two runs", {0, 3}, 2},
      {"two channels, uneven times, 30% missing", {0, 3}, 1, true, 0.3}};
  return all;
}

struct Sampled {
  Dataset exact, noisy;
  double sigma;
};

/// Samples of these channels, t < 30, 300 of them, the first run from e₁; noise of 1% of the standard deviation of all states.
Sampled sample(const System& system, const Observed& how, Random& random) {
  constexpr Index samples = 300;
  constexpr double step = 0.1;
  std::vector<Trajectory> runs;
  double squares = 0, values = 0;
  for (Index r = 0; r < how.runs; ++r) {
    const Vector times =
        how.uneven ? uneven_times(step * samples, samples, random) : even_times(step, samples);
    const Vector x0 = r == 0 ? Vector(Vector::Unit(6, 0)) : training_start(6, random);
    const Matrix states = propagate(system.a, x0, times);
    squares += states.squaredNorm();
    values += static_cast<double>(states.size());
    Matrix shown(static_cast<Index>(how.channels.size()), samples);
    for (Index c = 0; c < shown.rows(); ++c)
      shown.row(c) = states.row(how.channels[static_cast<std::size_t>(c)]);
    runs.emplace_back(std::to_string(r), times, shown);
  }
  std::vector<std::string> names;
  for (const Index c : how.channels) names.push_back(system.channels[static_cast<std::size_t>(c)]);
  Dataset exact(names, runs);
  if (how.missing > 0) exact = with_gaps(exact, how.missing, random);
  const double sigma = 0.01 * std::sqrt(squares / values);
  Dataset noisy = with_noise(exact, sigma, random);
  return {std::move(exact), std::move(noisy), sigma};
}

/// The true system as its sensors show it.
ModalSystem observed_truth(const System& system, const std::vector<Index>& channels) {
  const Eigensystem eigen = eigensystem(system.a);
  ComplexMatrix shapes(static_cast<Index>(channels.size()), 6);
  for (Index c = 0; c < shapes.rows(); ++c)
    shapes.row(c) = eigen.right.row(channels[static_cast<std::size_t>(c)]);
  return modal_system(eigen.values, shapes, Vector::Ones(shapes.rows()));
}

FitOptions six_states() {
  FitOptions options;
  options.structure = "modal";
  options.states = States::given;
  options.state_count = 6;
  return options;
}

/// Of a decay: frequency in Hz, damping ratio, amplitude; frequency 0: a real pole of this rate.
struct Partial {
  double frequency, damping, amplitude;
};

std::string words(double frequency, double damping) {
  return fmt::format("{:.6g} Hz, ζ {:.4g}", frequency, damping);
}

/// Evenly sampled sum of partials with noise of this size.
Dataset sum_of(const std::vector<Partial>& partials, double rate, double duration, double noise,
               std::uint64_t seed) {
  Random random(seed);
  const Vector times = even_times(1 / rate, static_cast<Index>(rate * duration));
  Matrix y = noise * random.normals(1, times.size());
  for (const Partial& p : partials)
    for (Index k = 0; k < times.size(); ++k) {
      if (p.frequency == 0) {
        y(0, k) += p.amplitude * std::exp(-p.damping * times[k]);
        continue;
      }
      const double w = 2 * std::numbers::pi * p.frequency;
      y(0, k) += p.amplitude * std::exp(-p.damping * w * times[k]) *
                 std::cos(w * std::sqrt(1 - p.damping * p.damping) * times[k]);
    }
  return Dataset({"y"}, {Trajectory("1", times, y)});
}

HardRecord tried(const std::string& name, const std::vector<Partial>& partials, double rate,
                 double duration, double noise) {
  HardRecord record{name, "", ""};
  const auto add = [](std::string& text, const std::string& more) {
    text += (text.empty() ? "" : "; ") + more;
  };
  for (const Partial& p : partials)
    add(record.truth,
        p.frequency > 0 ? words(p.frequency, p.damping) : fmt::format("τ {:.4g} s", 1 / p.damping));
  try {
    const Model model = identify(sum_of(partials, rate, duration, noise, 1));
    for (const Mode& mode : model.modes) {
      if (mode.pole.imag() > 0) continue;
      const Mode::Errors se = mode.se.value_or(Mode::Errors{});
      if (!mode.identifiable.value_or(true))
        add(record.found, "not determined");
      else if (!mode.oscillates())
        add(record.found, fmt::format("τ {:.4g} ± {:.2g} s", mode.time_constant, se.time_constant));
      else if (mode.decay_below)
        add(record.found, fmt::format("{:.6g} ± {:.1g} Hz, ζ < {:.2g}", mode.frequency_hz,
                                      se.frequency_hz, *mode.damping_ratio_below()));
      else
        add(record.found, fmt::format("{:.6g} ± {:.1g} Hz, ζ {:.4g} ± {:.1g}", mode.frequency_hz,
                                      se.frequency_hz, mode.damping_ratio, se.damping_ratio));
    }
  } catch (const NotIdentified& error) {
    record.found = "refused: " + error.problem();
  }
  return record;
}

/// A record without any mode.
HardRecord without_modes(const std::string& name, const Matrix& values) {
  HardRecord record{name, "no mode", ""};
  try {
    const Dataset data({"y"}, {Trajectory("1", even_times(0.01, values.cols()), values)});
    record.found = fmt::format("{} states", identify(data).dimension());
  } catch (const NotIdentified& error) {
    record.found = "refused: " + error.problem();
  }
  return record;
}

}  // namespace

std::vector<HiddenRecovery> study_hidden_recovery(int seeds, int repeats) {
  const System system = uniform_ladder(3);
  std::vector<HiddenRecovery> result;
  for (const Observed& how : observations()) {
    HiddenRecovery found{how.name};
    const ModalSystem shown = observed_truth(system, how.channels);
    for (int seed = 0; seed < std::max(seeds, repeats); ++seed) {
      Random random(static_cast<std::uint64_t>(seed) + 1);
      const Sampled data = sample(system, how, random);
      if (seed < seeds) {
        ++found.tried;
        found.right += identify(data.noisy).dimension() == 6;
      }
      if (seed >= repeats) continue;
      found.bound +=
          modal_error_bound(shown, data.exact, Vector::Constant(data.exact.dimension(), data.sigma),
                            {.estimate_offset = true}) /
          repeats;
      found.error +=
          compare_poles(identify(data.noisy, six_states()).a, system.a).relative.mean() / repeats;
    }
    result.push_back(found);
  }
  return result;
}

std::vector<HiddenCoverage> study_hidden_coverage(int repeats) {
  const System system = uniform_ladder(3);
  const Eigensystem truth = eigensystem(system.a);
  const FitOptions options = six_states();
  std::vector<HiddenCoverage> result;
  for (const Observed& how : observations()) {
    double frequency = 0, damping = 0, modes = 0, shapes = 0, entries = 0;
    for (int repeat = 0; repeat < repeats; ++repeat) {
      Random random(static_cast<std::uint64_t>(repeat) + 1000);
      const Model model = identify(sample(system, how, random).noisy, options);
      const IntervalCoverage covered = interval_coverage(model, truth.values);
      modes += covered.modes;
      frequency += covered.frequency;
      damping += covered.damping;
      const EigenvalueMatch match = match_eigenvalues(truth.values, poles_of(model));
      for (Index k = 0; k < 6; ++k) {
        const Complex pole = truth.values[k];
        if (pole.imag() > 0) continue;
        const Mode& mode =
            model.modes[static_cast<std::size_t>(match.partner[static_cast<std::size_t>(k)])];
        if (!mode.se) continue;
        const double width = model.fit.interval;
        if (how.channels.size() < 2 || mode.shape_errors.size() < 2) continue;
        // Beside the channel of reference, whose entry has no error.
        const Index reference = mode.shape_errors[0] == Complex(0) ? 0 : 1, other = 1 - reference;
        const Complex ratio = truth.right(how.channels[static_cast<std::size_t>(other)], k) /
                              truth.right(how.channels[static_cast<std::size_t>(reference)], k);
        const Complex scale = mode.shape[reference];
        const Complex off = mode.shape[other] / scale - ratio;
        const Complex error = mode.shape_errors[other] / std::abs(scale);
        shapes += (std::abs(off.real()) <= width * error.real()) +
                  (std::abs(off.imag()) <= width * error.imag());
        entries += 2;
      }
    }
    result.push_back({how.name, frequency / modes, damping / modes,
                      entries > 0 ? shapes / entries : std::nan("")});
  }
  return result;
}

std::vector<HardRecord> study_hard_records() {
  std::vector<HardRecord> result;
  result.push_back(
      tried("two modes 1% apart, 30 s", {{10, 0.002, 1}, {10.1, 0.003, 0.8}}, 100, 30, 0.01));
  result.push_back(tried("the same in 3 s", {{10, 0.002, 1}, {10.1, 0.003, 0.8}}, 100, 3, 0.01));
  result.push_back(
      tried("a mode 60 dB below the largest", {{5, 0.005, 1}, {17, 0.003, 0.001}}, 100, 20, 2e-4));
  result.push_back(tried("damping from 1e-5 to 0.5",
                         {{2, 0.5, 1}, {7, 0.05, 1}, {13, 0.001, 1}, {21, 1e-5, 1}}, 100, 20,
                         1e-3));
  result.push_back(
      tried("a real pole beside pairs", {{0, 0.8, 1}, {3, 0.02, 1}, {8, 0.01, 0.5}}, 50, 10, 1e-3));
  result.push_back(tried("two real poles", {{0, 0.3, 2}, {0, 1.1, -1}}, 20, 20, 1e-3));
  Random random(5);
  const Matrix white = random.normals(1, 2000);
  Matrix walk = white;
  for (Index k = 1; k < walk.cols(); ++k) walk(0, k) += walk(0, k - 1);
  result.push_back(without_modes("white noise", white));
  result.push_back(without_modes("a constant", Matrix::Constant(1, 2000, 3.0)));
  result.push_back(without_modes("a random walk", walk));
  return result;
}

}  // namespace lgn::studies
