#include "experiments/identification/data.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "experiments/identification/dormand_prince.h"
#include "lgn/flow/propagate.h"

namespace lgn::studies {
namespace {

Dataset changed(const Dataset& data, const std::function<void(Matrix&)>& change) {
  std::vector<Trajectory> runs;
  for (const auto& run : data.runs()) {
    Matrix states = run.states();
    change(states);
    runs.emplace_back(run.label(), run.times(), std::move(states));
  }
  return Dataset(data.channels(), std::move(runs));
}

}  // namespace

System uniform_ladder(Index sections, double resistance) {
  const Vector ones = Vector::Ones(sections);
  return ladder(resistance * ones, ones, ones);
}

Vector training_start(Index states, Random& random) {
  const Vector x = 0.5 * random.normals(states);
  return x / std::sqrt(0.5 * x.squaredNorm() + 1e-6);
}

Dataset exact_runs(const System& system, const std::vector<Vector>& times, Random& random) {
  std::vector<Trajectory> runs;
  for (const Vector& t : times)
    runs.emplace_back(std::to_string(runs.size() + 1), t,
                      propagate(system.a, training_start(system.a.rows(), random), t));
  return Dataset(system.channels, std::move(runs));
}

Dataset integrated(const System& system, const Dataset& exact) {
  std::vector<Trajectory> runs;
  for (const auto& run : exact.runs())
    runs.emplace_back(run.label(), run.times(),
                      dormand_prince(system.a, run.states().col(0), run.times()));
  return Dataset(exact.channels(), std::move(runs));
}

double relative_error(const Dataset& data, const Dataset& exact) {
  double squares = 0, power = 0;
  for (std::size_t r = 0; r < exact.runs().size(); ++r) {
    squares += (data.runs()[r].states() - exact.runs()[r].states()).squaredNorm();
    power += exact.runs()[r].states().squaredNorm();
  }
  return std::sqrt(squares / power);
}

Vector test_start(Index states) {
  Vector start = Vector::Unit(states, 0);
  start[1] = 0.5;
  return start;
}

Vector even_times(double step, Index samples) {
  return step * Vector::LinSpaced(samples, 0, static_cast<double>(samples - 1));
}

Vector uneven_times(double end, Index samples, Random& random) {
  Vector times(samples);
  times[0] = 0;
  for (Index k = 1; k < samples; ++k) times[k] = end * (1 - random.uniform());  // never 0
  std::sort(times.begin(), times.end());
  return times;
}

double deviation(const Dataset& data) {
  double sum = 0, squares = 0, count = 0;
  for (const auto& run : data.runs()) {
    sum += run.states().sum();
    squares += run.states().squaredNorm();
    count += static_cast<double>(run.states().size());
  }
  return std::sqrt(squares / count - std::pow(sum / count, 2));
}

Dataset with_noise(const Dataset& data, double sigma, Random& random) {
  return changed(data, [&](Matrix& x) { x += sigma * random.normals(x.rows(), x.cols()); });
}

Dataset with_gaps(const Dataset& data, double fraction, Random& random) {
  return changed(data, [&](Matrix& states) {
    for (double& x : states.reshaped())
      if (random.uniform() < fraction) x = std::numeric_limits<double>::quiet_NaN();
  });
}

}  // namespace lgn::studies
