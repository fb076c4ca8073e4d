// States of a sparse circuit of 10⁴ and 10⁵ states: 300 samples of four runs.

#include "lgn/flow/sparse_flow.h"

#include <memory>

#include "claim.h"
#include "lgn/core/random.h"
#include "lgn/dynamics/network_pattern.h"
#include "lgn/dynamics/network_systems.h"

namespace lgn::bench {

Claim sparse_flow(const std::string& folder, Index side) {
  constexpr Index runs = 4, samples = 300;
  constexpr double step = 0.1;
  using Flow = SparseFlow<double>;
  const NetworkSystem network =
      network_system({.topology = Topology::rlc_grid, .size = side, .spread = 10});
  const auto pattern =
      std::make_shared<OrderedPattern>(std::make_shared<NetworkPattern>(*network.large));
  const Vector times = Vector::LinSpaced(samples, 0, step * (samples - 1));
  Random random(1);
  const auto x0 = std::make_shared<Flow::Block>(random.normals(network.dimension(), runs));
  // The peer gets A in the order in which ours has it, row by row.
  const SparsePattern& at = pattern->pattern();
  const Vector values = pattern->to_ordered(pattern->generator().values(network.theta));
  Vector rows(values.size()), columns(values.size());
  for (Index i = 0; i < at.n; ++i)
    for (Index e = at.start[static_cast<std::size_t>(i)];
         e < at.start[static_cast<std::size_t>(i) + 1]; ++e) {
      rows[e] = static_cast<double>(i);
      columns[e] = at.column[static_cast<std::size_t>(e)];
    }
  write_numbers(folder, "rows", rows);
  write_numbers(folder, "columns", columns);
  write_numbers(folder, "values", values);
  write_numbers(folder, "x0", Matrix(*x0));
  const auto last = std::make_shared<Matrix>();
  const auto threads = std::make_shared<WorkerThreads>(1);
  return {[=, theta = network.theta] {
            const Flow flow(pattern, theta, times, *threads);
            flow.states(*x0, [&](Index k, Eigen::Ref<Flow::Block> x) {
              if (k + 1 == samples) *last = x;
            });
          },
          [=] {
            return std::map<std::string, Matrix>{{"last", *last}};
          }};
}

}  // namespace lgn::bench
