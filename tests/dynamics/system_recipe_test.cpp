#include "lgn/dynamics/system_recipe.h"

#include <gtest/gtest.h>

#include "lgn/core/error.h"

namespace lgn {
namespace {

SystemRecipe named(const char* system) {
  SystemRecipe recipe;
  recipe.system = system;
  return recipe;
}

TEST(SystemRecipe, MakesEverySystemByItsName) {
  for (const char* name : {"oscillator", "rlc", "ladder", "mass-spring", "ltv-oscillator",
                           "ltv-chain", "truss", "beam", "random", "network"}) {
    const System system = build_system(named(name)).system;
    EXPECT_EQ(system.a.rows(), static_cast<Index>(system.channels.size())) << name;
    EXPECT_EQ(system.varying != nullptr, std::string(name).starts_with("ltv-")) << name;
  }
}

TEST(SystemRecipe, UsesTheConstantsGiven) {
  SystemRecipe recipe = named("rlc");
  EXPECT_EQ(build_system(recipe).system.a, rlc(1, 0.1).a);
  recipe.omega = 2;
  recipe.gamma = 0.3;
  EXPECT_EQ(build_system(recipe).system.a, rlc(2, 0.3).a);
  EXPECT_TRUE(recipe.starts_from_first_state());

  recipe = named("ladder");
  recipe.sections = 2;
  recipe.c = {1, 0.5};
  const Vector one = Vector::Ones(2);
  EXPECT_EQ(build_system(recipe).system.a, ladder(0.1 * one, one, Vector{{1, 0.5}}).a);
  EXPECT_FALSE(recipe.starts_from_first_state());

  recipe = named("network");
  recipe.topology = "grid";
  recipe.size = "2x3";
  const NetworkSystem grid = build_system(recipe);
  EXPECT_EQ(grid.system.a.rows(), 12);    // positions and velocities of six masses
  EXPECT_EQ(std::ssize(grid.wiring), 7);  // edges of a grid of 2 by 3
}

TEST(SystemRecipe, RefusesWhatMakesNoSystem) {
  EXPECT_THROW(build_system(named("hourglass")), Error);
  SystemRecipe recipe = named("ladder");
  recipe.sections = 0;
  EXPECT_THROW(build_system(recipe), Error);
  recipe = named("ladder");
  recipe.l = {1, 2};
  EXPECT_THROW(build_system(recipe), Error);
  recipe = named("network");
  for (const char* size : {"", "x", "2x3", "0", "1000001", "99999999999"}) {
    recipe.size = size;
    EXPECT_THROW(build_system(recipe), Error) << size;
  }
}

}  // namespace
}  // namespace lgn
