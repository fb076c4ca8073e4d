#include "lgn/identify/nonlinear/frozen_law.h"

#include <gtest/gtest.h>

#include "lgn/core/error.h"
#include "lgn/core/random.h"
#include "lgn/dynamics/nonlinear_structures.h"
#include "tests/core/machine_epsilon.h"

namespace lgn {
namespace {

using testing::epsilon;

/// Two masses, one of them a pendulum, frozen along a course of three samples.
struct Frozen {
  std::shared_ptr<const NonlinearStructure> law =
      nonlinear_mechanical_structure(2, {{2, 4}, {1, 3}, {0}, true});
  Random random{7};
  Vector theta = law->start();
  std::vector<Index> moving;
  FrozenLaw::Course course{Eigen::Vector3d(0, 1, 2), random.normals(4, 3), random.normals(4, 3)};
  Frozen() {
    for (Index k = 0; k < theta.size(); ++k) {
      theta[k] = 0.5 + random.uniform();
      if (k % 2 == 0) moving.push_back(k);
    }
  }
};

TEST(FrozenLaw, IsTheLawWhereTheCourseIs) {
  Frozen f;
  const FrozenLaw frozen(*f.law, f.theta, f.moving, {f.course});
  const Vector moved = f.theta(f.moving);
  for (Index k = 0; k < 3; ++k) {
    const Vector x = f.course.states.col(k), expected = f.law->field(f.theta, x);
    // Gauss's rule leaves |x|¹⁶ 8!⁴/(17 · 16!³) of a sine: 1e-13 at |x| = 3.
    EXPECT_LE((frozen.Structure::generator(moved, f.course.times[k]) * x - expected).norm(),
              1e-12 * (1 + expected.norm()))
        << k;
  }
}

TEST(FrozenLaw, PullbackIsTransposeOfPushforward) {
  Frozen f;
  const FrozenLaw frozen(*f.law, f.theta, f.moving, {f.course});
  const Vector moved = f.theta(f.moving), times = Eigen::Vector3d(0.2, 1.1, 1.7);
  const auto sampled = frozen.sample(times);
  const auto course = sampled->course(moved);
  const Matrix g = f.random.normals(4, 12);
  const Vector delta = f.random.normals(moved.size());
  const Matrix change = course->pushforward(delta);
  // Sums of some hundred products.
  EXPECT_NEAR(course->pullback(g).dot(delta), g.cwiseProduct(change).sum(),
              1000 * epsilon * g.norm() * change.norm());
  EXPECT_NEAR(course->pullback_at(1, g.leftCols(4)).col(0).dot(delta),
              g.leftCols(4).cwiseProduct(change.middleCols(4, 4)).sum(),
              1000 * epsilon * g.norm() * change.norm());
  // A is no linear function of θ; differences of a millionth err by its square.
  const Vector step = 1e-6 * delta;
  const auto up = sampled->course(moved + step), down = sampled->course(moved - step);
  EXPECT_LE(((up->generators() - down->generators()) / 2 - course->pushforward(step)).norm(),
            1e-9 * course->pushforward(step).norm() + 100 * epsilon * course->generators().norm());
}

TEST(FrozenLaw, RefusesConstantTerms) {
  const auto law = lossless_structure(2);
  EXPECT_THROW(FrozenLaw(*law, law->start(), {1}, {}), Error);
}

}  // namespace
}  // namespace lgn
