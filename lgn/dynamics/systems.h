#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "lgn/dynamics/nonlinear_systems.h"
#include "lgn/dynamics/structure.h"

namespace lgn {

/// A system whose generator is known: for examples, tests and comparisons with the truth.
struct System {
  std::string structure;  ///< the smallest structure it belongs to, by name
  std::vector<std::string> channels;
  Matrix a;
  std::optional<Matrix> energy;        ///< Q of the energy ½ xᵀQx that never grows
  std::vector<NamedValue> parameters;  ///< the constants it is made of
  bool common_unit = true;             ///< whether all states share one unit
  /// Where the generator varies in time, how; `a` is then A(0).
  std::shared_ptr<const Structure> varying = nullptr;
  Vector theta = {};  ///< of `varying`
  /// Where the system is nonlinear, its law; `a` is then its linearisation at zero.
  std::optional<KnownLaw> law = {};
  /// What channels see of the states, C of y = C x, and the initial state that belongs to it; empty: each a state, any.
  Matrix c = {};
  Vector start = {};
  /// B of ẋ = A x + B u, one input: where one may act; empty where none may.
  Matrix b = {};
  /// Random forces w that nobody measures, ẋ = A x + forces · w, w white of unit intensity; empty: none.
  Matrix forces = {};
};

/// q̇ = p, ṗ = −ω²q. An input acts on p.
System oscillator(double omega);
/// q̇ = p, ṗ = −ω²q − γp. An input acts on p.
System rlc(double omega, double gamma);
/// The RLC ladder of law.h; one value per section. With L = C = 1 it is exactly S − D. An input is a current into
/// the first capacitor.
System ladder(const Vector& r, const Vector& l, const Vector& c);
/// A chain of equal masses between two walls, each tied to its neighbours by springs and to the
/// ground by a damper: m q̈_k = κ(q_(k−1) − 2q_k + q_(k+1)) − c q̇_k; states q1 … qN, v1 … vN. An input is a force on
/// the first mass.
System mass_spring(Index masses, double mass, double stiffness, double damping);
/// A bell of which one microphone hears twenty partials: those of a tuned minor-third bell by their ratios to its strike note
/// (hum, prime, tierce, quint, nominal and higher ones), of which the lower eight are split into two that beat, as a bell that
/// is not quite round has them. `strike` in Hz; higher partials are weaker and decay faster.
System bell(double strike);
/// A tower that wind shakes: a shear frame of equal floors, positions measured, every mode with the same damping ratio, the slowest at `frequency` (Hz).
/// Forces on the floors are independent; white, or where `memory` is positive forgotten in that time (a real pole for each).
System tower(Index floors, double frequency, double damping_ratio, double memory);
/// S − diag(d) with S_ij normal, scaled so that rates are of order one, and d uniform in [0, 0.2].
System random_dissipative(Index states, Random& random);

/// A nonlinear law (nonlinear_systems.h) as a system. An input is a force on the first mass, a voltage in the loop of saturating-rlc, a
/// torque about the first axis of a rigid body; it acts on the first state of lorenz.
System nonlinear_system(const KnownLaw& law);

/// The oscillator of ltv_oscillator_law() (varying_law.h) with its constants: γ(t) = γ₀(1 + a sin ω_d t). An input
/// acts on p.
System ltv_oscillator(double omega, double gamma, double modulation, double modulation_frequency);
/// The chain of ltv_chain_law() with its constants. An input is a force on the first mass.
System ltv_chain(Index masses, double stiffness, double damping, double drift, double tau);

}  // namespace lgn
