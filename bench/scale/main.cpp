// lgn-scale SIDE RUNS SAMPLES: one line of numbers about a circuit on a grid of SIDE × SIDE, for bench/scale/page.
//
// States, products with A in a forward pass, processor seconds of that and of loss with gradient, most bytes in memory, unknowns, and for 1, 2, 4 … 64 blocks of
// rows the most rows of others that one needs and the most neighbours that it has.
#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <set>

#include "lgn/dynamics/network_pattern.h"
#include "lgn/dynamics/network_systems.h"
#include "lgn/flow/sample_network.h"
#include "lgn/identify/sparse/sparse_problem.h"
#include "lgn/identify/sparse/sparse_start.h"

namespace {

using namespace lgn;

double processor_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

template <class Work>
double seconds_of(const Work& work) {
  const double begin = processor_seconds();
  work();
  return processor_seconds() - begin;
}

/// Copies of rows, and neighbours, of the block that has most.
void print_halo(const SparsePattern& pattern, Index blocks) {
  std::size_t most = 0, neighbours = 0;
  const auto begin = [&](Index b) { return pattern.n * b / blocks; };
  for (Index b = 0; b < blocks; ++b) {
    std::set<Index> others, owners;
    for (Index e = pattern.start[static_cast<std::size_t>(begin(b))];
         e < pattern.start[static_cast<std::size_t>(begin(b + 1))]; ++e) {
      const Index column = pattern.column[static_cast<std::size_t>(e)];
      if (column >= begin(b) && column < begin(b + 1)) continue;
      others.insert(column);
      owners.insert(column * blocks / pattern.n);
    }
    most = std::max(most, others.size());
    neighbours = std::max(neighbours, owners.size());
  }
  fmt::print(" {} {}", most, neighbours);
}

}  // namespace

int main(int count, char** words) {
  if (count != 4) return 2;
  const Index side = std::atoi(words[1]), runs = std::atoi(words[2]), samples = std::atoi(words[3]);
  set_threads(1);
  constexpr double step = 0.1, noise = 0.01;
  const NetworkSystem network =
      network_system({.topology = Topology::rlc_grid, .size = side, .spread = 10});
  const Dataset data =
      sample_network(network, {.runs = runs,
                               .end = step * static_cast<double>(samples) - step / 2,
                               .step = step,
                               .noise = noise,
                               .seed = 2});
  // A small one has no pattern of its own: it is read off the data.
  SparseStart known{network.large, network.theta};
  if (!network.large)
    known = start_on_topology(
        data, false, {guess_kinds(network.system.channels), {.pattern = network.wiring}}, 8 * step);
  const auto pattern =
      std::make_shared<OrderedPattern>(std::make_shared<NetworkPattern>(*known.structure));
  WorkerThreads threads(1);
  const SparseProblem problem(data, pattern, false, threads);
  const Vector sigma = Vector::Constant(data.dimension(), noise);
  const Vector start = problem.start(known.theta);
  const double forward = seconds_of([&] { problem.value(start, sigma); });
  const double gradient = seconds_of([&] { problem.misfit(start, sigma); });
  const SparseFlow<double> flow(pattern, known.theta, data.runs().front().times(), threads);
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  fmt::print("{} {} {:.4g} {:.4g} {} {}", data.dimension(), flow.products(), forward, gradient,
             usage.ru_maxrss * 1024, start.size());
  for (Index blocks = 1; blocks <= 64; blocks *= 2) print_halo(pattern->pattern(), blocks);
  fmt::print("\n");
}
