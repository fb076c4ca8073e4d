#include "experiments/varying/truth.h"

#include <chrono>
#include <cmath>

#include "experiments/identification/data.h"

namespace lgn::studies {

Matrix PaperOscillator::generator(double t) const {
  return Matrix{{0, 1}, {-1, -gamma * (1 + modulation * std::sin(frequency * t))}};
}

Matrix PaperOscillator::states(const Vector& times, const Tolerances& tolerances) const {
  return runge_kutta([&](double t) { return generator(t); }, Vector{{1, 0}}, times, tolerances);
}

Dataset PaperOscillator::run(const Vector& times, const Tolerances& tolerances) const {
  return Dataset({"q", "p"}, {Trajectory("1", times, states(times, tolerances))});
}

Vector training_times() { return even_times(0.1, 200); }

Vector test_times() { return even_times(0.1, 1000); }

const Matrix& test_states() {
  static const Matrix states = PaperOscillator{}.states(test_times());
  return states;
}

double seconds_of(const std::function<void()>& f) {
  const auto begin = std::chrono::steady_clock::now();
  f();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

}  // namespace lgn::studies
