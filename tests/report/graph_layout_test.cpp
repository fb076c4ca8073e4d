#include "lgn/report/network/graph_layout.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "lgn/model/network_names.h"
#include "tests/report/sample_network.h"

namespace lgn {
namespace {

using namespace testing;
using Point = Eigen::Vector2d;

double least_distance(const Matrix& at) {
  double least = 1e300;
  for (Index i = 0; i < at.cols(); ++i)
    for (Index j = 0; j < i; ++j) least = std::min(least, (at.col(i) - at.col(j)).norm());
  return least;
}

double turn(const Point& a, const Point& b, const Point& c) {
  return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

/// Pairs of edges without a common node that cross.
int crossings(const Network& network, const Matrix& at) {
  const auto edges = connections(network);
  int found = 0;
  for (const auto& e : edges)
    for (const auto& f : edges) {
      if (e.from == f.from || e.from == f.to || e.to == f.from || e.to == f.to) continue;
      const Point a = at.col(e.from), b = at.col(e.to), c = at.col(f.from), d = at.col(f.to);
      found += turn(a, b, c) * turn(a, b, d) < 0 && turn(c, d, a) * turn(c, d, b) < 0;
    }
  return found / 2;
}

TEST(NetworkShape, TellsPathsRingsTreesAndMeshesApart) {
  const auto shape = [](const Network& network) {
    const auto parts = components(network);
    EXPECT_EQ(parts.size(), 1u);
    return parts[0].shape;
  };
  EXPECT_EQ(shape(mass_chain(1)), Shape::path);
  EXPECT_EQ(shape(mass_chain(2)), Shape::path);
  EXPECT_EQ(shape(ladder(7)), Shape::path);
  EXPECT_EQ(shape(mass_ring(3)), Shape::ring);
  EXPECT_EQ(shape(random_tree(20, 1)), Shape::tree);
  EXPECT_EQ(shape(heat_grid(3, 3)), Shape::mesh);
  EXPECT_EQ(shape(heat_grid(2, 2)), Shape::ring);
  Network lasso = mass_ring(4);  // every node but two has two neighbours
  lasso.nodes.push_back({"q5", ChannelKind::position, 8, 9});
  lasso.elements.push_back(element(Type::spring, 2, 4, 1));
  EXPECT_EQ(shape(lasso), Shape::mesh);
}

TEST(NetworkShape, WalksAlongPathsAndRings) {
  Network network = nodes_of(5, ChannelKind::plain, "x");
  for (const auto& [a, b] : {std::pair<Index, Index>{3, 1}, {1, 4}, {4, 0}, {0, 2}})
    network.elements.push_back(element(Type::coupling, a, b, 1));
  EXPECT_EQ(components(network)[0].nodes, (std::vector<Index>{2, 0, 4, 1, 3}));
  network.elements.push_back(element(Type::coupling, 2, 3, 1));
  EXPECT_EQ(components(network)[0].nodes, (std::vector<Index>{0, 2, 3, 1, 4}));
  EXPECT_EQ(components(nodes_of(3, ChannelKind::plain, "x")).size(), 3u);
}

TEST(GraphLayout, PutsARingOnACircle) {
  const Matrix at = graph_layout(mass_ring(40), 9);
  const Point middle = (at.rowwise().maxCoeff() + at.rowwise().minCoeff()) / 2;
  const Vector radii = (at.colwise() - middle).colwise().norm();
  EXPECT_NEAR(radii.maxCoeff(), radii.minCoeff(), 1e-12 * radii.maxCoeff());
  for (Index k = 0; k < 40; ++k) EXPECT_NEAR((at.col(k) - at.col((k + 1) % 40)).norm(), 1, 1e-12);
}

TEST(GraphLayout, PutsAGridOnAGridInReadingOrder) {
  for (const auto& [width, height] : {std::pair<Index, Index>{6, 6}, {4, 3}, {10, 10}, {7, 2}}) {
    const Matrix at = graph_layout(heat_grid(width, height), 9);
    for (Index k = 0; k < at.cols(); ++k)
      EXPECT_EQ(at.col(k), Point(static_cast<double>(k % width), static_cast<double>(k / width)))
          << width << " x " << height << ", node " << k;
  }
}

TEST(GraphLayout, DrawsTreesWithoutCrossings) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed)
    for (const Index nodes : {4, 10, 40, 100}) {
      const Network tree = random_tree(nodes, seed);
      const Matrix at = graph_layout(tree, 9);
      EXPECT_EQ(crossings(tree, at), 0);
      EXPECT_GE(least_distance(at), 0.5);
    }
}

TEST(GraphLayout, KeepsNodesApartAndEdgesShort) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed)
    for (const Index nodes : {5, 12, 40}) {
      const Network network = random_graph(nodes, nodes / 2, seed);
      const Matrix at = graph_layout(network, 9);
      ASSERT_TRUE(at.allFinite());
      EXPECT_GE(least_distance(at), 0.45) << nodes << ", seed " << seed;
      // Stress majorisation trades lengths off against each other; none should be far from one.
      double sum = 0;
      for (const auto& c : connections(network)) sum += (at.col(c.from) - at.col(c.to)).norm();
      const double mean = sum / static_cast<double>(connections(network).size());
      EXPECT_GT(mean, 0.7);
      EXPECT_LT(mean, 1.5);
      EXPECT_EQ(at, graph_layout(network, 9));
    }
}

TEST(GraphLayout, SpreadsNodesThatNothingTellsApart) {
  Network complete = nodes_of(8, ChannelKind::plain, "x");
  for (Index i = 0; i < 8; ++i)
    for (Index j = 0; j < i; ++j) complete.elements.push_back(element(Type::coupling, i, j, 1));
  EXPECT_GE(least_distance(graph_layout(complete, 9)), 0.3);
}

TEST(GraphLayout, PutsPartsBesideAndBelowEachOther) {
  const Matrix alone = graph_layout(nodes_of(30, ChannelKind::plain, "x"), 9);
  EXPECT_GE(least_distance(alone), 1);
  EXPECT_LE(alone.row(0).maxCoeff(), 9);
  EXPECT_EQ(alone.rowwise().minCoeff(), Point::Zero());
}

}  // namespace
}  // namespace lgn
