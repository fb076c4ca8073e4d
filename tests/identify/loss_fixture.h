#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "lgn/core/random.h"
#include "lgn/flow/exponential.h"
#include "lgn/flow/propagate.h"
#include "lgn/identify/training/trajectory_loss.h"
#include "tests/core/machine_epsilon.h"

/// Data on every kind of time grid, and the loss and its gradient written out sample by sample.
namespace lgn::testing {

enum class TimeGrid { uniform, gaps, few_steps, all_different };
inline const char* name_of(TimeGrid grid) {
  constexpr const char* names[] = {"Uniform", "Gaps", "FewSteps", "AllDifferent"};
  return names[static_cast<int>(grid)];
}

inline Vector grid_times(TimeGrid grid, Index samples, Random& random) {
  Vector t(samples);
  t[0] = 0.7;
  for (Index k = 1; k < samples; ++k) {
    double step = 0.1;
    if (grid == TimeGrid::gaps && k > 1 && random.uniform() < 0.3)
      step *= 1 + std::floor(3 * random.uniform());
    if (grid == TimeGrid::few_steps) step = random.uniform() < 0.5 ? 0.093 : 0.107;
    if (grid == TimeGrid::all_different) step *= 0.5 + random.uniform();
    t[k] = t[k - 1] + step;
  }
  return t;
}

/// Which cells are there, and how long each run is.
struct Layout {
  const char* name;
  std::vector<Index> lengths;
  double missing;  ///< fraction of cells
};
inline const std::vector<Layout>& layouts() {
  static const std::vector<Layout> all{{"OneRun", {40}, 0},
                                       {"Masked", {35}, 0.3},
                                       {"Runs", {17, 40, 2, 23}, 0},
                                       {"RunsMasked", {31, 12, 31}, 0.2}};
  return all;
}

/// Random samples: what a loss is computed on need not come from a system.
inline Dataset random_dataset(Index n, TimeGrid grid, const Layout& layout, Random& random) {
  std::vector<std::string> channels;
  for (Index c = 0; c < n; ++c) channels.push_back("x" + std::to_string(c));
  std::vector<Trajectory> runs;
  for (const Index length : layout.lengths) {
    Matrix states = random.normals(n, length);
    for (Index k = 0; k < states.size(); ++k)
      if (k >= n && random.uniform() < layout.missing) states(k) = std::nan("");
    runs.emplace_back(std::to_string(runs.size()), grid_times(grid, length, random), states);
  }
  return Dataset(channels, std::move(runs));
}

/// Σ w (x̂ − x)² with x̂ by propagate, cell by cell.
inline double naive_loss(const Dataset& data, const Vector& weights, const Matrix& a,
                         const Matrix& starts) {
  double loss = 0;
  for (Index r = 0; r < starts.cols(); ++r) {
    const Trajectory& run = data.runs()[static_cast<std::size_t>(r)];
    const Matrix predicted = propagate(a, starts.col(r), run.times());
    for (Index k = 0; k < run.samples(); ++k)
      for (Index c = 0; c < a.rows(); ++c)
        if (!Trajectory::missing(run.states()(c, k)))
          loss += weights[c] * std::pow(predicted(c, k) - run.states()(c, k), 2);
  }
  return loss;
}

/// The same with its derivatives, θ the entries of A, by one exponential and one adjoint per step.
inline LossGradient naive_gradient(const Dataset& data, const Vector& weights, const Matrix& a,
                                   const Matrix& starts) {
  const Index n = a.rows();
  LossGradient result{naive_loss(data, weights, a, starts), Vector::Zero(n * n),
                      Matrix::Zero(n, starts.cols())};
  for (Index r = 0; r < starts.cols(); ++r) {
    const Trajectory& run = data.runs()[static_cast<std::size_t>(r)];
    const Matrix x = propagate(a, starts.col(r), run.times());
    Vector adjoint = Vector::Zero(n);
    for (Index k = run.samples() - 1; k >= 0; --k) {
      for (Index c = 0; c < n; ++c)
        if (!Trajectory::missing(run.states()(c, k)))
          adjoint[c] += 2 * weights[c] * (x(c, k) - run.states()(c, k));
      if (k == 0) break;
      const double step = run.times()[k] - run.times()[k - 1];
      const Exponential flow(step * a);
      result.theta += step * flow.adjoint(adjoint * x.col(k - 1).transpose()).reshaped();
      adjoint = (flow.value().transpose() * adjoint).eval();
    }
    result.initial_states.col(r) = adjoint;
  }
  return result;
}

}  // namespace lgn::testing
