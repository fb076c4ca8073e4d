#include "lgn/identify/regression/weak_form.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <deque>
#include <functional>
#include <map>
#include <vector>

#include "lgn/core/decompositions.h"
#include "lgn/core/error.h"
#include "lgn/core/stop.h"
#include "lgn/data/scales.h"

namespace lgn {
namespace {

constexpr std::size_t points = 8;
constexpr int largest_order = 7;
/// Gauss and Legendre's points on [−1, 1], exact up to degree 15: ψ has degree 8, the polynomial at
/// most 7.
constexpr std::array<double, points> gauss_point{-0.96028985649753623168, -0.79666647741362673959,
                                                 -0.52553240991632898582, -0.18343464249564980494,
                                                 0.18343464249564980494,  0.52553240991632898582,
                                                 0.79666647741362673959,  0.96028985649753623168};
constexpr std::array<double, points> gauss_weight{
    0.10122853629037625915, 0.22238103445337447054, 0.31370664587788728734, 0.36268378337836198297,
    0.36268378337836198297, 0.31370664587788728734, 0.22238103445337447054, 0.10122853629037625915};
/// ∫ (1 − s²)⁴ ds over [−1, 1].
constexpr double bump_mass = 256.0 / 315.0;

/// A stretch between two samples: Gauss points, and there the polynomials that are 1 at one sample
/// of the stencil and 0 at the others, times the points' weights.
struct Piece {
  std::array<double, points> time;
  std::array<std::array<double, largest_order + 1>, points> basis;
};

/// Weights of ∫ψx and −∫ψ̇x, or ∫ψ̈x, on the samples of one channel, for windows from left to right.
class WindowWeights {
 public:
  WindowWeights(std::vector<double> times, int order, int derivative)
      : times_(std::move(times)), order_(order), derivative_(derivative) {}

  double begin() const { return times_.front(); }
  double end() const { return times_.back(); }

  /// Moves to a window that starts no earlier than the last one; false where the samples are too
  /// far apart or too few.
  bool move_to(double centre, double radius);
  /// First sample with a weight.
  Index first() const { return first_; }
  /// One row per sample from `first`: its weight in ∫ψx, and in −∫ψ̇x or ∫ψ̈x, divided by ∫ψ.
  const Matrix& weights() const { return weights_; }

 private:
  Index samples() const { return static_cast<Index>(times_.size()); }
  double time(Index k) const { return times_[static_cast<std::size_t>(k)]; }
  /// First of the order + 1 samples around the stretch after sample j.
  Index stencil(Index j) const {
    return std::clamp<Index>(j - (order_ - 1) / 2, 0, samples() - order_ - 1);
  }
  Piece make_piece(Index j, double begin, double end) const;
  const Piece& whole_piece(Index j);
  void add(const Piece& piece, Index j, double centre, double radius);

