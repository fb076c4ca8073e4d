#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "lgn/core/random.h"
#include "lgn/dynamics/find_structure.h"
#include "lgn/dynamics/modulated.h"
#include "lgn/flow/magnus_flow.h"
#include "tests/core/machine_epsilon.h"

namespace lgn {
namespace {

using testing::epsilon;

double largest_singular_value(const Matrix& m) {
  const Matrix gram = m.transpose() * m;
  return std::sqrt(
      Eigen::SelfAdjointEigenSolver<Matrix>(gram, Eigen::EigenvaluesOnly).eigenvalues().maxCoeff());
}

bool uses(const MagnusGrid& grid, const std::string& method) {
  return std::any_of(grid.steps.begin(), grid.steps.end(),
                     [&](const MagnusStep& step) { return step.scheme->name == method; });
}

std::size_t most_steps(const MagnusGrid& grid) {
  std::size_t most = 0;
  for (std::size_t k = 0; k + 1 < grid.first.size(); ++k)
    most = std::max(most, grid.first[k + 1] - grid.first[k]);
  return most;
}

class SkewFlow : public ::testing::TestWithParam<Index> {};

TEST_P(SkewFlow, KeepsTheNormForAHundredThousandSteps) {
  const Index n = GetParam();
  const ModulatedStructure skew(find_structure("skew", n), std::make_shared<Harmonics>(2));
  Random random(60);
  Vector theta = random.normals(skew.parameters());
  theta.head(2) << 1.1, 2.7;
  const Vector x0 = random.normals(n).normalized(), times = Vector::LinSpaced(100001, 0, 1e4);
  for (const MagnusScheme& scheme : magnus_schemes()) {
    const MagnusPlan nodes(skew, even_grid(times, scheme));
    const Matrix x = MagnusFlow(nodes, theta).states(x0).reshaped(n, times.size());
    // Half of what 1e5 steps would add if each rounded by ε, and all the same way.
    EXPECT_LE((x.colwise().norm().array() - 1).abs().maxCoeff(), 1e-11) << scheme.name;
  }
}

INSTANTIATE_TEST_SUITE_P(OfStates, SkewFlow, ::testing::Values(2, 5));

/// Two states in one step from −a to b. Parameters: ω, then constant, cosine and sine of s, d₁, d₂.
struct Pair {
  Vector theta, times;
  ModulatedStructure structure{find_structure("sd", 2), std::make_shared<Harmonics>(1)};

