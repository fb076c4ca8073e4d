#include "lgn/flow/sparse_flow.h"

#include <gtest/gtest.h>

#include <cmath>

#include "lgn/dynamics/network_pattern.h"
#include "lgn/dynamics/network_systems.h"
#include "lgn/flow/flow.h"
#include "lgn/flow/propagate.h"
#include "lgn/flow/propagate_sparse.h"
#include "tests/core/machine_epsilon.h"

namespace lgn {
namespace {

using testing::epsilon;
using Flow64 = SparseFlow<double>;
using Block = Flow64::Block;

/// A network with what it is made of, of every kind of element, and runs of it.
struct Example {
  std::string name;
  NetworkStructure structure;
  Vector theta;
  Vector times;
};

/// A rectangle of states, coupled and exchanging, with storages and losses; losses may outweigh couplings.
Example states_example(const std::string& name, double coupling, double exchange, Vector times) {
  const Index side = 14, n = side * side;
  std::vector<NetworkElement> elements;
  std::vector<double> values;
  Random random(5);
  const auto value = [&](double size) { return size * std::exp(random.normal() * 0.5); };
  const auto join = [&](Index i, Index j) {
    if ((i + j) % 3 == 0 && exchange > 0) {
      elements.push_back({ElementType::exchange, i, j});
      values.push_back(value(exchange));
    } else {
      elements.push_back({ElementType::coupling, i, j});
      values.push_back(value(coupling));
    }
  };
  for (Index i = 0; i < side; ++i)
    for (Index j = 0; j < side; ++j) {
      const Index here = i * side + j;
      if (j + 1 < side) join(here, here + 1);
      if (i + 1 < side) join(here, here + side);
      if (here % 2 == 0) {
        elements.push_back({ElementType::loss, here});
        values.push_back(value(0.1));
      }
    }
  NetworkStructure structure(single_states(n), elements, true);
  Vector theta(structure.parameters());
  for (Index k = 0; k < theta.size(); ++k)
    theta[k] = k < static_cast<Index>(values.size()) ? values[static_cast<std::size_t>(k)]
                                                     : 0.3 * random.normal();
  return {name, std::move(structure), std::move(theta), std::move(times)};
}

/// Masses on a rectangle, springs and dampers between them.
Example masses_example() {
  const Index side = 10, count = side * side;
  std::vector<NetworkNode> nodes;
  std::vector<NetworkElement> elements;
  for (Index i = 0; i < count; ++i) nodes.push_back({2 * i, 2 * i + 1});
  for (Index i = 0; i < side; ++i)
    for (Index j = 0; j < side; ++j) {
      const Index here = i * side + j;
      for (const auto type : {ElementType::spring, ElementType::damper}) {
        if (j + 1 < side) elements.push_back({type, here, here + 1});
        if (i + 1 < side) elements.push_back({type, here, here + side});
        if (i == 0) elements.push_back({type, here});
      }
    }
  NetworkStructure structure(nodes, elements, true);
  Random random(6);
  Vector theta(structure.parameters());
  const auto parameters = static_cast<Index>(elements.size());
  for (Index k = 0; k < theta.size(); ++k) {
    const bool damper =
        k < parameters && elements[static_cast<std::size_t>(k)].type == ElementType::damper;
    theta[k] = k < parameters ? (damper ? 0.05 : 1.0) * std::exp(0.5 * random.normal())
                              : 0.3 * random.normal();
  }
  return {"masses", std::move(structure), std::move(theta), Vector::LinSpaced(50, 0, 4.9)};
}

Vector sparse_uneven_times() {
  Random random(7);
  Vector times(40);
  times[0] = 2;
  for (Index k = 1; k < times.size(); ++k)
    // Among them steps longer than a superstep.
    times[k] = times[k - 1] + 0.02 + 0.2 * random.uniform() + (k % 13 == 0 ? 9.0 : 0.0);
  return times;
}

std::vector<Example> examples() {
  std::vector<Example> all;
  all.push_back(states_example("waves", 1, 0, Vector::LinSpaced(60, 0, 5.9)));
  all.push_back(states_example("heat", 0.01, 1, Vector::LinSpaced(60, 0, 5.9)));
  all.push_back(states_example("both", 1, 1, sparse_uneven_times()));
  all.push_back(masses_example());
  return all;
}

struct Built {
  std::shared_ptr<OrderedPattern> pattern;
  Block x0;
  Matrix natural;
};
Built build(const Example& example, Index runs) {
  Built built{std::make_shared<OrderedPattern>(std::make_shared<NetworkPattern>(example.structure)),
              {},
              {}};
  Random random(8);
  built.natural = random.normals(example.structure.dimension(), runs);
  built.x0.resize(built.natural.rows(), runs);
  for (Index i = 0; i < built.x0.rows(); ++i)
    built.x0.row(i) = built.natural.row(built.pattern->order()[static_cast<std::size_t>(i)]);
  return built;
}

TEST(SparseFlow, StatesAreThoseOfTheDenseFlow) {
  for (const Example& example : examples()) {
    const Built built = build(example, 3);
    const std::vector<Matrix> states =
        propagate_sparse(example.structure, example.theta, built.natural, example.times);
    for (Index r = 0; r < 3; ++r) {
      const Matrix dense = propagate(example.structure.generator(example.theta),
                                     built.natural.col(r), example.times);
      // The series is good to 1e-13 in the norm of the energy, which stretches by the square root of storages and
      // stiffnesses, less than ten here.
      EXPECT_LE((states[static_cast<std::size_t>(r)] - dense).norm(), 1e-12 * dense.norm())
          << example.name;
    }
  }
}

TEST(SparseFlow, DoesNotDependOnThreads) {
  const auto network = network_system({.topology = Topology::rlc_grid, .size = 60, .spread = 3});
  ASSERT_NE(network.large, nullptr);
  Random random(1);
  const Matrix x0 = random.normals(network.dimension(), 2);
  const Vector times = Vector::LinSpaced(4, 0, 0.3);
  const auto one = propagate_sparse(*network.large, network.theta, x0, times, 1);
  const auto three = propagate_sparse(*network.large, network.theta, x0, times, 3);
  for (std::size_t r = 0; r < 2; ++r) EXPECT_EQ(one[r], three[r]);
}

TEST(SparseFlow, GradientIsThatOfTheDenseFlow) {
  for (const Example& example : examples()) {
    const Index n = example.structure.dimension(), samples = example.times.size(), runs = 2;
    const Built built = build(example, runs);
    WorkerThreads threads(2);
    const Flow64 flow(built.pattern, example.theta, example.times, threads);
    // ℓ = ½ Σ w (x − y)² with random y and weights.
    Random random(9);
    const Matrix y = random.normals(samples * n, runs),
                 w = random.normals(samples * n, runs).cwiseAbs();
    const auto& order = built.pattern->order();
    const auto place = [&](Index k, Index i) { return k * n + order[static_cast<std::size_t>(i)]; };
    const auto pull = [&](Index k, Eigen::Ref<Block> x) {
      for (Index i = 0; i < n; ++i)
        for (Index r = 0; r < runs; ++r)
          x(i, r) = w(place(k, i), r) * (x(i, r) - y(place(k, i), r));
    };
    const auto dense_plan = plan_flow(example.structure, example.times, example.theta);
    const auto dense_flow = dense_plan->at(example.theta);
    const Matrix states = dense_flow->states(built.natural);
    const auto expected = dense_flow->adjoint(states, w.cwiseProduct(states - y));
    // With terms kept and without, which computes them again.
    for (const double bytes : {0.0, 1e9}) {
      const auto found = flow.gradient(flow.course(built.x0, bytes), pull);
      const Vector theta = built.pattern->generator().pullback(example.theta, found.values);
      // Both are exact adjoints: what differs is the error of states, 1e-12, in all samples.
      EXPECT_LE((theta - expected.theta).norm(), 1e-10 * expected.theta.norm()) << example.name;
      Matrix x0(n, runs);
      for (Index i = 0; i < n; ++i) x0.row(order[static_cast<std::size_t>(i)]) = found.x0.row(i);
      EXPECT_LE((x0 - expected.x0).norm(), 1e-10 * expected.x0.norm()) << example.name;
    }
  }
}

TEST(SparseFlow, CurvatureIsTangentThenAdjoint) {
  for (const Example& example : examples()) {
    const Index n = example.structure.dimension(), samples = example.times.size(), runs = 2;
    const Built built = build(example, runs);
    WorkerThreads threads(1);
    Random random(10);
    const Vector delta = random.normals(example.theta.size());
    const Matrix dx0 = random.normals(n, runs), w = random.normals(samples * n, 1).cwiseAbs();
    const auto& order = built.pattern->order();
    Block ordered(n, runs);
    for (Index i = 0; i < n; ++i) ordered.row(i) = dx0.row(order[static_cast<std::size_t>(i)]);
    const auto dense_flow =
        plan_flow(example.structure, example.times, example.theta)->at(example.theta);
    const Matrix states = dense_flow->states(built.natural);
    const Matrix moved = dense_flow->tangent(delta, built.natural) + dense_flow->states(dx0);
    const auto expected = dense_flow->adjoint(states, w.col(0).asDiagonal() * moved);
    const Vector change = built.pattern->generator().pushforward(example.theta, delta);
    const auto check = [&](const auto& flow, auto scalar, double tolerance) {
      using Scalar = decltype(scalar);
      using Own = typename SparseFlow<Scalar>::Block;
      const auto weigh = [&](Index k, Eigen::Ref<Own> x) {
        for (Index i = 0; i < n; ++i)
          x.row(i) *= static_cast<Scalar>(w(k * n + order[static_cast<std::size_t>(i)], 0));
      };
      for (const double bytes : {0.0, 1e9}) {
        const auto found = flow.curvature(flow.course(built.x0.cast<Scalar>(), bytes), change,
                                          ordered.cast<Scalar>(), weigh);
        const Vector theta = built.pattern->generator().pullback(example.theta, found.values);
        EXPECT_LE((theta - expected.theta).norm(), tolerance * expected.theta.norm())
            << example.name;
        Matrix x0(n, runs);
        for (Index i = 0; i < n; ++i)
          x0.row(order[static_cast<std::size_t>(i)]) = found.x0.row(i).template cast<double>();
        EXPECT_LE((x0 - expected.x0).norm(), tolerance * expected.x0.norm()) << example.name;
      }
    };
    check(Flow64(built.pattern, example.theta, example.times, threads), 0.0, 1e-10);
    // Rounding of floats, 6e-8, through some hundred products; terms are a hundred times the state at most.
    check(SparseFlow<float>(built.pattern, example.theta, example.times, threads, 1e-6), 0.0F,
          1e-3);
  }
}

TEST(ChebyshevSeries, BesselFunctionsAreThoseOfTheLibrary) {
  for (const double x : {1e-3, 0.5, 3.0, 20.0, 90.0}) {
    const Vector j = bessel_j(x, 40), i = scaled_bessel_i(x, 40);
    for (Index m = 0; m < 40; ++m) {
      // The library's own are good to about 1e-13 of the largest.
      EXPECT_NEAR(j[m], std::cyl_bessel_j(static_cast<double>(m), x), 1e-12);
      EXPECT_NEAR(i[m], std::exp(-x) * std::cyl_bessel_i(static_cast<double>(m), x), 1e-12);
    }
  }
  EXPECT_EQ(bessel_j(0, 3), Vector::Unit(3, 0));
  EXPECT_EQ(scaled_bessel_i(0, 3), Vector::Unit(3, 0));
}

}  // namespace
}  // namespace lgn
