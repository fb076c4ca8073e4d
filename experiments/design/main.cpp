// Prints docs/design-study.md: solvers beside each other, and how often robust designs hold.

#include <fmt/format.h>

#include <cstdio>
#include <exception>

#include "experiments/design/coverage.h"
#include "experiments/design/solvers.h"
#include "lgn/core/linear_algebra.h"

namespace {

std::string solvers_section() {
  std::string text =
      "# What design reaches\n\n"
      "This page was made by `make design`, on simulated data. [Design](design.md) says what is measured.\n\n"
      "## Solvers\n\n"
      "The same problems, values and derivatives, each from the model's own values alone: the sequential quadratic programming of lgn, and two\n"
      "solvers of NLopt. Evaluations are those of the whole system with its derivatives; seconds are processor time.\n\n"
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
    for (const auto section : {solvers_section, robust_section}) {
      std::fputs(section().c_str(), stdout);
      std::fflush(stdout);
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "lgn-design-study: %s\n", error.what());
    return 1;
  }
  return 0;
}
