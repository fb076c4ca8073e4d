// Prints docs/design-study.md: known optima, solvers beside each other, and how often robust designs hold.

#include <fmt/format.h>

#include <cmath>
#include <cstdio>
#include <exception>

#include "experiments/design/coverage.h"
#include "experiments/design/optima.h"
#include "experiments/design/solvers.h"
#include "lgn/core/linear_algebra.h"

namespace {

std::string optima_section() {
  std::string text =
      "# What design reaches\n\n"
      "This page was made by `make design`, on simulated data. [Design](design.md) says what is measured.\n\n"
      "## Known optima\n\n"
      "| problem | quantity | found | known | found − known | what is known |\n|---|---|---|---|---|---|\n";
  for (const auto& one : lgn::studies::known_optima()) {
    const bool known = std::isfinite(one.known);
    text += fmt::format("| {} | {} | {:.6f} | {} | {} | {} |\n", one.problem, one.quantity,
                        one.found, known ? fmt::format("{:.6f}", one.known) : "–",
                        known ? fmt::format("{:.1e}", one.found - one.known) : "–", one.source);
  }
  return text;
}

std::string solvers_section() {
  std::string text =
      "\n## Solvers\n\n"
      "The same problems, values and derivatives, from the model's own values: the sequential quadratic programming of lgn, which tries others where\n"
      "these lead to no point that meets the targets, and two solvers of NLopt. Evaluations are those of the whole system with its derivatives;\n"
      "seconds are processor time.\n\n"
      "| problem | solver | objective | largest violation | evaluations | seconds |\n|---|---|---|---|---|---|\n";
  for (const auto& one : lgn::studies::compare_solvers())
    text += fmt::format("| {} | {} | {:.6f} | {:.1e} | {} | {:.3f} |\n", one.problem, one.solver,
                        one.objective, one.violation, one.evaluations, one.seconds);
  return text;
}

std::string robust_section() {
  std::string text =
      "\n## Robust designs\n\n"
      "A ladder of three sections identified from three noisy runs, ζ ≥ 0.2 wanted at the least total of its resistors: in how many of 1,000 draws\n"
      "of the model's covariance the target holds, for the design without errors and for the robust one (wanted: 95 ± 2%), and what that costs.\n\n"
      "| data | without errors | robust | total of R, robust over plain |\n|---|---|---|---|\n";
  for (const auto& one : lgn::studies::robust_cases())
    text += fmt::format("| {} | {:.1f}% | {:.1f}% | {:.4f} |\n", one.name, 100 * one.nominal,
                        100 * one.held, one.cost);
  return text;
}

}  // namespace

int main() {
  lgn::set_threads(1);  // numbers then repeat bit for bit
  try {
    for (const auto section : {optima_section, solvers_section, robust_section}) {
      std::fputs(section().c_str(), stdout);
      std::fflush(stdout);
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "lgn-design-study: %s\n", error.what());
    return 1;
  }
  return 0;
}
