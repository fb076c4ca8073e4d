#include "lgn/model/model_response.h"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>

#include "lgn/core/error.h"
#include "lgn/core/random.h"
#include "lgn/flow/excitation.h"
#include "lgn/flow/forced_response.h"
#include "lgn/identify.h"
#include "lgn/model/model_file.h"

namespace lgn::testing {
namespace {

/// An oscillation of 2 rad/s under a force, its position seen with an offset and 5% noise.
DrivenSystem oscillator() {
  return {Matrix{{0, 1}, {-4, -0.6}}, Matrix{{0}, {1}}, Matrix{{1, 0}}, Matrix::Zero(1, 1)};
}

Dataset record(std::uint64_t seed) {
  const DrivenSystem s = oscillator();
  Random random(seed);
  const Vector times = Vector::LinSpaced(200, 0, 39.8);
  const Matrix u = excitation("steps", times, random).transpose();
  Matrix y = s.c * forced_states(s.a, random.normals(2), s.b, input_course(times, u, {}));
  y += 0.05 * std::sqrt(y.squaredNorm() / 200) * random.normals(1, 200);
  return Dataset({"q"}, {Trajectory("1", times, y.array() + 0.5, u)}, {"u"});
}

FitOptions two_states() {
  FitOptions options;
  options.states = States::given;
  options.state_count = 2;
  options.hold = InputHold::zoh;
  options.feedthrough = Feedthrough::no;
  options.confidence = 0.95;
  return options;
}

TEST(ModelResponse, HasBandsAndIsReadBack) {
  const Model model = identify(record(1), two_states());
  ASSERT_TRUE(model.system_errors.known());
  // Those of B alone are the rows of the joint errors.
  for (std::size_t e = 0; e < model.system_errors.entries.size(); ++e) {
    const auto& [matrix, row, column] = model.system_errors.entries[e];
    if (matrix != 'B') continue;
    EXPECT_NEAR(model.system_errors.root.row(static_cast<Index>(e)).norm(),
                model.b_errors(row, column), 0.2 * model.b_errors(row, column));
  }
  const Model again = model_from_json(model_to_json(model), "again");
  EXPECT_EQ(again.system_errors.root, model.system_errors.root);
  const Dataset data = record(1);
  const ModelResponse response = model_response(again, &data);
  ASSERT_EQ(response.frequency.size(), 1u);
  const ResponseFigures& f = response.figures[0];
  // 0.25 at rest, and a peak of 1/(0.6 √(4 − 0.09)); four standard errors.
  EXPECT_NEAR(f.static_gain.value, 0.25, 4 * f.static_gain.error);
  EXPECT_NEAR(f.peak.value, 1 / (0.6 * std::sqrt(3.91)), 4 * f.peak.error);
  EXPECT_LE(f.peak.error, 0.1 * f.peak.value);
  EXPECT_EQ(response.step[0].errors.size(), response.step[0].values.size());
  EXPECT_TRUE(response.data && response.data->omega.size() > 0);
}

TEST(ModelResponse, FilesWithoutSenseAreRefused) {
  const auto json = nlohmann::ordered_json::parse(model_to_json(identify(record(1), two_states())));
  const auto refuses = [&](const auto& spoil) {
    auto other = json;
    spoil(other["system_se"]);
    EXPECT_THROW(model_from_json(other.dump(), "file"), Error);
  };
  refuses([](auto& s) { s["entries"][0][1] = 7; });
  refuses([](auto& s) { s["entries"][0][0] = "E"; });
  refuses([](auto& s) { s["entries"][0] = 3; });
  refuses([](auto& s) { s["entries"] = nullptr; });
  refuses([](auto& s) { s["root"].erase(0); });
  refuses([](auto& s) { s["root"][0][0] = "x"; });
  auto older = json;
  older.erase("system_se");
  const Model model = model_from_json(older.dump(), "file");
  EXPECT_FALSE(model.system_errors.known());
  EXPECT_EQ(model_response(model).frequency[0].covariance.size(), 0);
}

TEST(ModelResponse, NeedsInputsAndAConstantGenerator) {
  Model model = identify(record(1), two_states());
  model.drive = {};
  EXPECT_THROW(driven_system(model), Error);
}

TEST(ModelResponseSlow, BandsCoverTheTruth) {
  const TransferFunction truth(oscillator());
  const Vector omega{{0.3, 1.5, 2.0, 4.0}};
  const Vector times{{0.5, 2.0, 10.0}};
  const auto true_step = step_responses(oscillator(), {}, times)[0].values;
  constexpr int repeats = 1000;
  Vector sizes = Vector::Zero(4), phases = Vector::Zero(4), steps = Vector::Zero(3);
  for (int r = 0; r < repeats; ++r) {
    const Model model = identify(record(static_cast<std::uint64_t>(r) + 10), two_states());
    const TransferFunction found = transfer_function(model);
    const FrequencyResponse curve = frequency_responses(found, omega)[0];
    const Vector size = curve.magnitude_errors(), turn = curve.phase_errors();
    for (Index k = 0; k < 4; ++k) {
      const Complex h = truth.on_axis(omega[k]).value(0, 0);
      sizes[k] += std::abs(std::abs(curve.values[k]) - std::abs(h)) <= model.fit.interval * size[k];
      phases[k] += std::abs(std::arg(curve.values[k] / h)) <= model.fit.interval * turn[k];
    }
    const TimeResponse step = step_responses(found.system(), found.errors(), times)[0];
    for (Index k = 0; k < 3; ++k)
      steps[k] += std::abs(step.values[k] - true_step[k]) <= model.fit.interval * step.errors[k];
  }
  sizes /= repeats;
  phases /= repeats;
  steps /= repeats;
  // 95%, of 1,000 each ±0.7% by chance: three times that.
  for (const Vector& covered : {sizes, phases, steps}) {
    EXPECT_GE(covered.minCoeff(), 0.93) << covered.transpose();
    EXPECT_LE(covered.maxCoeff(), 0.97) << covered.transpose();
  }
}

}  // namespace
}  // namespace lgn::testing
