#include "petsc/slices.h"

#include <fmt/format.h>

#include "petsc/exchange.h"

namespace lgn::petsc {

Dataset read_own_states(const Ranks& ranks, const Hdf5Slices& file,
                        const std::vector<Index>& states) {
  const Index size = ranks.size(), channels = file.channels();
  const auto begin = [&](Index rank) { return channels * rank / size; };
  const Index first = begin(ranks.rank()), count = begin(ranks.rank() + 1) - first;
  std::vector<Exchange::Wanted> wanted;
  std::vector<std::string> names;
  for (const Index state : states) {
    int owner = static_cast<int>(state * size / channels);
    while (begin(owner) > state) --owner;
    while (begin(owner + 1) <= state) ++owner;
    wanted.push_back({owner, state, static_cast<Index>(names.size())});
    names.push_back(fmt::format("x{}", state + 1));
  }
  const Exchange exchange(ranks, wanted, [&](std::int64_t state) { return state - first; });
  using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  std::vector<Trajectory> runs;
  for (Index r = 0; r < file.runs(); ++r) {
    const Vector times = file.times(r);
    const Rows read = file.states(r, first, count);
    Rows own(static_cast<Index>(states.size()), times.size());
    exchange.run(read.data(), times.size(), own.data());
    runs.emplace_back(std::to_string(r + 1), times, Matrix(own));
  }
  return Dataset(std::move(names), std::move(runs));
}

}  // namespace lgn::petsc
