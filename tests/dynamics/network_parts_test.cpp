#include <gtest/gtest.h>

#include "lgn/dynamics/network.h"
#include "lgn/dynamics/network_pattern.h"

namespace lgn {
namespace {

using enum ElementType;

/// Two capacitances and an exchange in one part, two in another, each with losses.
NetworkStructure circuit() {
  return {single_states(4),
          {{exchange, 0, 1}, {exchange, 2, 3}, {loss, 0}, {loss, 1}, {loss, 2}, {loss, 3}},
          true};
}

TEST(NetworkWithout, LeavesElementsOutAndKeepsStorages) {
  const NetworkStructure network = circuit();
  // Two exchanges, four losses, and the storages of nodes 1 and 3 relative to 0 and 2.
  ASSERT_EQ(network.parameters(), 8);
  Vector theta(8), kept = Vector::Ones(8);
  theta << 1, 2, 0.1, 0.2, 0.3, 0.4, 0.5, -0.5;
  kept[3] = kept[4] = 0;
  const NetworkStructure fewer = network.without(kept);
  ASSERT_EQ(fewer.parameters(), 6);
  Vector less(6), zeroed = theta;
  less << 1, 2, 0.1, 0.4, 0.5, -0.5;
  zeroed[3] = zeroed[4] = 0;
  EXPECT_EQ(fewer.generator(less), network.generator(zeroed));
  for (std::size_t i = 0; i < 4; ++i)
    EXPECT_EQ(fewer.parameter_of_storage(i) == NetworkStructure::fixed,
              network.parameter_of_storage(i) == NetworkStructure::fixed);
}

TEST(NetworkPart, HasTheRowsOfTheWhole) {
  const NetworkStructure network = circuit();
  Vector theta(8);
  theta << 1, 2, 0.1, 0.2, 0.3, 0.4, 0.5, -0.5;
  // What touches node 1: its neighbour's storage is one in the whole, and so it is here.
  const NetworkStructure part =
      NetworkStructure::part(single_states(2), {{exchange, 0, 1}, {loss, 1}}, true, {1, 0});
  ASSERT_EQ(part.parameters(), 3);
  Vector own(3);
  own << 1, 0.2, 0.5;
  EXPECT_EQ(Matrix(part.generator(own).row(1)), Matrix(network.generator(theta).block(1, 0, 1, 2)));
  // With both storages free it is a part of something else that has its anchor elsewhere.
  EXPECT_EQ(NetworkStructure::part(single_states(2), {{exchange, 0, 1}}, true, {0, 0}).parameters(),
            3);
}

}  // namespace
}  // namespace lgn
