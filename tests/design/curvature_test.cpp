// Curvatures of what expressions are, by which searches take their steps.

#include <gtest/gtest.h>

#include <cmath>

#include "lgn/design/quantities.h"
#include "tests/design/designed_systems.h"

namespace lgn {
namespace {

/// Every value free, in order.
std::vector<Index> all_of(const Vector& p) {
  std::vector<Index> free;
  for (Index k = 0; k < p.size(); ++k) free.push_back(k);
  return free;
}

void expect_curvatures(const NamedSystem& system, const char* text) {
  const Vector p = system.start(), p0 = 0.9 * p;
  const std::vector<Index> free = all_of(p);
  const auto expression = parse_expression(text, system);
  Quantities at(system, p, free, p0);
  at.find_curvatures();
  const auto numbers = at.evaluate(*expression);
  ASSERT_FALSE(numbers.empty());
  constexpr double h = 1e-4;
  for (const Index k : free) {
    Vector up = p, down = p;
    up[k] *= std::exp(h);
    down[k] *= std::exp(-h);
    const auto high = Quantities(system, up, free, p0).evaluate(*expression);
    const auto low = Quantities(system, down, free, p0).evaluate(*expression);
    ASSERT_EQ(high.size(), numbers.size());
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      ASSERT_EQ(numbers[i].curvature.rows(), p.size()) << text;
      const Vector column = (high[i].gradient - low[i].gradient) / (2 * h);
      // Second derivatives of A are one-sided differences of step 1e-5; those here err by h²/6 of the third derivative.
      EXPECT_LT((numbers[i].curvature.col(k) - column).norm(),
                1e-4 * (std::abs(numbers[i].value) + numbers[i].gradient.norm() +
                        numbers[i].curvature.norm()))
          << text << " by " << system.values()[static_cast<std::size_t>(k)].name;
    }
  }
}

TEST(DesignCurvature, IsThatOfDifferencesOfGradients) {
  for (const char* text : {"zeta", "f", "tau", "re", "im", "tau[slowest]", "change",
                           "sum(k*)*m1/c2^2", "max(zeta)-2*k1", "sum(zeta)", "-zeta*3"})
    expect_curvatures(NamedSystem(absorber(0.2, 0.15, 0.03)), text);
  for (const char* text : {"zeta", "f", "sum(R*)"})
    expect_curvatures(NamedSystem(ladder_model(3, 0.3)), text);
}

TEST(DesignCurvature, IsNotGivenOfResponsesAndOfPolesThatMeet) {
  const NamedSystem system(absorber(0.2, 0.15, 0.03));
  const Vector p = system.start();
  Quantities at(system, p, all_of(p), p);
  at.find_curvatures();
  for (const Smooth& one : at.evaluate(*parse_expression("peak(q1/f1)", system)))
    EXPECT_EQ(one.curvature.size(), 0);
  // Two oscillators that do not know of each other have the same poles.
  Network network;
  network.nodes = {{"q1", ChannelKind::position, 0, 2}, {"q2", ChannelKind::position, 1, 3}};
  for (const Index k : {0, 1}) {
    network.elements.push_back({Network::Type::storage, k, Network::ground, 1});
    network.elements.push_back({Network::Type::spring, k, Network::ground, 1});
    network.elements.push_back({Network::Type::damper, k, Network::ground, 0.1});
  }
  const Matrix a{{0, 0, 1, 0}, {0, 0, 0, 1}, {-1, 0, -0.1, 0}, {0, -1, 0, -0.1}};
  const NamedSystem twins(network_model(network, {"q1", "q2", "v1", "v2"}, a));
  const Vector q = twins.start();
  Quantities there(twins, q, all_of(q), q);
  there.find_curvatures();
  for (const Smooth& one : there.evaluate(*parse_expression("zeta", twins)))
    EXPECT_EQ(one.curvature.size(), 0);
}

}  // namespace
}  // namespace lgn
