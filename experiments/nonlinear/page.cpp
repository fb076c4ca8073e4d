#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <limits>

#include "experiments/nonlinear/study.h"
#include "lgn/core/error.h"
#include "lgn/dynamics/systems.h"
#include "lgn/flow/sample_runs.h"
#include "lgn/identify/nonlinear/law_fit.h"

namespace lgn::studies {
namespace {

/// What was asked of the median NRMSE at 0, 1 and 5% of noise; NaN: nothing.
struct Asked {
  const char* system;
  double clean, one, five;
};
constexpr double nothing = std::numeric_limits<double>::quiet_NaN();
constexpr Asked asked[] = {
    {"duffing", 1e-6, 2e-3, 1e-2},          {"pendulum", 1e-6, 5e-3, 2.5e-2},
    {"saturating-rlc", 1e-6, 2e-3, 1e-2},   {"duffing-chain", nothing, 1e-2, 4e-2},
    {"rigid-body", nothing, 2e-2, nothing}, {"lorenz", nothing, nothing, 3e-3}};

double limit_of(const std::string& system, double noise) {
  for (const Asked& one : asked)
    if (system == one.system) return noise == 0 ? one.clean : noise < 0.03 ? one.one : one.five;
  return nothing;
}

std::string number(double value) {
  return std::isfinite(value) ? fmt::format("{:.1e}", value) : "–";
}

/// One line of the table of a variant that nothing was asked of.
std::string short_row(const LawCase& which, double noise, const LawTests& tests) {
  const LawOutcome found = run_case(which, noise, true, tests);
  const Index count = found.errors.size();
  return fmt::format(
      "| {} | {:g}% | {} of {} | {} | {} | {} | {} of {} | {:.3f} |\n", which.system, 100 * noise,
      found.exact_terms, found.seeds, number(count > 0 ? found.errors[count / 2] : nothing),
      number(count > 0 ? found.errors[count - 1] : nothing),
      number(noise > 0 ? noise * tests.bound : nothing), found.lost, found.rollouts, found.seconds);
}

void short_table(const std::function<void(const std::string&)>& write,
                 const std::vector<LawCase>& cases) {
  write(
      "| system | noise | terms | NRMSE | largest | bound | lost | seconds |\n"
      "|---|---|---|---|---|---|---|---|\n");
  for (const LawCase& which : cases) {
    const LawTests tests = prepare_tests(which);
    for (const double noise : {0.0, 0.01, 0.05}) write(short_row(which, noise, tests));
  }
}

std::string row(const LawCase& which, double noise, bool structured, const LawTests& tests) {
  const LawOutcome found = run_case(which, noise, structured, tests);
  const Index count = found.errors.size();
  const double median = count > 0 ? found.errors[count / 2] : nothing;
  const double limit = structured ? limit_of(which.system, noise) : nothing;
  const std::string verdict = std::isnan(limit) ? "" : median <= limit ? "yes" : "**no**";
  return fmt::format(
      "| {} | {} | {:g}% | {} | {} of {} | {} | {} | {} | {} | {} | {} of {} | {:.3f} |\n",
      which.system, which.runs, 100 * noise, structured ? which.law().recipe.name : "polynomial",
      found.exact_terms, found.seeds, number(median),
      number(count > 0 ? found.errors[count - 1] : nothing),
      number(structured && noise > 0 ? noise * tests.bound : nothing), number(limit), verdict,
      found.lost, found.rollouts, found.seconds);
}

std::string methods() {
  std::string text =
      "\n## Successive linearisation\n\n"
      "The paper's plan for nonlinear systems (`--method successive`): f(x) = A(x) x is frozen along courses x̂(t), the generator A(x̂(t)) that "
      "varies in time is fitted by maximum likelihood, the states of the fit are the next courses, until no parameter moves by more than a "
      "hundredth of its standard error or 30 rounds are over; terms leave and return as in the search with full sensitivities, beside which it "
      "stands. Two runs of different length, 1% noise, ten seeds. *Steps*, *rounds*: median of a whole fit. *Ended*: data sets on which it came to an end. *Distance*: how far "
      "the coefficients of both lie apart, the largest of a data set in standard errors of the most likely ones, median and largest, where both found "
      "the same terms. NRMSE over five times the data, median. Processor time in seconds, median.\n\n"
      "| system | duration | steps | ended | NRMSE | seconds | rounds | ended | NRMSE | seconds | distance | largest | same terms |\n"
      "|---|---|---|---|---|---|---|---|---|---|---|---|---|\n";
  for (const char* system : {"duffing", "pendulum", "saturating-rlc"})
    for (const double end : {2.0, 5.0, 10.0, 20.0}) {
      const MethodComparison c = compare_methods({system, end, 0.1, 2, 5 * end});
      text += fmt::format("| {} | {:g} |", system, end);
      for (const auto& side : {c.likelihood, c.successive})
        text += fmt::format(" {:g} | {} of {} | {} | {:.3f} |", side.iterations, side.ended,
                            c.seeds, number(side.error), side.seconds);
      text += fmt::format(" {:.2f} | {:.2f} | {} of {} |\n", c.distance, c.largest_distance,
                          c.alike, c.seeds);
    }
  return text;
}

std::string refusals() {
  int refused = 0;
  constexpr int seeds = 10;
  for (int seed = 1; seed <= seeds; ++seed) {
    SamplingOptions how;
    how.runs = 2;
    how.noise = 0.01;
    how.seed = static_cast<std::uint64_t>(seed);
    FitOptions options;
    options.structure = "nonlinear";
    try {
      select_law(sample_runs(nonlinear_system(known_law("van-der-pol", 1, 1, 0, 1)), how), options);
    } catch (const NotIdentified&) {
      ++refused;
    }
  }
  return fmt::format("Van der Pol's oscillator, which gains energy: refused in {} of {}.\n",
                     refused, seeds);
}

using Write = std::function<void(const std::string&)>;

void reached(const Write& write) {
  write(
      "# Nonlinear laws: what is reached\n\n"
      "Made by `make nonlinear`; all data are simulated. Runs of 200 samples, 0.1 apart, from random states (Lorenz: of 2,000, 0.01 apart), ten seeds each. "
      "Noise is relative to the standard deviation of each channel. NRMSE of predictions from ten new "
      "initial states of each seed, known exactly, over 100 (five times the data; Lorenz: over 2): the median and the largest of ten "
      "data sets. *Bound*: what no unbiased estimator goes below on these data, in the root mean square, though it were told which "
      "terms there are (Cramér and Rao; the median of ten data sets). *Terms*: data sets in which exactly the true terms were "
      "found. *Lost*: predictions that became infinite. Processor time of a fit in "
      "seconds, median. `polynomial` is maximum likelihood with the same search without a structure: what the structure itself is worth.\n\n"
      "Where an accuracy that was asked lies below the bound, two runs of 200 samples do not hold it: Duffing's oscillator is therefore "
      "there with five runs too.\n\n"
      "| system | runs | noise | structure | terms | NRMSE | largest | bound | asked | met | lost | seconds |\n"
      "|---|---|---|---|---|---|---|---|---|---|---|---|\n");
  for (const LawCase& which : law_cases()) {
    const LawTests tests = prepare_tests(which);
    for (const double noise : {0.0, 0.01, 0.05}) write(row(which, noise, true, tests));
    if (which.system != "duffing-chain" && which.runs == 2) write(row(which, 0.01, false, tests));
  }
  write("\n" + refusals());
  const LinearSeeds linear = linear_seeds();
  write(fmt::format(
      "\nLinear systems of 2 to 6 states (oscillator, RLC circuit, ladder, masses with springs, random ones; two runs, 5% noise) under the default "
      "settings: called nonlinear in {} of {}.\n",
      linear.nonlinear, linear.all));
  write(fmt::format(
      "\nThe energy of the rigid body gains at most {:.0e} of itself in any of 300 steps of each of the lengths 0.01, 0.1, 0.3 and 1.\n",
      largest_gain({"rigid-body"}, {0.01, 0.1, 0.3, 1.0})));
}

void of_positions(const Write& write) {
  write(
      "\n## Positions alone\n\nThe same data without their velocities, which are hidden states; predictions are of both, from "
      "new states that are known.\n\n");
  short_table(write, {{.system = "duffing", .positions = true},
                      {.system = "pendulum", .positions = true},
                      {.system = "duffing-chain", .positions = true}});
}

void under_forces(const Write& write) {
  write(
      "\n## Forces\n\nA force, or a voltage, acts on the same systems: a multisine of size one, held between samples, whose gain is a term "
      "as the others. Predictions from new states under another one. The pendulum, which turns over, and the rigid body move chaotically under it: no "
      "fit predicts them so far ahead, as the bound says.\n\n");
  short_table(write, {{.system = "duffing", .driven = true},
                      {.system = "pendulum", .driven = true},
                      {.system = "saturating-rlc", .driven = true},
                      {.system = "rigid-body", .driven = true}});
}

void standard_errors(const Write& write) {
  write(
      "\n## Standard errors\n\nCoefficients of C within 1.96 standard errors of the truth, 200 data sets "
      "with 1% noise each.\n\n| system | covered | of |\n|---|---|---|\n");
  for (const LawCase& which : std::vector<LawCase>{{.system = "duffing"},
                                                   {.system = "pendulum"},
                                                   {.system = "saturating-rlc"},
                                                   {.system = "duffing", .positions = true},
                                                   {.system = "duffing", .driven = true}}) {
    const LawCoverage found = coverage(which, 200);
    write(fmt::format("| {}{} | {:.1f}% | {} |\n", which.system,
                      which.positions ? ", positions alone"
                      : which.driven  ? ", with a force"
                                      : "",
                      100.0 * static_cast<double>(found.covered) / static_cast<double>(found.all),
                      found.all));
  }
}

}  // namespace

const std::vector<std::string>& nonlinear_sections() {
  static const std::vector<std::string> names{"reached", "positions", "forces", "successive",
                                              "errors"};
  return names;
}

void nonlinear_section(const std::string& name, const Write& write) {
  if (name == "reached") return reached(write);
  if (name == "positions") return of_positions(write);
  if (name == "forces") return under_forces(write);
  if (name == "successive") return write(methods());
  if (name == "errors") return standard_errors(write);
  throw Error(fmt::format("there is no section \"{}\"", name),
              fmt::format("they are {}", fmt::join(nonlinear_sections(), ", ")));
}

}  // namespace lgn::studies
