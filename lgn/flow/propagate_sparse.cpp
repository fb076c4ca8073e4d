#include "lgn/flow/propagate_sparse.h"

#include "lgn/dynamics/network_pattern.h"
#include "lgn/flow/sparse_flow.h"

namespace lgn {

std::vector<Matrix> propagate_sparse(const NetworkStructure& network, const Vector& theta,
                                     const Matrix& x0, const Vector& times, int threads) {
  const auto pattern = std::make_shared<OrderedPattern>(std::make_shared<NetworkPattern>(network));
  WorkerThreads workers(threads);
  const SparseFlow<double> flow(pattern, theta, times, workers);
  const auto& order = pattern->order();
  SparseFlow<double>::Block begin(x0.rows(), x0.cols());
  for (Index i = 0; i < begin.rows(); ++i)
    begin.row(i) = x0.row(order[static_cast<std::size_t>(i)]);
  std::vector<Matrix> states(static_cast<std::size_t>(x0.cols()), Matrix(x0.rows(), times.size()));
  flow.states(begin, [&](Index k, Eigen::Ref<SparseFlow<double>::Block> x) {
    for (Index r = 0; r < x.cols(); ++r) {
      auto column = states[static_cast<std::size_t>(r)].col(k);
      for (Index i = 0; i < x.rows(); ++i) column[order[static_cast<std::size_t>(i)]] = x(i, r);
    }
  });
  return states;
}

}  // namespace lgn
