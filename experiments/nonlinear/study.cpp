#include "experiments/nonlinear/study.h"

#include <algorithm>
#include <cmath>
#include <ctime>

#include "lgn/core/error.h"
#include "lgn/core/inverse_root.h"
#include "lgn/dynamics/systems.h"
#include "lgn/flow/collocation.h"
#include "lgn/flow/sample_runs.h"
#include "lgn/identify.h"
#include "lgn/identify/nonlinear/law_fit.h"
#include "lgn/identify/nonlinear/law_problem.h"

namespace lgn::studies {
namespace {

double processor_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

KnownLaw free_law(const LawCase& which) { return known_law(which.system, 1, 0.1, 0.5, 5); }

/// All states.
Dataset samples_of(const LawCase& which, double noise, std::uint64_t seed, Index runs, double end) {
  SamplingOptions how;
  how.runs = runs;
  how.end = end;
  how.step = which.step;
  how.noise = noise;
  how.seed = seed;
  if (which.driven) how.input = "multisine";
  return sample_runs(nonlinear_system(free_law(which)), how);
}

/// What is measured of them.
Dataset measured(const LawCase& which, const Dataset& states) {
  if (!which.positions) return states;
  const Index masses = states.dimension() / 2;
  std::vector<Trajectory> runs;
  for (const auto& run : states.runs())
    runs.emplace_back(run.label(), run.times(), Matrix(run.states().topRows(masses)), run.inputs());
  return Dataset({states.channels().begin(), states.channels().begin() + masses}, std::move(runs),
                 states.inputs());
}

FitOptions options_of(const LawCase& which) {
  FitOptions options;
  options.driven = which.driven;
  return options;
}

/// Ten runs from new initial states, without noise, for predictions.
Dataset fresh_runs(const LawCase& which, std::uint64_t seed) {
  constexpr Index starts = 10;
  return samples_of(which, 0, 1000 + seed, starts, which.horizon);
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

/// LawTests::bound of one data set: the information of θ at the truth, initial states unknown, carried to the new states.
double prediction_bound(const LawCase& which, std::uint64_t seed, const Dataset& fresh) {
  const KnownLaw law = which.law();
  const auto truth = build_nonlinear(law.recipe);
  constexpr double small = 0.01;
  const Dataset states = samples_of(which, 0, seed, which.runs, which.end),
                clean = measured(which, states),
                noisy = measured(which, samples_of(which, small, seed, which.runs, which.end));
  Vector squares = Vector::Zero(clean.dimension());
  Matrix starts(states.dimension(), which.runs);
  for (Index r = 0; r < which.runs; ++r) {
    const auto k = static_cast<std::size_t>(r);
    squares += (noisy.runs()[k].states() - clean.runs()[k].states()).rowwise().squaredNorm();
    starts.col(r) = states.runs()[k].states().col(0);
  }
  const Vector sigma = (squares / static_cast<double>(clean.samples())).cwiseSqrt();
  std::vector<Index> there;
  Vector scales = Vector::Ones(law.theta.size());
  for (Index k = 0; k < law.theta.size(); ++k) {
    if (law.theta[k] != 0) there.push_back(k);
    if (truth->parameter_list()[static_cast<std::size_t>(k)].scale) scales[k] = law.theta[k];
  }
  const NonlinearField field(*truth, law.theta, there);
  const LawProblem problem(clean, *truth, sigma, scales, which.step);
  const Matrix root = inverse_root(
      eliminate_starts(problem.linearise(problem.at(law.theta, starts), there)).matrix);
  double variance = 0, power = 0;
  for (const auto& run : fresh.runs()) {
    const CollocationFlow flow(input_course(run.times(), run.inputs(), {}), which.step);
    const auto path = flow.path(field, run.states().col(0));
    variance +=
        (flow.sensitivities(field, path).rightCols(field.parameters()) * root).squaredNorm();
    power += run.states().squaredNorm();
  }
  return std::sqrt(variance / power) / small;
}

/// What a fit says of runs whose initial states are known.
struct Predictions {
  double nrmse;  ///< of those that stay finite
  int lost;
};
Predictions predict(const LawFit& fit, const Dataset& fresh) {
  const NonlinearField field(*fit.structure, fit.theta);
  double squares = 0, power = 0;
  int lost = 0;
  for (const auto& run : fresh.runs()) {
    const Matrix predicted =
        propagate(field, run.states().col(0), input_course(run.times(), run.inputs(), {}));
    if (!predicted.allFinite()) {
      ++lost;
      continue;
    }
    squares += (predicted - run.states()).squaredNorm();
    power += run.states().squaredNorm();
  }
  return {power > 0 ? std::sqrt(squares / power) : std::nan(""), lost};
}

/// Standard errors of C.
Matrix coefficient_errors(const LawFit& fit) {
  const Matrix c = fit.structure->coefficients(fit.theta);
  Matrix slopes = Matrix::Zero(c.size(), fit.theta.size());
  for (const auto& s : fit.structure->coefficient_slopes(fit.theta))
    slopes(s.function * c.rows() + s.row, s.parameter) += s.value;
  const Vector variances = (slopes * fit.covariance).cwiseProduct(slopes).rowwise().sum();
  return variances.cwiseMax(0.0).cwiseSqrt().reshaped(c.rows(), c.cols());
}

double median(std::vector<double> values) {
  if (values.empty()) return std::nan("");
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

}  // namespace

KnownLaw LawCase::law() const {
  const KnownLaw law = free_law(*this);
  return driven ? with_input(law, nonlinear_system(law).b.col(0)) : law;
}

std::vector<LawCase> law_cases() {
  return {{"duffing"},
          {"duffing", 20, 0.1, 5},
          {"pendulum"},
          {"saturating-rlc"},
          {"duffing-chain"},
          {"rigid-body"},
          {"lorenz", 20, 0.01, 2, 2}};
}

LawTests prepare_tests(const LawCase& which, int seeds) {
  LawTests tests;
  std::vector<double> bounds;
  for (int seed = 1; seed <= seeds; ++seed) {
    const auto number = static_cast<std::uint64_t>(seed);
    tests.fresh.push_back(fresh_runs(which, number));
    bounds.push_back(prediction_bound(which, number, tests.fresh.back()));
  }
  std::sort(bounds.begin(), bounds.end());
  tests.bound = bounds[bounds.size() / 2];
  return tests;
}

LawOutcome run_case(const LawCase& which, double noise, bool structured, const LawTests& tests) {
  const KnownLaw law = which.law();
  const auto truth = build_nonlinear(law.recipe);
  const NonlinearRecipe recipe =
      structured ? law.recipe : NonlinearRecipe{"polynomial", truth->dimension(), 3};
  LawOutcome result;
  std::vector<double> errors, seconds;
  const int seeds = static_cast<int>(tests.fresh.size());
  for (int seed = 1; seed <= seeds; ++seed) {
    ++result.seeds;
    const auto number = static_cast<std::uint64_t>(seed);
    const Dataset data = measured(which, samples_of(which, noise, number, which.runs, which.end));
    const double begin = processor_seconds();
    LawFit fit;
    try {
      fit = fit_law(data, recipe, options_of(which));
    } catch (const NotIdentified&) {
      continue;
    }
    seconds.push_back(processor_seconds() - begin);
    ++result.fitted;
    result.exact_terms += same_terms(fit, law) ? 1 : 0;
    const Dataset& fresh = tests.fresh[static_cast<std::size_t>(seed - 1)];
    const Predictions predicted = predict(fit, fresh);
    result.rollouts += static_cast<int>(fresh.runs().size());
    result.lost += predicted.lost;
    errors.push_back(predicted.nrmse);
  }
  result.errors = Eigen::Map<const Vector>(errors.data(), static_cast<Index>(errors.size()));
  std::sort(result.errors.begin(), result.errors.end());
  if (!seconds.empty()) result.seconds = median(seconds);
  return result;
}

MethodComparison compare_methods(const LawCase& which, int seeds) {
  const KnownLaw law = which.law();
  MethodComparison result;
  result.seeds = seeds;
  struct Lists {
    std::vector<double> iterations, errors, seconds;
  } lists[2];
  std::vector<double> distances;
  for (int seed = 1; seed <= seeds; ++seed) {
    const auto number = static_cast<std::uint64_t>(seed);
    const Dataset data = samples_of(which, 0.01, number, which.runs, which.end);
    const Dataset fresh = fresh_runs(which, number);
    std::vector<LawFit> fits;
    for (const bool successive : {false, true}) {
      FitOptions options;
      options.method = successive ? Method::successive : Method::likelihood;
      Lists& side = lists[successive];
      const double begin = processor_seconds();
      try {
        fits.push_back(fit_law(data, law.recipe, options));
      } catch (const NotIdentified&) {
        continue;
      }
      side.seconds.push_back(processor_seconds() - begin);
      side.iterations.push_back(fits.back().iterations);
      side.errors.push_back(predict(fits.back(), fresh).nrmse);
      (successive ? result.successive : result.likelihood).ended += fits.back().converged ? 1 : 0;
    }
    if (fits.size() < 2 || fits[0].active != fits[1].active) continue;
    ++result.alike;
    const Matrix errors = coefficient_errors(fits[0]);
    const Matrix difference = fits[1].structure->coefficients(fits[1].theta) -
                              fits[0].structure->coefficients(fits[0].theta);
    distances.push_back((errors.array() > 0)
                            .select(difference.array().abs() / errors.array().max(1e-300), 0.0)
                            .maxCoeff());
  }
  for (const bool successive : {false, true}) {
    auto& side = successive ? result.successive : result.likelihood;
    side.iterations = median(lists[successive].iterations);
    side.error = median(lists[successive].errors);
    side.seconds = median(lists[successive].seconds);
  }
  result.distance = median(distances);
  if (!distances.empty())
    result.largest_distance = *std::max_element(distances.begin(), distances.end());
  return result;
}

LawCoverage coverage(const LawCase& which, int repeats) {
  const KnownLaw law = which.law();
  const auto truth = build_nonlinear(law.recipe);
  const Matrix expected = truth->coefficients(law.theta);
  LawCoverage result;
  for (int seed = 1; seed <= repeats; ++seed) {
    const Dataset data = measured(
        which,
        samples_of(which, 0.01, 5000 + static_cast<std::uint64_t>(seed), which.runs, which.end));
    const LawFit fit = fit_law(data, law.recipe, options_of(which));
    const Matrix found = fit.structure->coefficients(fit.theta), errors = coefficient_errors(fit);
    for (Index k = 0; k < found.size(); ++k) {
      const double se = errors.reshaped()[k];
      if (!(se > 0)) continue;
      ++result.all;
      result.covered += std::abs(found.reshaped()[k] - expected.reshaped()[k]) <= 1.96 * se ? 1 : 0;
    }
  }
  return result;
}

LinearSeeds linear_seeds() {
  LinearSeeds result;
  constexpr std::uint64_t seeds = 20;
  Random random(11);
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    const Vector sections = Vector::Ones(2);
    for (const System& system :
         {oscillator(1), rlc(1, 0.1), ladder(0.1 * sections, sections, sections),
          mass_spring(3, 1, 1, 0.1), random_dissipative(4, random)}) {
      SamplingOptions how;
      how.runs = 2;
      how.noise = 0.05;
      how.seed = seed;
      ++result.all;
      result.nonlinear += identify(sample_runs(system, how)).nonlinear ? 1 : 0;
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
