#pragma once

#include <algorithm>
#include <vector>

#include "lgn/core/stop.h"
#include "lgn/core/worker_threads.h"
#include "lgn/data/dataset.h"

namespace lgn {

/// Windows of data as columns, one for each state: ∫ψx and −∫ψ̇x, in units of their sizes.
struct StateWindows {
  Eigen::MatrixXf states, derivatives;
  Vector state_sizes, derivative_sizes;
  /// Mean squares of what noise of one leaves in them.
  double noise_in_states = 0, noise_in_derivatives = 0;
  double independent = 0;  ///< how many there are that do not know of one another

  Index count() const { return states.rows(); }
  /// Sums of products of some states with one another and with derivative `row`, in double precision.
  struct Sums {
    Matrix gram;
    Vector products;
  };
  Sums sums(Index row, const std::vector<Index>& some) const;
  /// Least squares of that derivative on these states.
  struct Solution {
    Vector coefficients;
    double unexplained = 1;
  };
  Solution solve(Index row, const std::vector<Index>& some) const;
};
/// What the balance of a node has chosen.
struct RowChoice {
  std::vector<Index> first;               ///< candidates of the whole derivative
  std::vector<Index> candidates, chosen;  ///< states, in order
  std::vector<Index>
      known_by_others;  ///< states whose own rows are explained, this node among them
  Vector coefficients;  ///< in units of the windows
  double unexplained = 1;
  bool explained = false;

  /// Zero where a state was not chosen.
  double coefficient(Index state) const;
};

/// By windows of this width. Throws NotIdentified where there are too few.
StateWindows windows_of(const Dataset& data, double width);

/// The places of so many largest values, in no order.
std::vector<Index> largest(const Eigen::Ref<const Eigen::VectorXf>& values, Index many);

/// Products of all states with each of these columns, column(k), a block at a time in single precision, for use(k, products).
template <class Column, class Use>
void for_products(const StateWindows& windows, Index count, const Column& column, const Use& use,
                  WorkerThreads& threads) {
  const Index states = windows.states.cols();
  constexpr Index numbers = 5'000'000;
  const Index block = std::clamp<Index>(numbers / states, 16, 512) * threads.threads();
  for (Index first = 0; first < count; first += block) {
    const Index many = std::min(block, count - first);
    stop_point(0.1 * static_cast<double>(many * windows.count()) * static_cast<double>(states));
    threads.over(many, 16, [&](Index begin, Index end) {
      Eigen::MatrixXf columns(windows.count(), end - begin);
      for (Index k = begin; k < end; ++k) columns.col(k - begin) = column(first + k);
      const Eigen::MatrixXf products = windows.states.transpose() * columns;
      for (Index k = begin; k < end; ++k) use(first + k, products.col(k - begin));
    });
  }
}

}  // namespace lgn
