#include "lgn/identify/likelihood/stable_fit.h"

#include <gtest/gtest.h>

#include "lgn/dynamics/structures.h"
#include "lgn/flow/sample_runs.h"
#include "lgn/identify/likelihood/maximum_likelihood.h"
#include "lgn/identify/likelihood/problem.h"

namespace lgn {
namespace {

/// Noisy data of an undamped oscillator whose freely fitted pole lies right of the axis.
struct Crossing {
  Dataset data;
  Fit free;
};

Crossing find_crossing() {
  for (std::uint64_t seed = 1; seed < 50; ++seed) {
    const System system = oscillator(2);
    Dataset data = sample_runs(system, {.end = 20, .noise = 0.05, .seed = seed});
    const auto full = std::make_shared<const FullStructure>(2);
    Fit free = maximum_likelihood(data, full, {.theta = {full->project(system.a)}});
    if (eigenvalues(free.generator()).real().maxCoeff() > 1e-5) return {std::move(data), free};
  }
  throw std::logic_error("no seed crosses the axis");
}

TEST(StableGenerator, GoesBackToTheAxisAtTheLeastCost) {
  const Crossing crossing = find_crossing();
  const Matrix a = crossing.free.generator();
  const auto stable = stable_generator(crossing.data, a, crossing.free.noise);
  ASSERT_TRUE(stable.has_value());
  const double across = eigenvalues(a).real().maxCoeff();
  const double now = eigenvalues(*stable).real().maxCoeff();
  EXPECT_LE(now, 0);
  EXPECT_GE(now, -1e-13 * norm1(a));  // on the axis, not beyond
  // Cheaper than shifting A as a whole, which also puts the pole there.
  const FullStructure full(2);
  const Problem problem(crossing.data, full, crossing.free.noise);
  const double least = problem.profile(full.project(a))->cost,
               found = problem.profile(full.project(*stable))->cost;
  const Matrix shifted = a - across * Matrix::Identity(2, 2);
  EXPECT_GE(found, least * (1 - 1e-9));  // the free fit ends within 1e-8 of a variance
  EXPECT_LE(found, problem.profile(full.project(shifted))->cost);
}

TEST(StableGenerator, LeavesAStableOneAlone) {
  const System system = rlc(4, 0.3);
  const Dataset data = sample_runs(system, {.noise = 0.01});
  const auto stable = stable_generator(data, system.a, Vector::Ones(2));
  ASSERT_TRUE(stable.has_value());
  EXPECT_EQ(*stable, system.a);
}

}  // namespace
}  // namespace lgn
