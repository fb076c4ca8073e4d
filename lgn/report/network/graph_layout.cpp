#include "lgn/report/network/graph_layout.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <set>

#include "lgn/core/decompositions.h"

namespace lgn {
namespace {

using Neighbours = std::vector<std::vector<Index>>;

/// Neighbours by place in the component's list instead of by node.
Neighbours within(const Component& part, const Neighbours& near) {
  std::vector<Index> place(near.size(), -1);
  for (std::size_t k = 0; k < part.nodes.size(); ++k)
    place[static_cast<std::size_t>(part.nodes[k])] = static_cast<Index>(k);
  Neighbours own;
  for (const Index node : part.nodes) {
    own.emplace_back();
    for (const Index next : near[static_cast<std::size_t>(node)])
      own.back().push_back(place[static_cast<std::size_t>(next)]);
  }
  return own;
}

Vector distances_from(const Neighbours& near, Index start) {
  Vector distance = Vector::Constant(static_cast<Index>(near.size()), -1);
  distance[start] = 0;
  std::vector<Index> queue{start};
  for (std::size_t k = 0; k < queue.size(); ++k)
    for (const Index next : near[static_cast<std::size_t>(queue[k])])
      if (distance[next] < 0) {
        distance[next] = distance[queue[k]] + 1;
        queue.push_back(next);
      }
  return distance;
}

Matrix circle(Index nodes) {
  const double radius = 0.5 / std::sin(std::numbers::pi / static_cast<double>(nodes));
  Matrix at(2, nodes);
  for (Index k = 0; k < nodes; ++k) {
    const double angle = 2 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(nodes);
    at.col(k) << radius * std::sin(angle), -radius * std::cos(angle);
  }
  return at;
}

/// Levels by the distance from the middle; parents stand in the middle above their children.
class TreeLayout {
 public:
  explicit TreeLayout(const Neighbours& near)
      : near_(near), at_(2, static_cast<Index>(near.size())) {
    place(middle(), -1, 0);
    // A broad tree grows to the right, so that the page need not be broad.
    constexpr double most_leaves = 12, between_leaves = 0.5;
    if (leaves_ > most_leaves) {
      at_.row(0) *= between_leaves;
      at_.row(0).swap(at_.row(1));
    }
  }
  Matrix positions() const { return at_; }

 private:
  /// The node whose farthest node is nearest.
  Index middle() const {
    Index best = 0;
    double least = std::numeric_limits<double>::infinity();
    for (Index k = 0; k < at_.cols(); ++k)
      if (const double reach = distances_from(near_, k).maxCoeff(); reach < least) {
        least = reach;
        best = k;
      }
    return best;
  }
  void place(Index node, Index parent, double level) {
    double first = leaves_, last = leaves_;
    bool leaf = true;
    for (const Index child : near_[static_cast<std::size_t>(node)]) {
      if (child == parent) continue;
      place(child, node, level + 1);
      if (leaf) first = at_(0, child);
      last = at_(0, child);
      leaf = false;
    }
    if (leaf) leaves_ += 1;
    at_.col(node) << (first + last) / 2, level;
  }

