#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lgn/model/model.h"

namespace lgn {

/// The model of a law as if each of its states were a channel: of positions alone, the velocities too. Other models as they are.
Model states_as_channels(const Model& model);

/// The states, from rest, that a nonlinear model goes through from the starts of its runs, as long as its data: a column each. Of one
/// that inputs drive, the ends of the range that was seen.
Matrix visited_states(const Model& model);

/// A function of the law with the standard errors of its values (empty: not known).
struct LawCurve {
  std::string name;
  Vector x, y, error;
};

/// H along one state, the others at zero: of masses along each position, which is their potential, else along every state. Over the
/// range of `states`. Nothing where no energy is known.
std::vector<LawCurve> energy_curves(const ModelNonlinear& law, const Matrix& states);

/// The force of every spring (pendulums among them), or of every damper, over the elongations, or their rates, in `states`; e is
/// q_i − q_j or q_i. Nothing where the law is not one of masses.
std::vector<LawCurve> spring_curves(const ModelNonlinear& law, const Matrix& states);
std::vector<LawCurve> damper_curves(const ModelNonlinear& law, const Matrix& states);

/// Frequency and damping of the free decay of two states against the amplitude of the first about its place of rest.
///
/// One turn is followed from a maximum x̄ + a of the first state to the next one, x̄ + a', T later, and read as one of a linear
/// oscillator: with δ = log(a/a'), its natural frequency √(4π² + δ²)/(2π T) and damping ratio δ/√(4π² + δ²) belong to the amplitude
/// √(a a'). Standard errors by differences in θ.
struct Backbone {
  Vector amplitudes, frequencies, damping;  ///< frequencies in turns per unit of time
  Vector frequency_errors, damping_errors;  ///< empty: not known
};
/// At `points` amplitudes up to the largest of `states`. Nothing where there are not two states, or they rest nowhere where
/// they oscillate and decay; amplitudes from which there is no way back are left out.
std::optional<Backbone> find_backbone(const ModelNonlinear& law, const Matrix& states,
                                      Index points = 25);
/// That of a model, over the amplitudes of its data; frequencies in frequency_unit(model).
std::optional<Backbone> find_backbone(const Model& model, Index points = 25);

}  // namespace lgn
