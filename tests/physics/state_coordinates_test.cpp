#include "lgn/physics/state_coordinates.h"

#include <gtest/gtest.h>

#include "lgn/core/random.h"

namespace lgn::testing {
namespace {

/// Pairs and a real pole, two channels.
DrivenSystem some_system(Random& random) {
  DrivenSystem system{Matrix::Zero(5, 5), random.normals(5, 2), random.normals(2, 5),
                      random.normals(2, 2), 0};
  system.a.topLeftCorner(2, 2) << 0, 1, -1, -0.1;
  system.a.block(2, 2, 2, 2) << 0, 3, -3, -0.5;
  system.a(4, 4) = -0.7;
  return system;
}

TEST(StateCoordinates, TakeOneRealisationToAnother) {
  Random random(4);
  const DrivenSystem system = some_system(random);
  const Matrix t = random.normals(5, 5), back = t.inverse();
  const auto found = state_coordinates(system.a, system.c, back * system.a * t, system.c * t);
  ASSERT_TRUE(found);
  // Rounding by the condition of T and of eigenvectors, about 1e3 together.
  EXPECT_LE((*found - t).norm(), 1e-11 * t.norm());
}

TEST(StateCoordinates, TurnChangesAsTheyTurnSystems) {
  Random random(5);
  const DrivenSystem system = some_system(random);
  const Matrix t = random.normals(5, 5), back = t.inverse();
  const Matrix da = random.normals(5, 5), db = random.normals(5, 2), dc = random.normals(2, 5),
               dd = random.normals(2, 2);
  Matrix changes(25 + 10 + 10 + 4, 1);
  changes << da.reshaped(), db.reshaped(), dc.reshaped(), dd.reshaped();
  ASSERT_TRUE(turn_states(changes, system, back * system.a * t, system.c * t));
  Matrix expected(changes.rows(), 1);
  expected << (t * da * back).eval().reshaped(), (t * db).eval().reshaped(),
      (dc * back).eval().reshaped(), dd.reshaped();
  EXPECT_LE((changes - expected).norm(), 1e-10 * expected.norm());
}

TEST(StateCoordinates, AreNoneWhereAModeIsNotShown) {
  Random random(6);
  DrivenSystem system = some_system(random);
  system.c.col(4).setZero();
  EXPECT_FALSE(state_coordinates(system.a, system.c, system.a, system.c));
}

}  // namespace
}  // namespace lgn::testing
