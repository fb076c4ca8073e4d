#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>

#include "lgn/core/error.h"
#include "lgn/core/random.h"
#include "lgn/dynamics/systems.h"
#include "lgn/flow/collocation.h"
#include "lgn/flow/sample_runs.h"
#include "lgn/identify.h"
#include "lgn/identify/nonlinear/law_fit.h"
#include "lgn/model/model_file.h"
#include "lgn/physics/metrics.h"

namespace lgn {
namespace {

Dataset samples_of(const KnownLaw& law, double noise, Index runs = 2, double end = 20,
                   std::uint64_t seed = 1) {
  SamplingOptions how;
  how.runs = runs;
  how.end = end;
  how.noise = noise;
  how.seed = seed;
  return sample_runs(nonlinear_system(law), how);
}

/// Names of the terms that are there, scales of the energy aside.
std::set<std::string> terms_of(const LawFit& fit) {
  std::set<std::string> result;
  for (Index k = 0; k < fit.theta.size(); ++k)
    if (const auto& p = fit.structure->parameter_list()[static_cast<std::size_t>(k)];
        fit.active[static_cast<std::size_t>(k)] && !p.scale)
      result.insert(p.name);
  return result;
}

/// C of the fit less the true one, in standard errors, the largest.
double largest_deviation(const LawFit& fit, const KnownLaw& law) {
  const auto truth = build_nonlinear(law.recipe);
  const Matrix found = fit.structure->coefficients(fit.theta);
  const Matrix expected = truth->coefficients(law.theta);
  Matrix slopes = Matrix::Zero(found.size(), fit.theta.size());
  for (const auto& s : fit.structure->coefficient_slopes(fit.theta))
    slopes(s.function * found.rows() + s.row, s.parameter) += s.value;
  double largest = 0;
  for (Index f = 0; f < found.cols(); ++f)
    for (Index r = 0; r < found.rows(); ++r) {
      const Vector slope = slopes.row(f * found.rows() + r);
      const double se = std::sqrt(slope.dot(fit.covariance * slope));
      const Index at = truth->functions().find(
          fit.structure->functions().functions()[static_cast<std::size_t>(f)]);
      const double difference = std::abs(found(r, f) - (at < 0 ? 0 : expected(r, at)));
      if (se > 0)
        largest = std::max(largest, difference / se);
      else
        EXPECT_LE(difference, 1e-12);
    }
  return largest;
}

struct Expected {
  const char* system;
  std::set<std::string> terms;
};

class NonlinearFit : public ::testing::TestWithParam<Expected> {};

TEST_P(NonlinearFit, FindsTermsAndValuesAtOnePerCentOfNoise) {
  const KnownLaw law = known_law(GetParam().system, 1, 0.1, 0.5, 1);
  const LawFit fit = fit_law(samples_of(law, 0.01), law.recipe, {});
  EXPECT_EQ(terms_of(fit), GetParam().terms);
  EXPECT_TRUE(fit.converged);
  // Of up to ten numbers one beyond 4.5 standard errors comes in about 15,000 data sets.
  EXPECT_LT(largest_deviation(fit, law), 4.5);
}

TEST_P(NonlinearFit, IsExactWithoutNoise) {
  const KnownLaw law = known_law(GetParam().system, 1, 0.1, 0.5, 1);
  const LawFit fit = fit_law(samples_of(law, 0), law.recipe, {});
  EXPECT_EQ(terms_of(fit), GetParam().terms);
  const Matrix found = fit.structure->coefficients(fit.theta);
  const Matrix truth = build_nonlinear(law.recipe)->coefficients(law.theta);
  // Steps of the fit have an error of 0.3⁷/10⁵ each, those of the data of less.
  EXPECT_LE((found - truth).norm(), 1e-6 * truth.norm());
}

INSTANTIATE_TEST_SUITE_P(Systems, NonlinearFit,
                         ::testing::Values(Expected{"duffing", {"k1", "k1^3", "c1"}},
                                           Expected{"pendulum", {"k1 sin", "c1"}},
                                           Expected{"saturating-rlc", {"S1,2", "d2", "a2"}}),
                         [](const auto& test) {
                           std::string name = test.param.system;
                           std::erase(name, '-');
                           return name;
                         });

TEST(LawFitting, ToleratesUnevenTimesAndGaps) {
  const KnownLaw law = known_law("duffing", 1, 0.1, 0.5, 1);
  const Dataset even = samples_of(law, 0.01);
  std::vector<Trajectory> runs;
  for (const auto& run : even.runs()) {
    // Two of seven samples are left out, of another one the velocity is missing.
    std::vector<Index> kept;
    for (Index k = 0; k < run.samples(); ++k)
      if (k % 7 != 2 && k % 7 != 3) kept.push_back(k);
    Vector times(static_cast<Index>(kept.size()));
    Matrix states(2, times.size());
    for (Index k = 0; k < times.size(); ++k) {
      times[k] = run.times()[kept[static_cast<std::size_t>(k)]];
      states.col(k) = run.states().col(kept[static_cast<std::size_t>(k)]);
      if (k % 11 == 5) states(1, k) = std::nan("");
    }
    runs.emplace_back(run.label(), times, states);
  }
  const LawFit fit = fit_law(Dataset(even.channels(), runs), law.recipe, {});
  EXPECT_EQ(terms_of(fit), (std::set<std::string>{"k1", "k1^3", "c1"}));
  EXPECT_LT(largest_deviation(fit, law), 4.5);
}

TEST(LawFitting, SuccessiveLinearisationComesNearTheTruthToo) {
  const KnownLaw law = known_law("duffing", 1, 0.1, 0.5, 1);
  FitOptions options;
  options.method = Method::successive;
  const LawFit fit = fit_law(samples_of(law, 0.01, 2, 5), law.recipe, options);
  EXPECT_TRUE(fit.converged);
  EXPECT_EQ(terms_of(fit), (std::set<std::string>{"k1", "k1^3", "c1"}));
  // It is not the most likely point, but of the same noise: four of its numbers beyond 4.5 come in 30,000 data sets.
  EXPECT_LT(largest_deviation(fit, law), 4.5);
  options.structure = "sd";
  EXPECT_THROW(check_options(options), Error);
}

/// The samples, with what `change` adds to each of a run: channels × samples.
Dataset with_added(const Dataset& data, const std::function<Matrix(const Trajectory&)>& change) {
  std::vector<Trajectory> runs;
  for (const auto& run : data.runs())
    runs.emplace_back(run.label(), run.times(), Matrix(run.states() + change(run)));
  return Dataset(data.channels(), std::move(runs));
}

FitOptions mechanical() {
  FitOptions options;
  options.structure = "nonlinear-mechanical";
  return options;
}

/// Coefficients of the model less the true ones in standard errors, the largest; other terms count as infinitely far.
double largest_deviation(const Model& model, const KnownLaw& law) {
  LawFit fit;
  fit.structure = model.nonlinear->structure;
  fit.theta = model.nonlinear->theta;
  fit.covariance = model.nonlinear->covariance;
  for (Index k = 0; k < fit.theta.size(); ++k) fit.active.push_back(fit.theta[k] != 0);
  return terms_of(fit) == std::set<std::string>{"k1", "k1^3", "c1"} ? largest_deviation(fit, law)
                                                                    : INFINITY;
}

TEST(LawFitting, EstimatesAnOffset) {
  const KnownLaw law = known_law("duffing", 1, 0.1, 0.5, 1);
  const Vector offset = Eigen::Vector2d(0.7, -0.3);
  const Dataset data = with_added(samples_of(law, 0.01), [&](const Trajectory& run) {
    return offset.replicate(1, run.samples());
  });
  FitOptions options = mechanical();
  options.offset = Offset::estimate;
  const Model model = identify(data, options);
  ASSERT_EQ(model.offset_errors.size(), 2);
  // One of five numbers beyond 4.5 standard errors comes in about 30,000 data sets.
  for (Index c = 0; c < 2; ++c)
    EXPECT_NEAR(model.offset[c], offset[c], 4.5 * model.offset_errors[c]) << c;
  EXPECT_LT(largest_deviation(model, law), 4.5);
  EXPECT_LT(model.fit.nrmse_train, 0.012);
  options.structure = "lossless";
  EXPECT_THROW(identify(data, options), Error);
}

TEST(LawFitting, ToleratesSamplesThatStandOut) {
  const KnownLaw law = known_law("duffing", 1, 0.1, 0.5, 1);
  const Dataset data = with_added(samples_of(law, 0.01), [](const Trajectory& run) {
    Matrix spikes = Matrix::Zero(2, run.samples());
    for (Index k = 11; k < run.samples(); k += 37) spikes(k % 2, k) = k % 3 == 0 ? 4 : -3;
    return spikes;
  });
  const Model model = identify(data, mechanical());
  EXPECT_TRUE(std::any_of(model.warnings.begin(), model.warnings.end(),
                          [](const Warning& w) { return w.code == "outliers"; }));
  FitOptions robust;
  robust.loss = Loss::huber;
  const LawFit fit = fit_law(data, law.recipe, robust);
  EXPECT_EQ(terms_of(fit), (std::set<std::string>{"k1", "k1^3", "c1"}));
  EXPECT_LT(largest_deviation(fit, law), 4.5);
  // The noise without the spikes: 1% of deviations of about one half.
  EXPECT_LT(model.fit.channel_noise.maxCoeff(), 0.012);
}

TEST(LawFitting, ErrorsOfAutocorrelatedResidualsAreWider) {
  const KnownLaw law = known_law("duffing", 1, 0.1, 0.5, 1);
  Random random(3);
  const Dataset data = with_added(samples_of(law, 0), [&](const Trajectory& run) {
    Matrix noise = 0.01 * random.normals(2, run.samples());
    for (Index k = 1; k < run.samples(); ++k) noise.col(k) += 0.6 * noise.col(k - 1);
    return noise;
  });
  const LawFit fit = fit_law(data, law.recipe, {});
  EXPECT_EQ(terms_of(fit), (std::set<std::string>{"k1", "k1^3", "c1"}));
  // Slow combinations have up to (1 + ρ)/(1 − ρ) = 4 times the variance.
  EXPECT_GT(fit.widening, 1.2);
  EXPECT_LT(fit.widening, 2.5);
  EXPECT_LT(largest_deviation(fit, law), 4.5);
}

TEST(LawFitting, RefusesWhatGainsEnergy) {
  FitOptions options;
  options.structure = "nonlinear";
  const Dataset data = samples_of(known_law("van-der-pol", 1, 1, 0, 1), 0.01, 2, 30);
  try {
    identify(data, options);
    FAIL() << "van der Pol's oscillator gains energy";
  } catch (const NotIdentified& error) {
    EXPECT_NE(error.problem().find("contradict"), std::string::npos) << error.problem();
    EXPECT_NE(error.help().find("polynomial"), std::string::npos);
  }
  options.structure = "polynomial";
  const Model model = identify(data, options);
  EXPECT_FALSE(model.guarantee.dissipative);
  EXPECT_LT(model.fit.nrmse_train, 0.012);
}

TEST(LawFitting, ChoosesTheClass) {
  FitOptions options;
  options.structure = "nonlinear";
  for (const auto& [system, expected] :
       {std::pair{"duffing", "nonlinear-mechanical"}, std::pair{"rigid-body", "gyro"}}) {
    const KnownLaw law = known_law(system, 1, 0.1, 0.5, 1);
    const LawSelection found = select_law(samples_of(law, 0.01), options);
    EXPECT_EQ(found.fit.recipe.name, expected);
    EXPECT_EQ(std::count_if(found.candidates.begin(), found.candidates.end(),
                            [](const auto& c) { return c.chosen; }),
              1);
  }
}

TEST(LawFitting, ModelPredictsSavesAndReads) {
  const KnownLaw law = known_law("pendulum", 1, 0.1, 0.5, 1);
  FitOptions options;
  options.structure = "nonlinear";
  const Model model = identify(samples_of(law, 0.01), options);
  ASSERT_TRUE(model.nonlinear);
  EXPECT_TRUE(model.guarantee.dissipative);
  // Small swings of a pendulum have the frequency 1 and the damping ratio 0.05.
  ASSERT_TRUE(model.modes[0].se);
  EXPECT_NEAR(model.modes[0].natural_frequency, 1, 4.5 * model.modes[0].se->natural_frequency);
  EXPECT_NEAR(model.modes[0].damping_ratio, 0.05, 4.5 * model.modes[0].se->damping_ratio);
  const Model again = model_from_json(model_to_json(model), "test");
  ASSERT_TRUE(again.nonlinear);
  EXPECT_EQ(again.nonlinear->theta, model.nonlinear->theta);
  EXPECT_EQ(again.nonlinear->equilibria.size(), model.nonlinear->equilibria.size());
  const Vector x0 = Eigen::Vector2d(2.5, 0), times = Vector::LinSpaced(201, 0, 100);
  const Matrix truth =
      propagate(NonlinearField(*build_nonlinear(law.recipe), law.theta), x0, times);
  EXPECT_EQ(simulate(again, x0, times), simulate(model, x0, times));
  // What was asked of predictions over five times the horizon at 1% of noise.
  EXPECT_LT(nrmse(simulate(model, x0, times), truth), 5e-3 * 4);
  const Matrix starts = fitted_initial_states(again, samples_of(law, 0, 1, 20, 5));
  const Matrix clean = samples_of(law, 0, 1, 20, 5).runs()[0].states().col(0);
  EXPECT_LE((starts - clean).norm(), 0.05 * clean.norm());
}

TEST(LawFitting, AutomaticChoiceTriesItWhereFrequencyDependsOnAmplitude) {
  const Model found = identify(samples_of(known_law("pendulum", 1, 0.02, 0.5, 1), 0.01, 2, 60));
  ASSERT_TRUE(found.nonlinear);
  EXPECT_EQ(found.structure, "nonlinear-mechanical");
}

}  // namespace
}  // namespace lgn
