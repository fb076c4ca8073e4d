#include "lgn/identify/sparse/state_windows.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "lgn/core/constants_internal.h"
#include "lgn/core/error.h"
#include "lgn/core/random.h"
#include "lgn/core/setting.h"
#include "lgn/data/scales.h"
#include "lgn/identify/regression/weak_form.h"
#include "lgn/identify/wiring/pursuit.h"

namespace lgn {
namespace {

/// Rows of a matrix as columns of length one.
Eigen::MatrixXf unit_columns(const Matrix& rows, Vector& sizes) {
  sizes = rows.rowwise().norm().cwiseMax(1e-300);
  return (sizes.cwiseInverse().asDiagonal() * rows).cast<float>().transpose();
}

}  // namespace

StateWindows windows_of(const Dataset& data, double width) {
  constexpr int order = 7;
  constexpr double fewest = 20;
  StateWindows windows;
  {
    const Regression regression = weak_form(data, width, order);
    const double spacing = std::max(width / 8, median_step(data));
    windows.independent =
        static_cast<double>(regression.states.cols()) * std::min(1.0, 4 * spacing / width);
    if (windows.independent < fewest)
      throw NotIdentified(
          "too few windows of samples to decide what couples",
          "measure longer or in more runs, or give the topology: " + setting("edges"));
    windows.states = unit_columns(regression.states, windows.state_sizes);
    windows.derivatives = unit_columns(regression.derivatives, windows.derivative_sizes);
  }
  // White noise at the same times tells what is left of noise.
  Random random(1);
  std::vector<Trajectory> runs;
  for (const auto& run : data.runs())
    runs.emplace_back(run.label(), run.times(),
                      Matrix::NullaryExpr(1, run.samples(), [&] { return random.normal(); }));
  const Regression noise = weak_form(Dataset({"noise"}, std::move(runs)), width, order);
  windows.noise_in_states = noise.states.cwiseAbs2().mean();
  windows.noise_in_derivatives = noise.derivatives.cwiseAbs2().mean();
  return windows;
}

StateWindows::Sums StateWindows::sums(Index row, const std::vector<Index>& some) const {
  Matrix x(count(), std::ssize(some));
  for (std::size_t k = 0; k < some.size(); ++k)
    x.col(static_cast<Index>(k)) = states.col(some[k]).cast<double>();
  Sums result;
  result.gram.noalias() = x.transpose() * x;
  result.products.noalias() = x.transpose() * derivatives.col(row).cast<double>();
  return result;
}

StateWindows::Solution StateWindows::solve(Index row, const std::vector<Index>& some) const {
  const Sums all = sums(row, some);
  std::vector<Index> every(some.size());
  std::iota(every.begin(), every.end(), Index{0});
  const RowSums view{all.gram, all.products};
  Solution result{view.solve(every)};
  result.unexplained = view.unexplained(every, result.coefficients);
  return result;
}

double RowChoice::coefficient(Index state) const {
  const auto found = std::lower_bound(chosen.begin(), chosen.end(), state);
  return found != chosen.end() && *found == state ? coefficients[found - chosen.begin()] : 0.0;
}

std::vector<Index> largest(const Eigen::Ref<const Eigen::VectorXf>& values, Index many) {
  std::vector<Index> order(at(values.size()));
  std::iota(order.begin(), order.end(), Index{0});
  many = std::min(many, values.size());
  std::nth_element(order.begin(), order.begin() + (many - 1), order.end(), [&](Index a, Index b) {
    const float x = std::abs(values[a]), y = std::abs(values[b]);
    return x > y || (x == y && a < b);
  });
  order.resize(at(many));
  return order;
}

}  // namespace lgn