  const Neighbours& near_;
  Matrix at_;
  double leaves_ = 0;
};

/// Classical scaling: the plane in which inner products come closest to those of the distances.
Matrix scaled(const Matrix& distances) {
  const Index n = distances.rows();
  const Matrix centre = Matrix::Identity(n, n) - Matrix::Constant(n, n, 1 / static_cast<double>(n));
  const Matrix inner = -0.5 * centre * distances.cwiseAbs2() * centre;
  const SymmetricEigen eigen = symmetric_eigen(inner);
  Matrix at(2, n);
  for (Index axis = 0; axis < 2; ++axis)
    at.row(axis) = std::sqrt(std::max(eigen.values[n - 1 - axis], 0.0)) *
                   eigen.vectors.col(n - 1 - axis).transpose();
  // Nodes that fall on one another are spread on a spiral.
  for (Index k = 0; k < n; ++k) {
    const auto turn = static_cast<double>(k);
    const double angle = 2.4 * turn, radius = 0.01 * std::sqrt(turn + 1);
    at.col(k) += radius * Vector{{std::cos(angle), std::sin(angle)}};
  }
  return at;
}

/// Lowers Σ (|x_i − x_j| − d_ij)²/d_ij² node by node, each step to the minimum of a parabola above.
void majorise(Matrix& at, const Matrix& distances) {
  const Index n = at.cols();
  constexpr int sweeps = 300;
  constexpr double still = 1e-4;
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    double moved = 0;
    for (Index i = 0; i < n; ++i) {
      Eigen::Vector2d sum = Eigen::Vector2d::Zero();
      double weights = 0;
      for (Index j = 0; j < n; ++j) {
        if (j == i) continue;
        const Eigen::Vector2d apart = at.col(i) - at.col(j);
        const double weight = 1 / (distances(i, j) * distances(i, j));
        const double length = std::max(apart.norm(), 1e-9);
        sum += weight * (at.col(j) + apart * (distances(i, j) / length));
        weights += weight;
      }
      const Eigen::Vector2d next = sum / weights;
      moved = std::max(moved, (next - at.col(i)).norm());
      at.col(i) = next;
    }
    if (moved < still) return;
  }
}

/// Turns the drawing so that its edges are level or upright as nearly as they can be: with edges at
/// angles α, by the φ that makes Σ cos 4(α + φ) largest.
void turn_upright(Matrix& at, const Neighbours& near) {
  Complex sum = 0;
  for (std::size_t i = 0; i < near.size(); ++i)
    for (const Index j : near[i]) {
      const Eigen::Vector2d edge = at.col(j) - at.col(static_cast<Index>(i));
      sum += std::polar(1.0, 4 * std::atan2(edge[1], edge[0]));
    }
  const double angle = -std::arg(sum) / 4;
  at = Eigen::Rotation2Dd(angle).toRotationMatrix() * at;
}

/// Mirrors and turns the drawing so that it is broad rather than high and the nodes' order runs down
/// the page, line by line.
void order_like_text(Matrix& at) {
  const Index n = at.cols();
  const Vector extent = at.rowwise().maxCoeff() - at.rowwise().minCoeff();
  const Vector order = Vector::LinSpaced(n, -1, 1);
  const auto trend = [&](Index axis) { return at.row(axis).dot(order.transpose()); };
  at.colwise() -= at.rowwise().mean().eval();
  const bool square = std::abs(extent[0] - extent[1]) < 0.05 * extent[0];
  const bool sideways = std::abs(trend(0)) > std::abs(trend(1));
  if (square ? sideways : extent[1] > extent[0]) at.row(0).swap(at.row(1));
  for (Index axis = 0; axis < 2; ++axis)
    if (trend(axis) < 0) at.row(axis) *= -1;
}

/// Makes a grid of what is one: every edge becomes level or upright and one unit long. Nothing moves,
/// and the answer is false, where that contradicts itself or lets two nodes meet.
bool snap(Matrix& at, const Neighbours& near) {
  Matrix lines(2, at.cols());
  for (Index axis = 0; axis < 2; ++axis) {
    std::vector<bool> done(near.size());
    std::vector<Index> queue{0};
    done[0] = true;
    lines(axis, 0) = 0;
    for (std::size_t k = 0; k < queue.size(); ++k) {
      const Index i = queue[k];
      for (const Index j : near[static_cast<std::size_t>(i)]) {
        const Eigen::Vector2d edge = at.col(j) - at.col(i);
        const bool along = std::abs(edge[axis]) > std::abs(edge[1 - axis]);
        const double next = lines(axis, i) + (along ? (edge[axis] > 0 ? 1.0 : -1.0) : 0.0);
        if (done[static_cast<std::size_t>(j)]) {
          if (lines(axis, j) != next) return false;
          continue;
        }
        done[static_cast<std::size_t>(j)] = true;
        lines(axis, j) = next;
        queue.push_back(j);
      }
    }
  }
  std::set<std::pair<double, double>> taken;
  for (Index k = 0; k < lines.cols(); ++k)
    if (!taken.emplace(lines(0, k), lines(1, k)).second) return false;
  at = lines;
  return true;
}

/// Moves nodes apart that are nearer than half an edge.
void spread(Matrix& at) {
  constexpr double least = 0.5;
  constexpr int sweeps = 50;
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    bool moved = false;
    for (Index i = 0; i < at.cols(); ++i)
      for (Index j = 0; j < i; ++j) {
        const Eigen::Vector2d apart = at.col(i) - at.col(j);
        const double length = std::max(apart.norm(), 1e-9);
        if (length >= least) continue;
        const Eigen::Vector2d half = apart * ((1.05 * least - length) / (2 * length));
        at.col(i) += half;
        at.col(j) -= half;
        moved = true;
      }
    if (!moved) return;
  }
}

Matrix mesh(const Neighbours& near) {
  const auto n = static_cast<Index>(near.size());
  Matrix distances(n, n);
  for (Index k = 0; k < n; ++k) distances.col(k) = distances_from(near, k);
  Matrix at = scaled(distances);
  majorise(at, distances);
  turn_upright(at, near);
  if (!snap(at, near)) spread(at);
  order_like_text(at);
  return at;
}

Matrix layout_of(const Component& part, const Neighbours& near) {
  const auto n = static_cast<Index>(part.nodes.size());
  switch (part.shape) {
    case Shape::path: {
      Matrix at = Matrix::Zero(2, n);
      at.row(0) = Vector::LinSpaced(n, 0, static_cast<double>(n - 1)).transpose();
      return at;
    }
    case Shape::ring:
      return circle(n);
    case Shape::tree:
      return TreeLayout(within(part, near)).positions();
    default:
      return mesh(within(part, near));
  }
}

}  // namespace

Matrix graph_layout(const Network& network, double width) {
  const Neighbours near = neighbours(network);
  Matrix at(2, static_cast<Index>(network.nodes.size()));
  // Parts stand in rows, like words on lines.
  Eigen::Vector2d corner = Eigen::Vector2d::Zero();
  double line_height = 0;
  for (const Component& part : components(network)) {
    Matrix own = layout_of(part, near);
    own.colwise() -= own.rowwise().minCoeff().eval();
    const Eigen::Vector2d extent = own.rowwise().maxCoeff();
    if (corner[0] > 0 && corner[0] + extent[0] > width) {
      corner = {0, corner[1] + line_height + 1};
      line_height = 0;
    }
    for (std::size_t k = 0; k < part.nodes.size(); ++k)
      at.col(part.nodes[k]) = own.col(static_cast<Index>(k)) + corner;
    corner[0] += extent[0] + 1;
    line_height = std::max(line_height, extent[1]);
  }
  return at;
}

}  // namespace lgn
