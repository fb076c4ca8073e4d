#include "lgn/report/text/law_text.h"

#include <fmt/format.h>

#include <cmath>

#include "lgn/report/text/tables.h"

namespace lgn {
namespace {

std::string promise_text(const ModelNonlinear& law) {
  if (law.structure->state_energy() != nullptr)
    return "its energy does not grow, whatever the state and the values of the terms";
  if (law.bound)
    return fmt::format(
        "trajectories end within {} of a centre: proved for these values of the terms (rate {})",
        short_number(law.bound->radius), short_number(law.bound->rate));
  return "nothing is promised of its energy";
}

}  // namespace

std::string law_text(const Model& model) {
  if (!model.nonlinear) return {};
  const ModelNonlinear& law = *model.nonlinear;
  std::string text;
  for (const std::string& line : law_lines(law, model.states())) text += "  " + line + '\n';
  text += promise_text(law) + '\n';
  if (law.equilibria.size() > 1 || !law.equilibria.front().state.isZero(0)) {
    text += "rests at\n";
    for (const auto& rest : law.equilibria) {
      text += "  (";
      // What Newton's steps leave of a zero is none of the result.
      const double rounding = 1e-12 * rest.state.cwiseAbs().maxCoeff();
      for (Index i = 0; i < rest.state.size(); ++i)
        text += (i > 0 ? ", " : "") +
                short_number(std::abs(rest.state[i]) > rounding ? rest.state[i] : 0.0);
      text += fmt::format("), {}: poles", rest.stable ? "stable" : "unstable");
      for (const Mode& mode : rest.modes)
        if (mode.pole.imag() <= 0)
          text += " " + (mode.se ? root_text(mode.pole, mode.se->re, mode.se->im)
                                 : root_text(mode.pole, 0, 0));
      text += '\n';
    }
  }
  return text + '\n';
}

}  // namespace lgn
