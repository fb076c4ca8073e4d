#include "experiments/identification/conditions.h"

#include <cmath>
#include <functional>

#include "experiments/identification/data.h"
#include "lgn/identify.h"

namespace lgn::studies {
namespace {

constexpr Index samples = 300;
constexpr double step = 0.1;

std::vector<Vector> grids(Index runs) {
  return std::vector<Vector>(static_cast<std::size_t>(runs), even_times(step, samples));
}

/// The same runs with something done to their samples.
Dataset changed(const Dataset& data, const std::function<Matrix(const Matrix&)>& change) {
  std::vector<Trajectory> runs;
  for (const auto& run : data.runs())
    runs.emplace_back(run.label(), run.times(), change(run.states()));
  return Dataset(data.channels(), std::move(runs));
}

/// Noise of a first-order process, of this standard deviation.
Dataset with_correlated_noise(const Dataset& data, double sigma, double correlation,
                              Random& random) {
  return changed(data, [&](const Matrix& states) {
    Vector noise = sigma * random.normals(states.rows());
    Matrix result = states;
    for (Index k = 0; k < states.cols(); ++k) {
      result.col(k) += noise;
      noise = correlation * noise +
              sigma * std::sqrt(1 - correlation * correlation) * random.normals(states.rows());
    }
    return result;
  });
}

/// ẋ = v, v̇ = −ω² x (1 + hardening x²) − c v from random starts of amplitude up to one, by the classical Runge–Kutta
/// method, 20 steps from sample to sample.
Dataset hardening_runs(Index count, double hardening, Random& random) {
  constexpr double omega = 2, damping = 0.1;
  constexpr int steps = 20;
  const auto slope = [&](const Vector& x) {
    return Vector{{x[1], -omega * omega * x[0] * (1 + hardening * x[0] * x[0]) - damping * x[1]}};
  };
  std::vector<Trajectory> runs;
  for (Index r = 0; r < count; ++r) {
    const double phase = 2 * M_PI * random.uniform(), size = 0.5 + 0.5 * random.uniform();
    Vector x{{size * std::cos(phase), omega * size * std::sin(phase)}};
    Matrix states(2, samples);
    const double h = step / steps;
    for (Index k = 0; k < samples; ++k) {
      states.col(k) = x;
      for (int s = 0; s < steps; ++s) {
        const Vector a = slope(x), b = slope(x + 0.5 * h * a), c = slope(x + 0.5 * h * b),
                     d = slope(x + h * c);
        x += h / 6 * (a + 2 * b + 2 * c + d);
      }
    }
    runs.emplace_back(std::to_string(r), even_times(step, samples), states);
  }
  return Dataset({"q", "v"}, std::move(runs));
}

/// One repeat: data to fit, and how.
struct Repeat {
  Dataset data;
  FitOptions options;
};

/// Whether the interval of a mode's damping holds the truth: between two numbers, or from zero to its limit.
bool damping_held(const Mode& mode, double interval, double truth) {
  if (mode.decay_below) return truth <= *mode.damping_ratio_below();
  return std::abs(mode.damping_ratio - truth) <= interval * mode.se->damping_ratio;
}

ConditionCoverage measure(const std::string& condition, const Matrix& truth, int repeats,
                          const std::function<Repeat(Random&)>& make) {
  Random random(7);
  const std::vector<Mode> modes = find_modes(truth);
  ConditionCoverage result{condition};
  double count = 0;
  for (int repeat = 0; repeat < repeats; ++repeat) {
    const Repeat one = make(random);
    const Model model = identify(one.data, one.options);
    // Conjugates stand side by side, Im λ > 0 second.
    for (std::size_t k = 1; k < modes.size(); k += 2) {
      const Mode& mode = model.modes[k];
      const bool frequency = std::abs(mode.frequency_hz - modes[k].frequency_hz) <=
                             model.fit.interval * mode.se->frequency_hz;
      result.frequency += frequency ? 1 : 0;
      result.damping += damping_held(mode, model.fit.interval, modes[k].damping_ratio) ? 1 : 0;
      count += 1;
    }
  }
  result.frequency /= count;
  result.damping /= count;
  return result;
}

}  // namespace

std::vector<ConditionCoverage> study_conditions(int repeats) {
  const System ladder = uniform_ladder(3), nearly_lossless = uniform_ladder(4, 1e-3);
  const FitOptions sd{.structure = "sd"};
  const auto ladder_runs = [&](Random& random) { return exact_runs(ladder, grids(3), random); };
  FitOptions huber = sd;
  huber.loss = Loss::huber;
  constexpr double hardening = 0.02;
  Random population(11);
  const Matrix nearest =
      identify(hardening_runs(400, hardening, population), {.structure = "metric"}).a;
  return {
      measure("white noise, 5%", ladder.a, repeats,
              [&](Random& random) {
                const Dataset exact = ladder_runs(random);
                return Repeat{with_noise(exact, 0.05 * deviation(exact), random), sd};
              }),
      measure(
          "noise of lag-one correlation 0.7, 5%", ladder.a, repeats,
          [&](Random& random) {
            const Dataset exact = ladder_runs(random);
            return Repeat{with_correlated_noise(exact, 0.05 * deviation(exact), 0.7, random), sd};
          }),
      measure("a 2% nonlinear stiffness, 20 runs, 3% noise", nearest, repeats,
              [&](Random& random) {
                const Dataset exact = hardening_runs(20, hardening, random);
                return Repeat{with_noise(exact, 0.03 * deviation(exact), random),
                              {.structure = "metric"}};
              }),
      measure("an offset in every channel, 5%", ladder.a, repeats,
              [&](Random& random) {
                const Dataset exact = ladder_runs(random);
                const Vector offset = 3 * random.normals(exact.dimension());
                return Repeat{with_noise(exact, 0.05 * deviation(exact), random).less(offset), sd};
              }),
      measure("10% outliers, loss huber, 2%", ladder.a, repeats,
              [&](Random& random) {
                const Dataset exact = ladder_runs(random);
                const double size = deviation(exact);
                const Dataset noisy = with_noise(exact, 0.02 * size, random);
                return Repeat{changed(noisy,
                                      [&](Matrix states) {
                                        for (double& value : states.reshaped())
                                          if (random.uniform() < 0.1)
                                            value += 5 * size * (2 * random.uniform() - 1);
                                        return states;
                                      }),
                              huber};
              }),
      measure("a network with losses near zero, 2%", nearly_lossless.a, repeats,
              [&](Random& random) {
                const Dataset exact = exact_runs(nearly_lossless, grids(2), random);
                return Repeat{with_noise(exact, 0.02 * deviation(exact), random),
                              {.structure = "network"}};
              }),
  };
}

}  // namespace lgn::studies
