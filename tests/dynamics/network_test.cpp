#include "lgn/dynamics/network.h"

#include <gtest/gtest.h>

#include <cmath>

#include "lgn/core/error.h"
#include "lgn/dynamics/network_systems.h"
#include "lgn/dynamics/systems.h"
#include "tests/dynamics/structure_laws.h"

namespace lgn::testing {
namespace {

using enum ElementType;

NetworkStructure circuit(Index sections, bool known) {
  std::vector<NetworkElement> elements;
  for (Index k = 0; k + 1 < 2 * sections; ++k)
    elements.push_back({coupling, k, k + 1, known ? -1.0 : 0.0});
  for (Index k = 1; k < 2 * sections; k += 2) elements.push_back({loss, k});
  return NetworkStructure(single_states(2 * sections), elements, true);
}

/// A member comes back entry by entry: logarithms and exponentials lose ε |log m| each, and the
/// least squares for them and for the elements a few n ε.
void expect_member(const NetworkStructure& structure, const Matrix& a) {
  const Matrix member = structure.generator(structure.project(a));
  const double allowed = 100 * static_cast<double>(a.rows()) * epsilon;
  for (Index j = 0; j < a.cols(); ++j)
    for (Index i = 0; i < a.rows(); ++i)
      EXPECT_NEAR(member(i, j), a(i, j), allowed * std::abs(a(i, j))) << i << ", " << j;
}

TEST(Network, ReadsALadderOverDecades) {
  const Vector r{{1e3, 10, 0.1, 47}}, l{{1e-6, 1e-3, 1, 2e-4}}, c{{1e-9, 1e-2, 1e-5, 3e-7}};
  const Matrix a = ladder(r, l, c).a;
  const NetworkStructure structure = circuit(4, true);
  expect_member(structure, a);
  const Vector theta = structure.project(a), storages = structure.storages(theta);
  for (Index k = 0; k < 4; ++k) {
    // m is exp(log m), |log m| < 21, and each is one quotient.
    EXPECT_NEAR(storages[2 * k], c[k], 1e3 * epsilon * c[k]);
    EXPECT_NEAR(storages[2 * k + 1], l[k], 1e3 * epsilon * l[k]);
    EXPECT_NEAR(theta[k], r[k], 1e3 * epsilon * r[k]);
  }
  EXPECT_FALSE(structure.relative());
  // With couplings of any size the same ladder has one factor too many.
  EXPECT_TRUE(circuit(4, false).relative());
  expect_member(circuit(4, false), a);
}

TEST(Network, EnergyOfACircuitIsThatOfItsStorages) {
  const NetworkStructure structure = circuit(2, true);
  const Matrix a = ladder(Vector{{1, 2}}, Vector{{3, 4}}, Vector{{5, 6}}).a;
  const Matrix q = *structure.energy(structure.project(a));
  EXPECT_LE((q - Vector{{5, 3, 6, 4}}.asDiagonal().toDenseMatrix()).norm(), 1e3 * epsilon);
}

TEST(Network, ReadsMassesSpringsAndDampers) {
  const NetworkSystem chain =
      network_system({.topology = Topology::chain, .size = 5, .spread = 10, .seed = 7});
  std::vector<NetworkNode> nodes;
  std::vector<NetworkElement> elements;
  for (Index i = 0; i < 5; ++i) nodes.push_back({i, 5 + i});
  for (Index i = 0; i < 5; ++i) {
    elements.push_back({spring, i});
    elements.push_back({damper, i});
    if (i < 4) elements.push_back({spring, i, i + 1});
  }
  const NetworkStructure structure(nodes, elements, true);
  const Matrix& a = chain.system.a;
  expect_member(structure, a);
  // Ratios of masses, by symmetry of K: m_i/m_j = A(v_j, q_i)/A(v_i, q_j).
  const Vector m = structure.storages(structure.project(a));
  EXPECT_EQ(m[0], 1);
  for (Index i = 0; i < 4; ++i)
    EXPECT_NEAR(m[i + 1] / m[i], a(5 + i, i + 1) / a(6 + i, i), 1e3 * epsilon * m[i + 1] / m[i]);
}

TEST(Network, LosesNothingWithoutLosses) {
  const auto of = [](std::vector<NetworkElement> elements) {
    return NetworkStructure(single_states(3), std::move(elements), false).guarantee();
  };
  EXPECT_TRUE(of({{coupling, 0, 1}, {coupling, 1, 2}}).conservative);
  EXPECT_FALSE(of({{coupling, 0, 1}, {loss, 2}}).conservative);
  EXPECT_FALSE(of({{coupling, 0, 1}, {exchange, 1, 2}}).conservative);
}

TEST(Network, AFreeChainDissipatesThoughItsEnergyIsZeroAtRest) {
  // Two masses tied to each other only: K is singular, and so is the energy.
  const NetworkStructure structure({{0, 2}, {1, 3}}, {{spring, 0, 1}, {damper, 0, 1}}, true);
  const Vector theta{{3.0, 0.5, 0.7}};
  const Matrix a = structure.generator(theta), q = *structure.energy(theta);
  const Matrix rate = q * a + a.transpose() * q;
  const double largest =
      Eigen::SelfAdjointEigenSolver<Matrix>(rate, Eigen::EigenvaluesOnly).eigenvalues().maxCoeff();
  // Sums of up to four products.
  EXPECT_LE(largest, 16 * epsilon * (q * a).norm());
  EXPECT_LE((q * Vector{{1, 1, 0, 0}}).norm(), 0);
}

TEST(Network, ElementEntriesAreTheDerivative) {
  const NetworkStructure structure = circuit(2, false);
  Random random(3);
  const Vector theta = interior(structure, random), m = structure.storages(theta);
  for (std::size_t e = 0; e < structure.elements().size(); ++e) {
    Matrix sum = Matrix::Zero(4, 4);
    for (const auto& [row, col, value] : structure.element_entries(structure.elements()[e], m))
      sum(row, col) += value;
    const Vector unit = Vector::Unit(theta.size(), structure.parameter_of_element(e));
    EXPECT_LE((sum - structure.pushforward(theta, unit)).norm(), 4 * epsilon * sum.norm());
  }
}

TEST(Network, RefusesWhatIsNoNetwork) {
  const auto refuse = [](std::vector<NetworkNode> nodes, std::vector<NetworkElement> elements,
                         bool storages = true) {
    EXPECT_THROW(NetworkStructure(std::move(nodes), std::move(elements), storages), Error);
  };
  refuse({}, {});
  refuse({{0}, {0}}, {});
  refuse({{0}, {2}}, {});
  refuse({{0, 1}, {2}}, {});
  refuse({{0}, {1}}, {{coupling, 0, 0}});
  refuse({{0}, {1}}, {{coupling, 0}});
  refuse({{0}, {1}}, {{coupling, 0, 2}});
  refuse({{0}, {1}}, {{loss, 0, 1}});
  refuse({{0}, {1}}, {{coupling, 0, 1}, {coupling, 1, 0}});
  refuse({{0}, {1}}, {{coupling, 0, 1}, {exchange, 0, 1}});
  refuse({{0}, {1}}, {{spring, 0, 1}});
  refuse({{0, 1}}, {{loss, 0}});
  refuse({{0, 1}, {2, 3}}, {{stiffness, 0}, {stiffness, 0, 1}});
  refuse({{0, 1}}, {{stiffness, 0}, {spring, 0}});
  refuse({{0}, {1}}, {{storage, 0}});
  refuse({{0}, {1}}, {{coupling, 0, 1, 0.5}});
  refuse({{0}, {1}}, {{exchange, 0, 1, 1}});
  refuse({{0}, {1}}, {{coupling, 0, 1, 1}}, false);
}

}  // namespace
}  // namespace lgn::testing
