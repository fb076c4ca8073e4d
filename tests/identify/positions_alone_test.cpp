#include <gtest/gtest.h>

#include <cmath>

#include "lgn/core/error.h"
#include "lgn/dynamics/nonlinear_systems.h"
#include "lgn/dynamics/systems.h"
#include "lgn/flow/collocation.h"
#include "lgn/flow/sample_runs.h"
#include "lgn/identify.h"
#include "lgn/identify/nonlinear/law_fit.h"
#include "lgn/identify/nonlinear/smoothing.h"
#include "lgn/model/model_file.h"

namespace lgn {
namespace {

/// The positions of a law with 1% of noise, two runs of 200 samples.
Dataset positions_of(const KnownLaw& law) {
  SamplingOptions how;
  how.runs = 2;
  how.noise = 0.01;
  const Dataset all = sample_runs(nonlinear_system(law), how);
  std::vector<Trajectory> runs;
  const Index masses = all.dimension() / 2;
  for (const auto& run : all.runs())
    runs.emplace_back(run.label(), run.times(), Matrix(run.states().topRows(masses)));
  return Dataset({all.channels().begin(), all.channels().begin() + masses}, std::move(runs));
}

FitOptions options_of(const std::string& structure) {
  FitOptions options;
  options.structure = structure;
  return options;
}

/// The model's coefficients less the true ones in standard errors, the largest; infinite where its terms are others.
double largest_deviation_of_rates(const Model& model, const KnownLaw& law) {
  const auto truth = build_nonlinear(law.recipe);
  const Matrix expected = truth->coefficients(law.theta);
  const auto terms = model.nonlinear->terms();
  double largest =
      static_cast<Index>(terms.size()) == (expected.array() != 0).count() ? 0 : INFINITY;
  for (const auto& [state, factors, coefficient, error] : terms) {
    const Index at = truth->functions().find(factors);
    const double difference = std::abs(coefficient - (at < 0 ? 0 : expected(state, at)));
    if (error > 0) largest = std::max(largest, difference / error);
  }
  return largest;
}

TEST(PositionsAlone, SmoothingKnowsTheirRates) {
  const Vector times = Vector::LinSpaced(50, 0, 5);
  const Matrix cubic = (times.array().cube() - 2 * times.array()).matrix().transpose();
  const SmoothedData smoothed = smooth(Dataset({"q"}, {Trajectory("1", times, cubic)}), true);
  ASSERT_EQ(smoothed.data.dimension(), 2);
  // The cubic polynomial of a cubic polynomial, and its normal equations' rounding.
  const Vector expected = 3 * times.array().square() - 2;
  EXPECT_LE((smoothed.data.runs()[0].states().row(1).transpose() - expected).norm(),
            1e-9 * expected.norm());
}

class PositionsAlone : public ::testing::TestWithParam<const char*> {};

TEST_P(PositionsAlone, HaveTheSameLaw) {
  const KnownLaw law = known_law(GetParam(), 1, 0.1, 0.5, 2);
  const Dataset data = positions_of(law);
  FitOptions options = options_of("nonlinear");
  if (data.dimension() > 1) {  // q1 and q2 might be charges
    options.states = States::given;
    options.state_count = 2 * data.dimension();
  }
  const Model model = identify(data, options);
  ASSERT_TRUE(model.nonlinear);
  EXPECT_EQ(model.structure, "nonlinear-mechanical");
  EXPECT_TRUE(model.fit.converged);
  EXPECT_TRUE(model.hidden());
  EXPECT_EQ(model.outputs(), data.dimension());
  EXPECT_EQ(model.starts.rows(), 2 * data.dimension());
  // Of a dozen numbers one beyond 4.5 standard errors comes in about 12,000 data sets.
  EXPECT_LT(largest_deviation_of_rates(model, law), 4.5);

  const Model again = model_from_json(model_to_json(model), "test");
  EXPECT_EQ(again.states(), model.states());
  const Vector times = Vector::LinSpaced(101, 0, 20), x0 = model.starts.col(0);
  EXPECT_EQ(simulate(again, x0, times), simulate(model, x0, times));
  // Fitted again to the same data: the steps of the search end within a hundredth of a standard error.
  EXPECT_LE((fitted_initial_states(again, data) - model.starts).norm(), 1e-3 * model.starts.norm());
}

INSTANTIATE_TEST_SUITE_P(Systems, PositionsAlone,
                         ::testing::Values("duffing", "pendulum", "duffing-chain"),
                         [](const auto& test) {
                           std::string name = test.param;
                           std::erase(name, '-');
                           return name;
                         });

TEST(PositionsAlone, AreAskedForByTheNumberOfStates) {
  const Vector times = Vector::LinSpaced(20, 0, 1);
  const auto of = [&](std::vector<std::string> names) {
    const auto n = static_cast<Index>(names.size());
    return Dataset(std::move(names), {Trajectory("1", times, Matrix::Ones(n, 20))});
  };
  FitOptions options = options_of("nonlinear-mechanical");
  EXPECT_TRUE(of_positions_alone(of({"theta"}), options));
  EXPECT_FALSE(of_positions_alone(of({"q1", "v1"}), options));
  EXPECT_FALSE(of_positions_alone(of({"a", "b"}), options));
  options.network.kinds = {ChannelKind::position, ChannelKind::position};
  EXPECT_TRUE(of_positions_alone(of({"a", "b"}), options));
  options.states = States::given;
  options.state_count = 4;
  EXPECT_TRUE(of_positions_alone(of({"a", "b"}), options));
  options.state_count = 3;
  EXPECT_THROW(of_positions_alone(of({"a", "b"}), options), Error);
  options.state_count = 4;
  options.structure = "gyro";
  EXPECT_THROW(of_positions_alone(of({"a", "b"}), options), Error);
  options.states = States::measured;
  EXPECT_FALSE(of_positions_alone(of({"q1", "q2"}), options));
}

}  // namespace
}  // namespace lgn