  std::vector<double> times_;
  int order_, derivative_;
  Index first_ = 0;
  Matrix weights_;
  Index low_ = 0;             ///< the stretch in which the window begins
  std::deque<Piece> pieces_;  ///< of the stretches from low_ on: windows share them
};

Piece WindowWeights::make_piece(Index j, double begin, double end) const {
  const Index first = stencil(j);
  std::array<double, largest_order + 1> scale{}, before{}, after{};
  for (Index i = 0; i <= order_; ++i) {
    double product = 1;
    for (Index l = 0; l <= order_; ++l)
      if (l != i) product *= time(first + i) - time(first + l);
    scale[static_cast<std::size_t>(i)] = 1 / product;
  }
  Piece piece{};
  const double half = 0.5 * (end - begin);
  const auto degree = static_cast<std::size_t>(order_);
  for (std::size_t g = 0; g < points; ++g) {
    const double t = begin + half * (1 + gauss_point[g]);
    piece.time[g] = t;
    const auto offset = [&](std::size_t i) { return t - time(first + static_cast<Index>(i)); };
    before[0] = gauss_weight[g] * half;
    after[degree] = 1;
    for (std::size_t i = 0; i < degree; ++i) {
      before[i + 1] = before[i] * offset(i);
      after[degree - i - 1] = after[degree - i] * offset(degree - i);
    }
    for (std::size_t i = 0; i <= degree; ++i) piece.basis[g][i] = scale[i] * before[i] * after[i];
  }
  return piece;
}

const Piece& WindowWeights::whole_piece(Index j) {
  while (low_ + static_cast<Index>(pieces_.size()) <= j) {
    const Index next = low_ + static_cast<Index>(pieces_.size());
    pieces_.push_back(make_piece(next, time(next), time(next + 1)));
  }
  return pieces_[static_cast<std::size_t>(j - low_)];
}

void WindowWeights::add(const Piece& piece, Index j, double centre, double radius) {
  double* mean = weights_.col(0).data() + (stencil(j) - first_);
  double* slope = weights_.col(1).data() + (stencil(j) - first_);
  for (std::size_t g = 0; g < points; ++g) {
    const double s = (piece.time[g] - centre) / radius, u = 1 - s * s;
    const double square = u * u / (bump_mass * radius), psi = u * u * square;
    const double by_parts = derivative_ == 1 ? 8 * s * u * square / radius
                                             : 8 * (7 * s * s - 1) * square / (radius * radius);
    for (Index i = 0; i <= order_; ++i) {
      mean[i] += psi * piece.basis[g][static_cast<std::size_t>(i)];
      slope[i] += by_parts * piece.basis[g][static_cast<std::size_t>(i)];
    }
  }
}

bool WindowWeights::move_to(double centre, double radius) {
  const double begin = centre - radius, end = centre + radius;
  for (; low_ + 2 < samples() && time(low_ + 1) <= begin; ++low_)
    if (!pieces_.empty()) pieces_.pop_front();
  Index high = low_;  // the stretch in which the window ends
  double gap = time(low_ + 1) - time(low_);
  for (; high + 2 < samples() && time(high + 1) < end; ++high)
    gap = std::max(gap, time(high + 2) - time(high + 1));
  if (gap > 2 * radius / 3 || high - low_ < 3) return false;
  first_ = stencil(low_);
  weights_.setZero(stencil(high) + order_ + 1 - first_, 2);
  add(make_piece(low_, begin, time(low_ + 1)), low_, centre, radius);
  for (Index j = low_ + 1; j < high; ++j) add(whole_piece(j), j, centre, radius);
  add(make_piece(high, time(high), end), high, centre, radius);
  return true;
}

/// Channels of a run whose samples are present at the same times.
struct ChannelGroup {
  std::vector<Index> channels;
  Matrix values;  ///< one row per channel, present samples only, and perhaps rows of zeros
  WindowWeights weights;
};

/// Products round by their size where they are small: a group is padded with zeros to the size that it has in the whole, or one from which on
/// they do not.
constexpr Index alike_from = 32;

/// Nothing where some channel has too few samples.
std::vector<ChannelGroup> group_channels(const Trajectory& run, int order, int derivative,
                                         const Partition& partition) {
  std::map<std::vector<bool>, std::vector<Index>> by_mask;
  for (Index c = 0; c < run.states().rows(); ++c) {
    std::vector<bool> present;
    for (Index k = 0; k < run.samples(); ++k)
      present.push_back(!Trajectory::missing(run.states()(c, k)));
    by_mask[std::move(present)].push_back(c);
  }
  std::vector<std::size_t> keys;
  std::vector<Index> counts;
  for (const auto& [present, channels] : by_mask) {
    keys.push_back(std::hash<std::vector<bool>>()(present));
    counts.push_back(static_cast<Index>(channels.size()));
  }
  counts = partition.totals(keys, counts);
  std::vector<ChannelGroup> groups;
  auto whole = counts.begin();
  for (auto& [present, channels] : by_mask) {
    std::vector<double> times;
    const Index rows =
        std::max(static_cast<Index>(channels.size()), std::min(*whole++, alike_from));
    Matrix values = Matrix::Zero(rows, run.samples());
    for (Index k = 0; k < run.samples(); ++k) {
      if (!present[static_cast<std::size_t>(k)]) continue;
      for (std::size_t i = 0; i < channels.size(); ++i)
        values(static_cast<Index>(i), static_cast<Index>(times.size())) =
            run.states()(channels[i], k);
      times.push_back(run.times()[k]);
    }
    if (times.size() < static_cast<std::size_t>(order) + 1) return {};
    groups.push_back(
        {std::move(channels), std::move(values), {std::move(times), order, derivative}});
  }
  return groups;
}

/// Centres of the windows within the samples of every channel.
Vector window_centres(const std::vector<ChannelGroup>& groups, double width, double spacing,
                      const Partition& partition) {
  if (partition.largest(groups.empty() ? 1 : 0) > 0) return {};
  double begin = groups.front().weights.begin(), end = groups.front().weights.end();
  for (const auto& group : groups) {
    begin = std::max(begin, group.weights.begin());
    end = std::min(end, group.weights.end());
  }
  begin = partition.largest(begin);
  end = -partition.largest(-end);
  // A window as long as the run counts, whichever way its length was rounded.
  const double room = (end - begin - width) / spacing + 1e-9;
  if (room < 0) return {};
  const double last = std::floor(room);
  return begin + 0.5 * width +
         spacing * Vector::LinSpaced(static_cast<Index>(last) + 1, 0, last).array();
}

/// A window and the run that it is in.
struct Window {
  std::size_t run;
  double centre;
};

/// ∫ψu/∫ψ of every input over a window, u straight on pieces.
Vector input_means(const InputCourse& course, double centre, double radius) {
  Vector result = Vector::Zero(course.inputs());
  const Vector& edges = course.edges;
  const auto after = std::upper_bound(edges.begin(), edges.end(), centre - radius);
  for (Index k = std::max<Index>(after - edges.begin() - 1, 0);
       k + 1 < edges.size() && edges[k] < centre + radius; ++k) {
    const double begin = std::max(edges[k], centre - radius),
                 end = std::min(edges[k + 1], centre + radius), half = 0.5 * (end - begin);
    for (std::size_t g = 0; g < points && half > 0; ++g) {
      const double t = begin + half * (1 + gauss_point[g]), s = (t - centre) / radius;
      const double weight = gauss_weight[g] * half * std::pow(1 - s * s, 4) / (bump_mass * radius);
      const double part = (t - edges[k]) / (edges[k + 1] - edges[k]);
      result += weight * ((1 - part) * course.begin.col(k) + part * course.end.col(k));
    }
  }
  return result;
}

Regression weak_form_in(const Dataset& data, double width, int order, int derivative,
                        const Partition& partition, std::vector<Window>& windows) {
  if (order % 2 != 1 || order < 1 || order > largest_order)
    throw Error(fmt::format("a weak form of order {}", order), "orders are 1, 3, 5 and 7");
  if (!(width > 0)) throw Error(fmt::format("a window of width {}", width));
  const double spacing = std::max(width / 8, median_step(data));
  std::vector<double> states, derivatives;
  Matrix column(data.dimension(), 2);
  for (std::size_t r = 0; r < data.runs().size(); ++r) {
    const auto& run = data.runs()[r];
    auto groups = group_channels(run, order, derivative, partition);
    for (const double centre : window_centres(groups, width, spacing, partition)) {
      partition.stop_point(static_cast<double>(data.dimension()) * 500 + 2000);
      const auto fits = [&](ChannelGroup& g) { return g.weights.move_to(centre, width / 2); };
      const bool all_fit = std::all_of(groups.begin(), groups.end(), fits);
      if (partition.largest(all_fit ? 0 : 1) > 0) continue;
      for (const auto& group : groups) {
        const Matrix& weights = group.weights.weights();
        const Matrix integrals =
            group.values.middleCols(group.weights.first(), weights.rows()) * weights;
        for (std::size_t i = 0; i < group.channels.size(); ++i)
          column.row(group.channels[i]) = integrals.row(static_cast<Index>(i));
      }
      windows.push_back({r, centre});
      states.insert(states.end(), column.col(0).begin(), column.col(0).end());
      derivatives.insert(derivatives.end(), column.col(1).begin(), column.col(1).end());
    }
  }
  const auto matrix = [&](const std::vector<double>& values) {
    return Matrix(Eigen::Map<const Matrix>(values.data(), data.dimension(),
                                           static_cast<Index>(values.size()) / data.dimension()));
  };
  return {matrix(states), matrix(derivatives)};
}

}  // namespace

Regression weak_form(const Dataset& data, double width, int order, int derivative,
                     const Partition& partition) {
  std::vector<Window> windows;
  return weak_form_in(data, width, order, derivative, partition, windows);
}

DrivenWindows weak_form_and_inputs(const Dataset& data, double width, int order, int derivative,
                                   const InputTiming& timing) {
  std::vector<Window> windows;
  DrivenWindows result;
  result.free = weak_form_in(data, width, order, derivative, *one_part(), windows);
  std::vector<InputCourse> courses;
  for (const auto& run : data.runs())
    courses.push_back(input_course(run.times(), run.inputs(), timing));
  result.inputs.resize(static_cast<Index>(data.inputs().size()),
                       static_cast<Index>(windows.size()));
  for (std::size_t k = 0; k < windows.size(); ++k)
    result.inputs.col(static_cast<Index>(k)) =
        input_means(courses[windows[k].run], windows[k].centre, width / 2);
  return result;
}

Regression driven_weak_form(const Dataset& data, double width, int order,
                            const InputTiming& timing) {
  auto [result, inputs] = weak_form_and_inputs(data, width, order, 1, timing);
  Matrix means = Matrix::Ones(inputs.cols(), inputs.rows() + 1);
  means.leftCols(inputs.rows()) = inputs.transpose();
  if (means.rows() <= means.cols())
    return {Matrix(data.dimension(), 0), Matrix(data.dimension(), 0)};
  for (Matrix* rows : {&result.states, &result.derivatives})
    *rows -= (means * solve_minimum_norm(means, rows->transpose())).transpose();
  return result;
}

}  // namespace lgn