  /// How much a state's length can grow, relative to it.
  double growth(const MagnusGrid& grid) const {
    const MagnusPlan nodes(structure, grid);
    return largest_singular_value(MagnusFlow(nodes, theta).maps().bottomRows(2)) - 1;
  }
  double growth(const char* method) const {
    return growth(even_grid(times, find_magnus_scheme(method)));
  }
};

/// s(t) = 3 sin 2t turns forth and back, d = (0, 0.5).
Pair lossless_state() {
  return {Vector{{2, /* s */ 0, 0, 3, /* d1 */ 0, 0, 0, /* d2 */ 0.5, 0, 0}},
          Vector{{-0.25, 0.25}}};
}

/// s = 0.3, d = (100 max(sin t, 0), 0): d₁ is switched on within the step.
Pair switched_damping() {
  return {Vector{{1, /* s */ 0.3, 0, 0, /* d1 */ 0, 0, 100, /* d2 */ 0, 0, 0}},
          Vector{{-0.45, 0.55}}};
}

/// Up to 60 units of ‖Ω‖ (100 sin 0.55 = 52), a series of n = 2 for each.
constexpr double pair_rounding = 8 * 2 * 60 * epsilon;

TEST(MagnusContraction, BreaksWithACommutatorWhereAStateHasNoLoss) {
  // [S, D] puts c = √3/12 h² Δs d into the symmetric part [0 c; c −hd], so an eigenvalue of c²/(hd) =
  // h⁵ d ṡ²/144 = 4e-3 for h = d = 0.5 and ṡ = 6.
  for (const char* method : {"4", "4-simpson"})
    EXPECT_GT(lossless_state().growth(method), 2e-3) << method;
}

TEST(MagnusContraction, HoldsForTheMidpointRuleAndWithoutCommutators) {
  for (const char* method : {"2", "4-commutator-free"})
    EXPECT_LE(lossless_state().growth(method), pair_rounding) << method;
}

TEST(MagnusContraction, IsWhyThePlanLeavesAMethodWithCommutators) {
  const Pair pair = lossless_state();
  for (const char* method : {"4", "4-simpson"}) {
    const MagnusGrid grid =
        plan_grid(pair.structure, pair.theta, pair.times, {.method = method, .tolerance = 1e-2});
    EXPECT_TRUE(uses(grid, "4-commutator-free")) << method;
    EXPECT_FALSE(uses(grid, method));
    EXPECT_LE(pair.growth(grid), pair_rounding) << method;
  }
}

TEST(MagnusContraction, BreaksWithoutCommutatorsWhereADampingIsSwitchedOn) {
  // From 0 to 52, more than 13.9 times: a weight (3 − 2√3)/12 = −0.04 of the later sample drives the
  // first half by 0.04 · 100 sin 0.34 = 1.3. Three orders of magnitude below that are no rounding.
  EXPECT_GT(switched_damping().growth("4-commutator-free"), 1e-3);
}

TEST(MagnusContraction, IsKeptByTheMidpointRuleWhereNothingElseDoes) {
  const Pair pair = switched_damping();
  for (const char* method : {"4", "4-commutator-free", "6"}) {
    for (const Index most : {1, 8, 512}) {
      const MagnusGrid grid =
          plan_grid(pair.structure, pair.theta, pair.times,
                    {.method = method, .tolerance = 1e-2, .most_substeps = most});
      EXPECT_LE(pair.growth(grid), pair_rounding) << method << " " << most;
    }
  }
  const MagnusGrid one = plan_grid(pair.structure, pair.theta, pair.times,
                                   {.method = "4", .tolerance = 1e-2, .most_substeps = 1});
  EXPECT_TRUE(uses(one, "2"));
}

TEST(MagnusPlan, StaysWithinTheStepsThatItMayTake) {
  // Dampings that touch zero, where shorter steps do not help.
  const ModulatedStructure structure(find_structure("sd", 3), std::make_shared<Harmonics>(2));
  Random random(9);
  for (int k = 0; k < 20; ++k) {
    Vector theta = 3 * random.normals(structure.parameters());
    theta.head(2) << 1.1, 7;
    for (const Index most : {1, 3, 100, 512}) {
      const MagnusGrid grid = plan_grid(structure, theta, Vector::LinSpaced(5, 0, 4),
                                        {.method = "4", .tolerance = 1e-2, .most_substeps = most});
      EXPECT_LE(most_steps(grid), static_cast<std::size_t>(most));
    }
  }
}

TEST(MagnusPlan, StaysWithTheMethodWhereEveryStepIsARotation) {
  // Two skew states always commute, so no method can break anything: only rounding, which grows with
  // ‖Ω‖, here 30 and more per step, could look like it.
  const ModulatedStructure skew(find_structure("skew", 2), std::make_shared<Harmonics>(1));
  for (const double speed : {1.0, 30.0, 300.0}) {
    const Vector theta{{1, speed, 0, speed / 2}};
    const MagnusGrid grid = plan_grid(skew, theta, Vector::LinSpaced(11, 0, 10));
    for (const char* other : {"2", "4", "4-commutator-free"})
      EXPECT_FALSE(uses(grid, other)) << other << " at speed " << speed;
  }
}

/// A random S(t) − D(t) and times to go, each a new kind of trouble.
class RandomSystem {
 public:
  explicit RandomSystem(Random& random) : random_(random) {
    const Index n = 2 + below(4);
    if (below(2) == 0)
      basis_ = std::make_shared<SplineBasis>(4 + below(30), 0, 3);
    else
      basis_ = std::make_shared<Harmonics>(1 + below(2));
    const auto link =
        below(3) == 0 ? ModulatedStructure::Link::softplus : ModulatedStructure::Link::clip;
    structure =
        std::make_unique<ModulatedStructure>(find_structure(below(4) == 0 ? "psd" : "sd", n),
                                             basis_, std::vector<std::vector<Index>>{}, link);
    const double size = std::pow(10.0, 1.5 * random.uniform() - 1);  // 0.1 to 3
    theta = size * random.normals(structure->parameters());
    // From a fraction of a turn to twenty turns within a step.
    for (Index k = 0; k < basis_->parameters(); ++k)
      theta[k] = std::pow(10.0, 2.5 * random.uniform() - 0.5);
    drop_some_dampings();
    const double length = std::pow(10.0, 1.5 * random.uniform() - 1.2);  // 0.06 to 2
    times = Vector{{0, length, 1.5 * length}};
  }

