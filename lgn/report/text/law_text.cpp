#include "lgn/report/text/law_text.h"

#include <fmt/format.h>

#include <cmath>

#include "lgn/core/number_text.h"
#include "lgn/model/law_curves.h"

namespace lgn {
namespace {

std::string promise_text(const ModelNonlinear& law) {
  const bool driven = law.structure->inputs() > 0;
  if (law.structure->state_energy() != nullptr && driven)
    return "its energy grows by no more than the work of the inputs, whatever the state and the values of the terms";
  if (law.structure->state_energy() != nullptr)
    return "its energy does not grow, whatever the state and the values of the terms";
  if (law.bound)
    return fmt::format(
        "{}trajectories end within {} of a centre: proved for these values of the terms (rate {})",
        driven ? "without inputs " : "", short_number(law.bound->radius),
        short_number(law.bound->rate));
  return "nothing is promised of its energy";
}

}  // namespace

std::string law_text(const Model& model) {
  if (!model.nonlinear) return {};
  const ModelNonlinear& law = *model.nonlinear;
  std::string text;
  for (const std::string& line : law_lines(law, model.states(), model.inputs))
    text += "  " + line + '\n';
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

Table backbone_rows(const Model& model) {
  constexpr Index rows = 6;
  Table table;
  const auto found = find_backbone(model, rows);
  if (!found) return table;
  table.header = {fmt::format("amplitude of {}", model.states().front()),
                  fmt::format("f [{}]", frequency_unit(model)), "ζ"};
  const auto cell = [](const Vector& values, const Vector& errors, Index k) {
    return with_error(values[k], errors.size() > 0 ? errors[k] : std::nan(""));
  };
  for (Index k = found->amplitudes.size() - 1; k >= 0; --k)
    table.rows.push_back({short_number(found->amplitudes[k]),
                          cell(found->frequencies, found->frequency_errors, k),
                          cell(found->damping, found->damping_errors, k)});
  return table;
}

std::string backbone_text(const Model& model) {
  const Table table = backbone_rows(model);
  if (table.rows.empty()) return {};
  return '\n' + text_table(table.header, table.rows);
}

}  // namespace lgn
