#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "experiments/baselines/port_hamiltonian.h"
#include "experiments/baselines/softplus.h"
#include "experiments/baselines/softplus_sd.h"
#include "experiments/identification/data.h"
#include "lgn/identify/estimate.h"
#include "tests/dynamics/structure_laws.h"

namespace lgn::studies {
namespace {

using testing::epsilon;

std::vector<std::shared_ptr<const ConstantStructure>> structures() {
  std::vector<std::shared_ptr<const ConstantStructure>> all;
  for (const Index n : {1, 2, 3, 6}) {
    all.push_back(std::make_shared<SoftplusSdStructure>(n));
    all.push_back(std::make_shared<PortHamiltonianStructure>(n));
  }
  return all;
}

TEST(BaselineStructures, ObeyTheLaws) {
  for (const auto& structure : structures()) {
    SCOPED_TRACE(structure->name() + " " + std::to_string(structure->dimension()));
    Random random(7);
    for (int k = 0; k < 10; ++k) {
      const Vector theta = testing::interior(*structure, random);
      EXPECT_TRUE(testing::pullback_is_adjoint(*structure, theta, random));
      EXPECT_TRUE(testing::pushforward_is_derivative(*structure, theta, random));
      EXPECT_TRUE(testing::guarantee_holds(*structure, theta));
      EXPECT_TRUE(testing::flow_keeps_guarantee(*structure, theta, random));
      EXPECT_TRUE(testing::projection_keeps_member(*structure, theta));
      EXPECT_TRUE(testing::descriptions_fit(*structure, theta));
      const Index n = structure->dimension();
      EXPECT_TRUE(testing::projection_repeats(*structure, random.normals(n, n)));
    }
  }
}

TEST(BaselineStructures, CountTheirParameters) {
  EXPECT_EQ(SoftplusSdStructure(6).parameters(), 21);
  EXPECT_EQ(PortHamiltonianStructure(6).parameters(), 27);  // the paper's
}

TEST(BaselineStructures, StartAsThePaperDoes) {
  Random random(1);
  const SoftplusSdStructure sd(100);
  const Vector theta = sd.random_start(random);
  EXPECT_TRUE((theta.tail(100).array() == 0.1).all());
  // 4950 normals of size 0.1: their mean square is 0.01 to √(2/4950) = 2%.
  EXPECT_NEAR(theta.head(4950).squaredNorm() / 4950, 0.01, 5 * 0.02 * 0.01);
  EXPECT_NEAR(-sd.generator(theta)(0, 0), std::log(1 + std::exp(0.1)), 4 * epsilon);
}

TEST(BaselineStructures, HoldALadderUpToItsZeros) {
  const Matrix a = uniform_ladder(3).a;
  for (const std::shared_ptr<const ConstantStructure>& structure :
       {std::shared_ptr<const ConstantStructure>(std::make_shared<SoftplusSdStructure>(6)),
        std::shared_ptr<const ConstantStructure>(std::make_shared<PortHamiltonianStructure>(6))})
    // Three dampings of zero become 1e-12.
    EXPECT_LE((structure->generator(structure->project(a)) - a).norm(), 2e-12);
}

TEST(BaselineStructures, AreFoundByMaximumLikelihood) {
  Random random(1);
  const System system = uniform_ladder(3);
  const Dataset data = exact_runs(system, std::vector<Vector>(5, even_times(0.1, 100)), random);
  const auto found = estimate(data, std::make_shared<PortHamiltonianStructure>(6));
  // Rounding of exact data, 1e-15 of values of order one, and dampings of 1e-12 for zero.
  EXPECT_LE((found.generator() - system.a).norm(), 1e-10);
}

TEST(Softplus, InvertsAndNeverOverflows) {
  for (const double d : {1e-11, 1e-3, 1.0, 40.0, 1e3})
    // u = softplus⁻¹(d) is rounded by ε max(|u|, d), |u| ≤ 26 where d < 1, and d moves by
    // slope(u) ≤ min(1, d) times that.
    EXPECT_NEAR(softplus(softplus_inverse(d)), d, 30 * epsilon * d);
  EXPECT_EQ(softplus(1e3), 1e3);
  EXPECT_EQ(softplus(-1e3), 0.0);
  EXPECT_EQ(softplus_inverse(0), softplus_inverse(least_softplus));
  EXPECT_EQ(softplus_slope(0), 0.5);
}

}  // namespace
}  // namespace lgn::studies
