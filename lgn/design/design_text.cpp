#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "lgn/core/number_text.h"
#include "lgn/design/design.h"

namespace lgn {

std::string design_text(const Model& model) {
  if (!model.design) return {};
  const DesignRecord& design = *model.design;
  std::size_t name = 5, target = 6;
  for (const auto& value : design.values) name = std::max(name, value.name.size());
  for (const auto& one : design.targets) target = std::max(target, one.text.size());
  target = std::max(target, design.objective.text.size());
  std::string text =
      fmt::format("{:<{}}  {:>12}  {:>12}  {:>8}\n", "value", name, "before", "after", "factor");
  const auto shorter = [](double x) {
    return std::isnan(x) ? std::string("none") : fmt::format("{:.6g}", x);
  };
  using Bound = DesignedValue::Bound;
  for (const auto& value : design.values)
    text += fmt::format("{:<{}}  {:>12}  {:>12}  {:>8}{}\n", value.name, name,
                        shorter(value.before), shorter(value.after),
                        value.before != 0 ? fmt::format("{:.4g}", value.after / value.before) : "-",
                        value.bound == Bound::none    ? ""
                        : value.bound == Bound::lower ? "  lower bound"
                                                      : "  upper bound");
  const bool drawn = design.draws.has_value();
  const auto row = [&](const std::string& first, const std::string& before,
                       const std::string& after, const std::string& likely, bool binding) {
    return fmt::format("{:<{}}  {:>12}  {:>12}{}{}\n", first, target, before, after,
                       drawn ? fmt::format("  {:>12}", likely) : "", binding ? "  binds" : "");
  };
  text += "\n" + row("wanted", "before", "after",
                     drawn ? fmt::format("in {:.0f}%", 100 * design.draws->wanted) : "", false);
  for (const auto& one : design.targets)
    text +=
        row(one.text, shorter(one.before), shorter(one.after), shorter(one.likely), one.binding);
  const auto& goal = design.objective;
  text += row(goal.text, shorter(goal.before), shorter(goal.after), shorter(goal.likely), false);
  for (const auto& one : design.targets)
    if (std::isnan(one.after))
      text +=
          fmt::format("\n{} asks nothing of the new values: no mode or peak is there.\n", one.text);
  if (drawn)
    text += fmt::format(
        "\nOver the errors of the values {} in {:.1f}% of {} draws.\n",
        design.targets.empty() ? "the objective is no worse than foreseen" : "all targets hold",
        100 * design.draws->held, design.draws->count);
  if (!design.series.empty())
    text += fmt::format("\nPreferred values: {}, the nearest found that meet the targets.\n",
                        design.series);
  if (!design.converged)
    text += fmt::format(
        "\nThe search ended after {} before its steps became small: the targets hold, the objective "
        "could be a little better.\n",
        counted(design.iterations, "step"));
  return text;
}

}  // namespace lgn
