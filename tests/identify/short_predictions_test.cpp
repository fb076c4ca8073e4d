#include "lgn/identify/regression/short_predictions.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "lgn/data/scales.h"
#include "lgn/data/windows.h"
#include "lgn/dynamics/structures.h"
#include "lgn/flow/propagate.h"
#include "lgn/flow/sample_runs.h"
#include "lgn/identify/estimate.h"
#include "lgn/identify/training/trajectory_loss.h"
#include "tests/core/machine_epsilon.h"

namespace lgn {
namespace {

using testing::epsilon;

System small_ladder() { return ladder(Vector::Constant(2, 0.1), Vector::Ones(2), Vector::Ones(2)); }

/// The definition: every window on its own. Channels must have one amplitude.
double error_by_definition(const Dataset& data, Index samples, const Matrix& a) {
  const Dataset windows = cut_windows(data, samples);
  const FullStructure full(a.rows());
  const double loss = TrajectoryLoss(windows, full)
                          .value(a.reshaped(), initial_states_of(full, a.reshaped(), windows, true,
                                                                 Vector::Ones(a.rows())));
  return std::sqrt(loss / static_cast<double>(data.present())) / amplitude(data);
}

/// Runs with noise and gaps, every channel of one amplitude.
Dataset noisy(bool uneven, double missing) {
  Random random(2);
  const System system = small_ladder();
  std::vector<Trajectory> runs;
  for (int run = 0; run < 2; ++run) {
    Vector times = Vector::LinSpaced(50, 0, 4.9);
    if (uneven) times += 0.03 * Vector::NullaryExpr(50, [&](Index) { return random.uniform(); });
    Matrix states = propagate(system.a, random.normals(4), times) + 0.05 * random.normals(4, 50);
    for (Index k = 0; k < states.size(); ++k)
      if (random.uniform() < missing) states.data()[k] = std::nan("");
    runs.emplace_back("1", times, states);
  }
  const Dataset data(system.channels, runs);
  const Vector sizes = channel_amplitudes(data);
  std::vector<Trajectory> scaled;
  for (const auto& run : runs)
    scaled.emplace_back("1", run.times(), sizes.cwiseInverse().asDiagonal() * run.states());
  return Dataset(system.channels, scaled);
}

// Twelve digits are kept of the normal equations, where gaps may hide a direction.
TEST(ShortPredictions, AreThoseOfTheDefinition) {
  const Matrix a = small_ladder().a;
  for (const bool uneven : {false, true})
    for (const double missing : {0.0, 0.1}) {
      const Dataset data = noisy(uneven, missing);
      const double expected = error_by_definition(data, 9, a);
      EXPECT_NEAR(ShortPredictions(data, 9).error(a), expected, 1e-9 * expected);
      EXPECT_LT(expected, ShortPredictions(data, 9).error(1.5 * a));
    }
}

// Exact data are predicted to rounding, or to that of the ridge where cells are missing.
TEST(ShortPredictions, AreExactForTheTruth) {
  const System system = small_ladder();
  const Dataset data = sample_runs(system, {.runs = 3});
  EXPECT_LE(ShortPredictions(data, 20).error(system.a), 1e-11);
}

// Units do not matter: a channel in thousandths is predicted as well.
TEST(ShortPredictions, DoNotDependOnUnits) {
  const Dataset data = noisy(false, 0.1);
  const Vector unit{{1e-6, 1.0, 1e3, 1.0}};
  std::vector<Trajectory> runs;
  for (const auto& run : data.runs())
    runs.emplace_back("1", run.times(), unit.asDiagonal() * run.states());
  const Matrix a = small_ladder().a;
  const Matrix scaled = unit.asDiagonal() * a * unit.cwiseInverse().asDiagonal();
  const double expected = ShortPredictions(data, 9).error(a);
  EXPECT_NEAR(ShortPredictions(Dataset(data.channels(), runs), 9).error(scaled), expected,
              1e4 * epsilon * expected);
}

TEST(ShortPredictions, AreInfiniteWhereTheFlowIs) {
  const Dataset data = noisy(false, 0);
  const Matrix huge = 1e6 * Matrix::Identity(4, 4);
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(ShortPredictions(data, 9).error(huge), infinity);
  EXPECT_EQ(ShortPredictions(data, 9).error(infinity * huge), infinity);
}

}  // namespace
}  // namespace lgn
