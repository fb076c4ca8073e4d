#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <tuple>

#include "lgn/dynamics/find_structure.h"
#include "lgn/dynamics/parametric.h"
#include "lgn/identify/training/gradient_check.h"
#include "tests/dynamics/structure_laws.h"
#include "tests/identify/loss_fixture.h"

namespace lgn::testing {
namespace {

/// The gradient of the loss in θ and in every start, stacked, against differences of the loss.
GradientCheck check_loss_gradient(const ConstantStructure& structure, const Vector& theta,
                                  const Dataset& data, Random& random) {
  const TrajectoryLoss loss(data, structure);
  const Index p = structure.parameters(), n = structure.dimension();
  const Matrix starts = random.normals(n, loss.runs());
  Vector x(p + starts.size()), gradient(x.size());
  x << theta, starts.reshaped();
  const LossGradient found = loss.gradient(theta, starts);
  gradient << found.theta, found.initial_states.reshaped();
  return check_gradient(
      [&](const Vector& y) {
        return loss.value(y.head(p), y.tail(y.size() - p).reshaped(n, loss.runs()));
      },
      x, gradient);
}

struct Kind {
  const char* name;
  Index n;
};
constexpr Kind kinds[] = {{"skew", 3},
                          {"sd", 3},
                          {"psd", 3},
                          {"full", 3},
                          {"sd", 1},
                          {"parametric:oscillator", 2},
                          {"parametric:rlc", 2},
                          {"parametric:ladder", 4}};

using Case = std::tuple<Kind, TimeGrid, Layout>;

std::string case_name(const ::testing::TestParamInfo<Case>& test) {
  const auto& [kind, grid, layout] = test.param;
  std::string name = kind.name + std::to_string(kind.n) + name_of(grid) + layout.name;
  std::erase_if(name, [](unsigned char c) { return !std::isalnum(c); });
  return name;
}

class LossGradientOf : public ::testing::TestWithParam<Case> {};

// Differences extrapolated to fourth order: truncation h⁴ T⁴ = 1e-12 · 4⁴ relative for a run of T =
// 4, rounding ε/h = 2e-13 of a loss that is a few times its gradient. 1e-7 leaves room for neither
// to matter.
TEST_P(LossGradientOf, AgreesWithDifferences) {
  const auto& [kind, grid, layout] = GetParam();
  Random random(41);
  const auto structure = find_structure(kind.name, kind.n);
  const Dataset data = random_dataset(kind.n, grid, layout, random);
  const Vector theta = interior(*structure, random);
  const GradientCheck check = check_loss_gradient(*structure, theta, data, random);
  EXPECT_LE(check.error, 1e-7) << check.index << ": " << check.analytic << " " << check.numeric;
}

INSTANTIATE_TEST_SUITE_P(Every, LossGradientOf,
                         ::testing::Combine(::testing::ValuesIn(kinds),
                                            ::testing::Values(TimeGrid::uniform, TimeGrid::gaps,
                                                              TimeGrid::few_steps,
                                                              TimeGrid::all_different),
                                            ::testing::ValuesIn(layouts())),
                         case_name);

/// θ at which two poles of the structure meet, so that no eigenvectors are to be had.
struct Critical {
  const char* name;
  Index n;
  Matrix a;
};

TEST(LossGradient, AtADefectiveGenerator) {
  const Matrix critical{{0, 1}, {-1, -2}};  // (λ + 1)², one eigenvector
  const Critical cases[] = {{"sd", 2, critical},
                            {"psd", 2, Matrix{{-1, 1}, {-1, -3}}},
                            {"full", 2, Matrix{{-1, 1}, {0, -1}}},
                            {"parametric:rlc", 2, critical},
                            {"parametric:ladder", 2, Matrix{{0, -1}, {1, -2}}}};
  for (const auto& [name, n, a] : cases)
    for (const Layout& layout : layouts()) {
      SCOPED_TRACE(std::string(name) + layout.name);
      Random random(42);
      const auto structure = find_structure(name, n);
      Vector theta = structure->project(a);
      // d = 0 is where the map has a corner: step away from it, along which the poles split no more
      // than by √1e-3.
      theta = theta.cwiseMax(structure->lower_bounds());
      if (std::string(name) == "sd") theta += Vector{{0, 0.01, 0.01}};
      const Dataset data = random_dataset(n, TimeGrid::all_different, layout, random);
      const GradientCheck check = check_loss_gradient(*structure, theta, data, random);
      EXPECT_LE(check.error, 1e-7) << check.index << ": " << check.analytic << " " << check.numeric;
    }
}

}  // namespace
}  // namespace lgn::testing
