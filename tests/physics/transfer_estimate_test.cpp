#include "lgn/physics/transfer_estimate.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "lgn/core/random.h"
#include "lgn/flow/forced_response.h"
#include "lgn/physics/transfer_function.h"
#include "tests/physics/response_fixture.h"

namespace lgn::testing {
namespace {

constexpr double step = 0.1;

/// White inputs, and what the system does to them; `even`: the steps are alike.
Dataset record(const DrivenSystem& s, Hold hold, double noise, bool even, bool alike = false) {
  Random random(4);
  const Index samples = 12'000;
  Vector times = Vector::LinSpaced(samples, 0, step * static_cast<double>(samples - 1));
  if (!even)
    for (Index k = 1; k < samples; ++k) times[k] += 0.03 * std::sin(static_cast<double>(k * k));
  Matrix u = random.normals(s.inputs(), samples);
  if (alike) u.row(1) = u.row(0);
  const InputCourse course = input_course(times, u, {hold, s.delay});
  const Matrix y = s.c * forced_states(s.a, Vector::Zero(s.states()), s.b, course) +
                   s.d * course.at_samples + noise * random.normals(s.outputs(), samples);
  return Dataset({"y1", "y2"}, {Trajectory("1", times, y, u)}, {"u1", "u2"});
}

TEST(TransferEstimate, IsTheModelsWhereInputsAreCoherent) {
  DrivenSystem s = five_states();
  s.a.diagonal().array() -= 1;  // no resonance is narrower than a line, 2π/(0.1 · 2600)
  s.d.setZero();
  for (const Hold hold : {Hold::zoh, Hold::foh}) {
    const TransferEstimate found = estimate_transfer(record(s, hold, 0, true), hold);
    ASSERT_TRUE(found.reason.empty());
    EXPECT_EQ(found.segments, 8);
    const TransferFunction transfer(s);
    double worst = 0, scale = 0;
    for (Index k = 3; k < found.omega.size(); ++k) {
      if (found.omega[k] > 0.3 * std::numbers::pi / step) break;
      const ComplexMatrix h = transfer.on_axis(found.omega[k]).value;
      scale = std::max(scale, h.cwiseAbs().maxCoeff());
      for (std::size_t p = 0; p < 4; ++p)
        worst = std::max(worst, std::abs(found.values[p][k] - h.reshaped()[static_cast<Index>(p)]));
    }
    // Aliases of H, which falls as 1/ω, are a tenth of it at 0.3 of Nyquist; leakage and 8 averages do the rest.
    EXPECT_LE(worst, 0.1 * scale);
    EXPECT_GE(found.coherence.leftCols(found.omega.size() / 4).minCoeff(), 0.9);
    EXPECT_LE(found.coherence.maxCoeff(), 1);
  }
}

TEST(TransferEstimate, CoherenceFallsWithNoise) {
  DrivenSystem s = five_states();
  s.a.diagonal().array() -= 1;
  const TransferEstimate clean = estimate_transfer(record(s, Hold::zoh, 0.01, true), Hold::zoh);
  const TransferEstimate noisy = estimate_transfer(record(s, Hold::zoh, 10, true), Hold::zoh);
  EXPECT_GE(clean.coherence.mean(), 0.9);
  // Of noise alone two inputs explain 2 of 8 averages, and a little more where segments overlap.
  EXPECT_LE(noisy.coherence.rightCols(noisy.omega.size() / 2).mean(), 0.4);
}

TEST(TransferEstimate, SaysWhyThereIsNone) {
  const DrivenSystem s = five_states();
  EXPECT_NE(estimate_transfer(record(s, Hold::zoh, 0, false), Hold::zoh).reason.find("uneven"),
            std::string::npos);
  EXPECT_NE(estimate_transfer(record(s, Hold::zoh, 0, true, true), Hold::zoh).reason.find("as one"),
            std::string::npos);
  const Vector times = Vector::LinSpaced(20, 0, 1.9);
  const Dataset tiny({"y"}, {Trajectory("1", times, Matrix::Ones(1, 20), Matrix::Ones(1, 20))},
                     {"u"});
  EXPECT_NE(estimate_transfer(tiny, Hold::zoh).reason.find("short"), std::string::npos);
  const Dataset free({"y"}, {Trajectory("1", times, Matrix::Ones(1, 20))});
  EXPECT_NE(estimate_transfer(free, Hold::zoh).reason.find("no inputs"), std::string::npos);
}

}  // namespace
}  // namespace lgn::testing
