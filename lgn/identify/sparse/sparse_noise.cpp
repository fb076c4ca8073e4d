#include "lgn/identify/sparse/sparse_noise.h"

#include <algorithm>
#include <cmath>

#include "lgn/data/scales.h"

namespace lgn {

Vector noise_by_interpolation(const Dataset& data, const Vector& amplitudes,
                              const Partition& partition) {
  const Index n = data.dimension();
  Vector squares = Vector::Zero(n), count = Vector::Zero(n);
  for (const auto& run : data.runs()) {
    const Vector& t = run.times();
    const Matrix& y = run.states();
    for (Index k = 2; k + 2 < run.samples(); ++k) {
      const Index around[4] = {k - 2, k - 1, k + 1, k + 2};
      double weight[4], size = 1;
      for (int a = 0; a < 4; ++a) {
        weight[a] = 1;
        for (int b = 0; b < 4; ++b)
          if (b != a) weight[a] *= (t[k] - t[around[b]]) / (t[around[a]] - t[around[b]]);
        size += weight[a] * weight[a];
      }
      for (Index i = 0; i < n; ++i) {
        double left = y(i, k);
        for (int a = 0; a < 4; ++a) left -= weight[a] * y(i, around[a]);
        if (Trajectory::missing(left)) continue;
        squares[i] += left * left / size;
        count[i] += 1;
      }
    }
  }
  // Where a channel has no five samples in a row it is as noisy as the others are.
  const double typical =
      std::sqrt(partition.sum(squares.cwiseQuotient(amplitudes.cwiseAbs2()).sum()) /
                std::max(1.0, partition.sum(count.sum())));
  constexpr double least = 1e-10;
  Vector noise(n);
  for (Index i = 0; i < n; ++i)
    noise[i] = std::max(count[i] > 0 ? std::sqrt(squares[i] / count[i]) : typical * amplitudes[i],
                        least * amplitudes[i]);
  return noise;
}

Vector noise_by_residuals(const SparseProblem::Misfit& misfit, Index unknowns,
                          const Vector& amplitudes, const Partition& partition) {
  const double values = partition.sum(misfit.count.sum());
  const double share = std::max(0.05, 1 - static_cast<double>(unknowns) / values);
  constexpr double least = 1e-10;
  return (misfit.squares.array() / (share * misfit.count.array().max(1.0)))
      .sqrt()
      .max(least * amplitudes.array());
}

Vector amplitudes_in(const Dataset& data, const Partition& partition) {
  return channel_amplitudes(data, partition.root_mean_square(amplitude(data), data.present()));
}

}  // namespace lgn
