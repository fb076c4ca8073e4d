#include "experiments/nonlinear/study.h"

#include <algorithm>
#include <cmath>
#include <ctime>

#include "lgn/core/error.h"
#include "lgn/dynamics/systems.h"
#include "lgn/flow/collocation.h"
#include "lgn/flow/sample_runs.h"
#include "lgn/identify/nonlinear/law_fit.h"

namespace lgn::studies {
namespace {

double processor_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

Dataset samples_of(const LawCase& which, const KnownLaw& law, double noise, std::uint64_t seed,
                   Index runs, double end) {
  SamplingOptions how;
  how.runs = runs;
  how.end = end;
  how.step = which.step;
  how.noise = noise;
  how.seed = seed;
  return sample_runs(nonlinear_system(law), how);
}

/// Whether exactly the coefficients of the truth are there.
bool same_terms(const LawFit& fit, const KnownLaw& law) {
  const auto truth = build_nonlinear(law.recipe);
  const Matrix found = fit.structure->coefficients(fit.theta);
  const Matrix expected = truth->coefficients(law.theta);
  const double rounding = 1e-9 * expected.norm();
  Index matched = 0;
  for (Index f = 0; f < found.cols(); ++f) {
    const Index at = truth->functions().find(
        fit.structure->functions().functions()[static_cast<std::size_t>(f)]);
    for (Index r = 0; r < found.rows(); ++r) {
      const bool there = at >= 0 && std::abs(expected(r, at)) > rounding;
      if (there != (found(r, f) != 0)) return false;
      matched += there ? 1 : 0;
    }
  }
  return matched == (expected.array().abs() > rounding).count();
}

}  // namespace

KnownLaw LawCase::law() const { return known_law(system, 1, 0.1, 0.5, 5); }

std::vector<LawCase> law_cases() {
  return {{"duffing"},       {"pendulum"},   {"saturating-rlc"},
          {"duffing-chain"}, {"rigid-body"}, {"lorenz", 20, 0.01, 2, 2}};
}

LawOutcome run_case(const LawCase& which, double noise, bool structured, int seeds) {
  const KnownLaw law = which.law();
  const auto truth = build_nonlinear(law.recipe);
  const NonlinearRecipe recipe =
      structured ? law.recipe : NonlinearRecipe{"polynomial", truth->dimension(), 3};
  LawOutcome result;
  std::vector<double> errors, seconds;
  for (int seed = 1; seed <= seeds; ++seed) {
    ++result.seeds;
    const auto number = static_cast<std::uint64_t>(seed);
    const Dataset data = samples_of(which, law, noise, number, which.runs, which.end);
    const double begin = processor_seconds();
    LawFit fit;
    try {
      fit = fit_law(data, recipe, {});
    } catch (const NotIdentified&) {
      continue;
    }
    seconds.push_back(processor_seconds() - begin);
    ++result.fitted;
    result.exact_terms += same_terms(fit, law) ? 1 : 0;
    constexpr Index starts = 10;
    const Dataset fresh = samples_of(which, law, 0, 1000 + number, starts, which.horizon);
    const NonlinearField field(*fit.structure, fit.theta);
    double squares = 0, power = 0;
    for (const auto& run : fresh.runs()) {
      ++result.rollouts;
      const Matrix predicted = propagate(field, run.states().col(0), run.times());
      if (!predicted.allFinite()) {
        ++result.lost;
        continue;
      }
      squares += (predicted - run.states()).squaredNorm();
      power += run.states().squaredNorm();
    }
    errors.push_back(power > 0 ? std::sqrt(squares / power) : std::nan(""));
  }
  result.errors = Eigen::Map<const Vector>(errors.data(), static_cast<Index>(errors.size()));
  std::sort(result.errors.begin(), result.errors.end());
  std::sort(seconds.begin(), seconds.end());
  if (!seconds.empty()) result.seconds = seconds[seconds.size() / 2];
  return result;
}

LawCoverage coverage(const LawCase& which, int repeats) {
  const KnownLaw law = which.law();
  const auto truth = build_nonlinear(law.recipe);
  const Matrix expected = truth->coefficients(law.theta);
  LawCoverage result;
  for (int seed = 1; seed <= repeats; ++seed) {
    const LawFit fit = fit_law(samples_of(which, law, 0.01, 5000 + static_cast<std::uint64_t>(seed),
                                          which.runs, which.end),
                               law.recipe, {});
    const Matrix found = fit.structure->coefficients(fit.theta);
    Matrix slopes = Matrix::Zero(found.size(), fit.theta.size());
    for (const auto& s : fit.structure->coefficient_slopes(fit.theta))
      slopes(s.function * found.rows() + s.row, s.parameter) += s.value;
    for (Index k = 0; k < found.size(); ++k) {
      const Vector slope = slopes.row(k);
      const double se = std::sqrt(std::max(0.0, slope.dot(fit.covariance * slope)));
      if (!(se > 0)) continue;
      ++result.all;
      result.covered += std::abs(found.reshaped()[k] - expected.reshaped()[k]) <= 1.96 * se ? 1 : 0;
    }
  }
  return result;
}

double largest_gain(const LawCase& which, const std::vector<double>& steps) {
  const KnownLaw law = which.law();
  const auto truth = build_nonlinear(law.recipe);
  const NonlinearField field(*truth, law.theta);
  const StateEnergy& energy = *truth->state_energy();
  Random random(17);
  double largest = 0;
  for (const double step : steps) {
    Vector x = random.normals(truth->dimension());
    for (int k = 0; k < 300; ++k) {
      const Vector next = collocation_step(field, x, step).end;
      if (!next.allFinite()) break;
      const double before = energy.value(law.theta, x);
      largest = std::max(largest, (energy.value(law.theta, next) - before) / before);
      x = next;
    }
  }
  return largest;
}

}  // namespace lgn::studies
