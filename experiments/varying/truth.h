#pragma once

#include "experiments/varying/runge_kutta.h"
#include "lgn/data/dataset.h"

namespace lgn::studies {

/// The oscillator of experiment 2 and A.1: q̇ = p, ṗ = −q − γ(t) p with γ(t) = γ₀(1 + a sin ω_d t). As
/// S(t) − D(t): s = 1, d₁ = 0, d₂ = γ(t).
struct PaperOscillator {
  double gamma = 0.3, modulation = 0.5, frequency = 1;

  double amplitude() const { return gamma * modulation; }
  Matrix generator(double t) const;
  /// From (1, 0), by Runge–Kutta.
  Matrix states(const Vector& times, const Tolerances& tolerances = exact) const;
  /// One run of that, channels q and p.
  Dataset run(const Vector& times, const Tolerances& tolerances = exact) const;
};

/// t < 20 and t < 100, Δt = 0.1: what the paper trains and tests with.
Vector training_times();
Vector test_times();
/// The paper's oscillator at test_times(), exact.
const Matrix& test_states();

/// Seconds that f takes.
double seconds_of(const std::function<void()>& f);

}  // namespace lgn::studies
