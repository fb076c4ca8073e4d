#include "tests/dynamics/structure_laws.h"

#include <algorithm>
#include <cctype>
#include <memory>
#include <vector>

#include "lgn/dynamics/find_structure.h"
#include "lgn/dynamics/network.h"
#include "lgn/dynamics/parametric.h"

namespace lgn::testing {
namespace {

using Pointer = std::shared_ptr<const ConstantStructure>;

/// A user's law: three bodies in a row that exchange heat; the last one loses it.
Law cooling_law() {
  using enum Constant::Range;
  Law law("cooling", 3, {{"k12", non_negative}, {"k23", non_negative}, {"loss", positive}},
          [](const auto& p, auto& a) {
            a << -p[0], p[0], 0, p[0], -p[0] - p[1], p[1], 0, p[1], -p[1] - p[2];
          });
  law.promise({.stable = true, .dissipative = true},
              [](const Vector&) { return Matrix::Identity(3, 3); });
  return law;
}

/// Another: a particle in a magnetic field, with a constant of either sign.
Law magnetic_law() {
  Law law("magnetic", 2, {{"field"}}, [](const auto& p, auto& a) { a << 0, p[0], -p[0], 0; });
  law.promise({true, true, true}, [](const Vector&) { return Matrix::Identity(2, 2); });
  return law;
}

/// Networks of every kind: with equal, free and tied storages, with exchanges, and of masses.
std::vector<Pointer> networks() {
  using enum ElementType;
  const auto states = [](Index n, std::vector<NetworkElement> elements, bool storages) {
    return std::make_shared<NetworkStructure>(single_states(n), std::move(elements), storages);
  };
  const std::vector<NetworkElement> in_parts{
      {coupling, 0, 1}, {coupling, 1, 2}, {coupling, 3, 4}, {loss, 1}, {loss, 4}};
  return {
      states(3, {{coupling, 0, 2}, {coupling, 1, 2}, {loss, 0}}, false),
      states(4, {{coupling, 0, 1}, {exchange, 1, 2}, {exchange, 2, 3}, {loss, 3}}, false),
      states(5, in_parts, true),
      states(6,
             {{coupling, 0, 1, 1},
              {coupling, 1, 2, -1},
              {exchange, 2, 3},
              {coupling, 3, 4, 1},
              {loss, 1},
              {loss, 5}},
             true),
      states(7, {{exchange, 0, 1}, {exchange, 1, 2}, {exchange, 3, 6}, {loss, 6}}, true),
      std::make_shared<NetworkStructure>(
          std::vector<NetworkNode>{{0, 1}, {2, 3}},
          std::vector<NetworkElement>{{spring, 0}, {spring, 0, 1}, {damper, 0, 1}}, true),
      std::make_shared<NetworkStructure>(
          std::vector<NetworkNode>{{0, 3}, {1, 4}, {2, 5}},
          std::vector<NetworkElement>{
              {spring, 0, 1}, {spring, 1, 2}, {spring, 2}, {damper, 1}, {damper, 1, 2}},
          false),
      std::make_shared<NetworkStructure>(std::vector<NetworkNode>{{0, 4}, {1, 5}, {2, 6}, {3, 7}},
                                         std::vector<NetworkElement>{{stiffness, 0},
                                                                     {stiffness, 1},
                                                                     {stiffness, 2},
                                                                     {stiffness, 3},
                                                                     {stiffness, 0, 1},
                                                                     {stiffness, 1, 2},
                                                                     {stiffness, 2, 3},
                                                                     {stiffness, 0, 2},
                                                                     {damper, 1},
                                                                     {damper, 1, 2}},
                                         true)};
}

std::vector<Pointer> structures() {
  std::vector<Pointer> all;
  for (const char* name : {"skew", "sd", "scaled-sd", "psd", "metric", "full"})
    for (const Index n : {1, 2, 3, 7}) all.push_back(find_structure(name, n));
  for (auto& network : networks()) all.push_back(std::move(network));
  all.push_back(find_structure("parametric:oscillator", 2));
  all.push_back(find_structure("parametric:rlc", 2));
  for (const Index n : {2, 4, 6, 14}) all.push_back(find_structure("parametric:ladder", n));
  all.push_back(std::make_shared<ParametricStructure>(cooling_law()));
  all.push_back(std::make_shared<ParametricStructure>(magnetic_law()));
  return all;
}

class StructureLaw : public ::testing::TestWithParam<Pointer> {
 protected:
  const ConstantStructure& structure() const { return *GetParam(); }
  /// At zero, at random, tiny and huge.
  std::vector<Vector> everywhere() {
    std::vector<Vector> all{Vector::Zero(structure().parameters())};
    for (const double scale : {1.0, 1e-8, 1e6})
      for (int k = 0; k < 5; ++k) all.push_back(scale * random_.normals(structure().parameters()));
    return all;
  }
  /// Near a member, so that a law with few constants has one nearest; and for the others anywhere.
  std::vector<Matrix> targets() {
    const Index n = structure().dimension();
    std::vector<Matrix> all;
    for (const double noise : {1e-8, 1e-2, 0.1})
      for (int k = 0; k < 3; ++k)
        all.push_back(structure().generator(structure().random_start(random_)) +
                      noise * random_.normals(n, n));
    if (!dynamic_cast<const ParametricStructure*>(&structure()))
      for (const double size : {1e-8, 1.0, 1e6}) all.push_back(size * random_.normals(n, n));
    return all;
  }
  Random random_{2024};
};

TEST_P(StructureLaw, PullbackAndPushforwardAreAdjoint) {
  for (const Vector& theta : everywhere())
    EXPECT_TRUE(pullback_is_adjoint(structure(), theta, random_));
}

TEST_P(StructureLaw, TheOperatorIsTheGenerator) {
  for (const Vector& theta : everywhere())
    EXPECT_TRUE(operator_is_generator(structure(), theta, random_));
}

TEST_P(StructureLaw, PushforwardIsTheDerivative) {
  for (int k = 0; k < 5; ++k)
    EXPECT_TRUE(pushforward_is_derivative(structure(), interior(structure(), random_), random_));
}

TEST_P(StructureLaw, GuaranteeHoldsEverywhere) {
  for (const Vector& theta : everywhere())
    EXPECT_TRUE(guarantee_holds(structure(), theta)) << theta.transpose();
}

TEST_P(StructureLaw, FlowKeepsTheGuaranteeEverywhere) {
  for (const Vector& theta : everywhere())
    EXPECT_TRUE(flow_keeps_guarantee(structure(), theta, random_)) << theta.transpose();
}

TEST_P(StructureLaw, ProjectingTwiceIsProjectingOnce) {
  for (const Matrix& a : targets()) EXPECT_TRUE(projection_repeats(structure(), a));
}

TEST_P(StructureLaw, ProjectionKeepsMembers) {
  for (int k = 0; k < 5; ++k)
    EXPECT_TRUE(projection_keeps_member(structure(), structure().random_start(random_)));
}

TEST_P(StructureLaw, ProjectionIsTheNearestMember) {
  for (const char* near_only : {"scaled-sd", "metric", "network", "mechanical"})
    if (structure().name() == near_only) GTEST_SKIP() << "it promises a member near A only";
  for (const Matrix& a : targets()) EXPECT_TRUE(projection_is_nearest(structure(), a, random_));
}

TEST_P(StructureLaw, DescriptionsFit) {
  for (const Vector& theta : everywhere()) EXPECT_TRUE(descriptions_fit(structure(), theta));
}

TEST_P(StructureLaw, RandomStartIsInsideTheBoundsAndRepeats) {
  Random one(5), same(5);
  const Vector start = structure().random_start(one);
  EXPECT_TRUE((start.array() >= structure().lower_bounds().array()).all());
  EXPECT_TRUE(start == structure().random_start(same));
}

INSTANTIATE_TEST_SUITE_P(All, StructureLaw, ::testing::ValuesIn(structures()),
                         [](const auto& test) {
                           std::string name =
                               test.param->name() + std::to_string(test.param->dimension());
                           std::replace_if(
                               name.begin(), name.end(),
                               [](unsigned char c) { return !std::isalnum(c); }, '_');
                           return name;
                         });

}  // namespace
}  // namespace lgn::testing