  /// Σ‖Ω‖ of an interval, and a bound of what commutators add to it.
  double path(const MagnusPlan& nodes, Index k) const {
    const Matrix a = nodes.sampled().course(theta)->generators();
    const double rate = a.cwiseAbs().colwise().sum().maxCoeff();
    const auto first = nodes.grid()->first[static_cast<std::size_t>(k)];
    const double in_step = rate * nodes.grid()->steps[first].length;
    return rate * (times[k + 1] - times[k]) * (1 + in_step) * (1 + in_step);
  }

  std::unique_ptr<const ModulatedStructure> structure;
  Vector theta, times;

 private:
  Index below(Index count) {
    return static_cast<Index>(random_.uniform() * static_cast<double>(count));
  }
  /// Some d, or rows of a factor, exactly zero.
  void drop_some_dampings() {
    const Index n = structure->dimension(), skew = n * (n - 1) / 2;
    for (Index e = skew; e < structure->entries(); ++e) {
      if (below(3) != 0) continue;
      for (Index f = 0; f < basis_->size(); ++f)
        if (structure->place(e, f) >= 0) theta[structure->place(e, f)] = 0;
    }
  }
  Random& random_;
  std::shared_ptr<const TimeBasis> basis_;
};

TEST(MagnusContraction, EnergyNeverGrowsInAHundredThousandRandomSystemsSlow) {
  Random random(61);
  int left = 0, midpoint = 0;
  for (int trial = 0; trial < 100000; ++trial) {
    const RandomSystem system(random);
    const std::string method = trial % 2 == 0 ? "4" : "6";
    const MagnusPlan nodes(*system.structure,
                           plan_grid(*system.structure, system.theta, system.times,
                                     {.method = method, .tolerance = 1e-2, .most_substeps = 8}));
    left += uses(*nodes.grid(), "4-commutator-free");
    midpoint += uses(*nodes.grid(), "2");
    const Index n = system.structure->dimension();
    Matrix starts(n, n + 2);
    starts << Matrix::Identity(n, n), random.normals(n, 2);
    const Matrix states = MagnusFlow(nodes, system.theta).states(starts);
    for (Index k = 0; k < 2; ++k) {
      // The plan lets a step grow by 4 n ε; a series rounds n ε per term and unit of ‖Ω‖.
      const auto& first = nodes.grid()->first;
      const auto at = static_cast<std::size_t>(k);
      const double steps = static_cast<double>(first[at + 1] - first[at]);
      const double allowed =
          1 + 8 * static_cast<double>(n) * epsilon * (2 * steps + system.path(nodes, k));
      for (Index r = 0; r < starts.cols(); ++r)
        ASSERT_LE(states.col(r).segment((k + 1) * n, n).norm(),
                  allowed * states.col(r).segment(k * n, n).norm())
            << "trial " << trial << ", interval " << k << ", start " << r;
      // The worst start of all, from where the flow begins.
      const Matrix map = states.block(n, 0, n, n);
      ASSERT_TRUE(k > 0 || largest_singular_value(map) <= allowed) << "trial " << trial;
    }
  }
  // Every way of the plan was taken many times.
  EXPECT_GT(left, 1000);
  EXPECT_GT(midpoint, 1000);
  RecordProperty("commutator_free", left);
  RecordProperty("midpoint", midpoint);
}

}  // namespace
}  // namespace lgn
