#include "lgn/flow/magnus_grid.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "lgn/core/error.h"
#include "lgn/core/stop.h"
#include "lgn/flow/exponential.h"
#include "lgn/flow/magnus_kernel_internal.h"

namespace lgn {
namespace {

/// Steps through intervals of time, and what they do.
class Stepper {
 public:
  Stepper(const Structure& structure, const Vector& theta)
      : structure_(structure), theta_(theta), kernel_(structure.dimension()) {
    // Where energy is conserved every exponent is in the algebra, and so every step keeps it.
    const Guarantee promise = structure.guarantee();
    if (!promise.dissipative || promise.conservative) return;
    root_ = structure.energy(theta).value().llt().matrixU();  // Q = UᵀU
  }

  bool promises_decay() const { return root_.size() > 0; }

  /// What a step does, and the size of its exponents, to which its rounding is proportional.
  struct Map {
    Matrix map;
    double size = 0;
  };

  /// The maps of `count` equal steps.
  std::vector<Map> maps(const MagnusScheme& scheme, double begin, double length, Index count) {
    const Index n = structure_.dimension(), nodes = static_cast<Index>(scheme.nodes.size());
    const double h = length / static_cast<double>(count);
    Vector times(nodes * count);
    for (Index s = 0; s < count; ++s)
      for (Index i = 0; i < nodes; ++i)
        times[s * nodes + i] =
            begin + h * (static_cast<double>(s) + scheme.nodes[static_cast<std::size_t>(i)]);
    const auto sampled = structure_.sample(times);
    const auto course = sampled->course(theta_);
    std::vector<Map> result;
    for (Index s = 0; s < count; ++s) {
      stop_point(step_work_);
      kernel_.exponents(scheme, h, course->generators().middleCols(s * nodes * n, nodes * n),
                        omega_);
      Map& step = result.emplace_back(Map{Matrix::Identity(n, n)});
      for (const Matrix& omega : omega_) {
        if (!omega.allFinite()) throw Error("the generator is not finite");
        step.map = exponential(omega) * step.map;
        step.size += norm1(omega);
      }
    }
    return result;
  }

  /// The map of all steps together.
  Matrix product(const MagnusScheme& scheme, double begin, double length, Index count) {
    Matrix result = Matrix::Identity(structure_.dimension(), structure_.dimension());
    for (const Map& step : maps(scheme, begin, length, count)) result = step.map * result;
    return result;
  }

  /// Whether the energy of no state grows in the step by more than rounding: ‖UΦU⁻¹‖₂ ≤ 1.
  bool decays(const Map& step) const {
    const double rounding = 8 * static_cast<double>(structure_.dimension()) *
                            std::numeric_limits<double>::epsilon() * std::max(1.0, step.size);
    const Matrix moved = root_.triangularView<Eigen::Upper>().solve<Eigen::OnTheRight>(
        root_.triangularView<Eigen::Upper>() * step.map);
    const Matrix gram = moved.transpose() * moved;
    return Eigen::SelfAdjointEigenSolver<Matrix>(gram, Eigen::EigenvaluesOnly)
               .eigenvalues()
               .maxCoeff() <= 1 + rounding;
  }

 private:
  const Structure& structure_;
  const Vector& theta_;
  const double step_work_ = magnus_step_work(structure_.dimension());
  MagnusKernel<Eigen::Dynamic> kernel_;
  Matrix root_;
  std::vector<Matrix> omega_;
};

double relative_difference(const Matrix& a, const Matrix& b) {
  return a == b ? 0 : (a - b).norm() / b.norm();
}

/// Steps at which more than twice as many change less than the tolerance.
Index find_substeps(Stepper& stepper, const MagnusScheme& scheme, double begin, double length,
                    const MagnusOptions& options) {
  constexpr double safety = 1.1;
  bool missed = false;
  Index count = 1;
  Matrix coarse = stepper.product(scheme, begin, length, count);
  while (count < options.most_substeps) {
    const Matrix fine = stepper.product(scheme, begin, length, 2 * count + 1);
    // The finer one is more exact by 2^order, so that nearly all of the difference is the coarse
    // one's. Its steps begin elsewhere: a corner of A(t) between the last node and the end of a step
    // would stay there under halving.
    double error = relative_difference(coarse, fine);
    // Where there is a corner, two maps may still agree by chance; not three.
    if (missed && error <= options.tolerance)
      error = relative_difference(fine, stepper.product(scheme, begin, length, 4 * count + 3));
    if (error <= options.tolerance) return count;
    missed = true;
    // Commutators of long steps may overflow, and then nothing is known but that more are needed.
    const double factor = std::isfinite(error)
                              ? safety * std::pow(error / options.tolerance, 1.0 / scheme.order)
                              : 2.0;
    const double next = std::ceil(static_cast<double>(count) * std::max(2.0, factor));
    count = static_cast<Index>(std::min(next, static_cast<double>(options.most_substeps)));
    coarse = stepper.product(scheme, begin, length, count);
  }
  return options.most_substeps;
}

/// Builds the steps of one interval so that none lets the energy grow.
class DecayingSteps {
 public:
  DecayingSteps(Stepper& stepper, const MagnusScheme& wanted, const MagnusOptions& options)
      : stepper_(stepper), wanted_(wanted), tolerance_(options.tolerance) {}

  void build(double begin, double length, Index count, Index most, std::vector<MagnusStep>& steps) {
    spare_ = most - count;
    const double h = length / static_cast<double>(count);
    const auto maps = stepper_.maps(wanted_, begin, length, count);
    for (Index s = 0; s < count; ++s)
      add(begin + h * static_cast<double>(s), h, maps[static_cast<std::size_t>(s)], steps);
  }

 private:
  /// The step as wanted, else without commutators, else in two halves, else by the midpoint rule.
  void add(double begin, double h, const Stepper::Map& map, std::vector<MagnusStep>& steps) {
    if (stepper_.decays(map)) return steps.push_back({begin, h, &wanted_});
    const auto free = stepper_.maps(free_, begin, h, 1).front();
    const bool decays = stepper_.decays(free);
    if (decays && (relative_difference(free.map, map.map) <= tolerance_ || spare_ < 1))
      return steps.push_back({begin, h, &free_});
    if (spare_ < 1) return steps.push_back({begin, h, &midpoint_});
    --spare_;
    const auto halves = stepper_.maps(wanted_, begin, h, 2);
    add(begin, h / 2, halves[0], steps);
    add(begin + h / 2, h / 2, halves[1], steps);
  }

  Stepper& stepper_;
  const MagnusScheme& wanted_;
  const MagnusScheme& free_ = find_magnus_scheme("4-commutator-free");
  const MagnusScheme& midpoint_ = find_magnus_scheme("2");
  double tolerance_;
  Index spare_ = 0;  ///< steps that may still be added
};

Vector as_vector(const std::vector<double>& values) {
  return Eigen::Map<const Vector>(values.data(), static_cast<Index>(values.size()));
}

/// The largest ‖A(t; θ)‖₁ that is seen from begin to end.
double largest_rate(const Structure& structure, const Vector& theta, double begin, double end) {
  constexpr Index samples = 64;
  const Index n = structure.dimension();
  const auto sampled = structure.sample(Vector::LinSpaced(samples, begin, end));
  const auto course = sampled->course(theta);
  double rate = 0;
  for (Index k = 0; k < samples; ++k)
    rate = std::max(rate, norm1(course->generators().middleCols(k * n, n)));
  return rate;
}

struct Piece {
  double begin, length;
};

/// Even windows of [begin, end], all of it where it is short, cut where A(t; θ) is not smooth.
std::vector<Piece> smooth_pieces(const Structure& structure, const Vector& theta, double begin,
                                 double end) {
  constexpr double radians = 4, most_windows = 64;
  constexpr Index looks = 33;
  const double rate = largest_rate(structure, theta, begin, end), span = end - begin;
  if (!std::isfinite(rate)) throw Error("the generator is not finite");
  const double length = std::min(span, rate > 0 ? radians / rate : span);
  const double windows = std::min(std::ceil(span / length), most_windows);
  std::vector<Piece> pieces;
  for (double k = 0; k < windows; ++k) {
    double first = windows > 1 ? begin + (span - length) * k / (windows - 1) : begin;
    auto edges = structure.corners(theta, Vector::LinSpaced(looks, first, first + length));
    std::sort(edges.begin(), edges.end());
    edges.push_back(first + length);
    for (const double edge : edges) {
      if (edge > first) pieces.push_back({first, edge - first});
      first = edge;
    }
  }
  return pieces;
}

/// A step that holds the tolerance in all pieces; it has few digits, for people to read.
double longest_step(Stepper& stepper, const MagnusScheme& scheme, const std::vector<Piece>& pieces,
                    const MagnusOptions& options) {
  double longest = 0, shortest = std::numeric_limits<double>::infinity();
  for (const Piece& piece : pieces) {
    longest = std::max(longest, piece.length);
    const Index count = find_substeps(stepper, scheme, piece.begin, piece.length, options);
    if (count > 1) shortest = std::min(shortest, piece.length / static_cast<double>(count));
  }
  return std::stod(fmt::format("{:.3g}", 0.995 * std::min(longest, shortest)));
}

}  // namespace

void MagnusGrid::add(double next, const MagnusScheme& scheme, Index count) {
  const double begin = times[static_cast<Index>(first.size()) - 1];
  const double h = (next - begin) / static_cast<double>(count);
  for (Index s = 0; s < count; ++s)
    steps.push_back({begin + h * static_cast<double>(s), h, &scheme});
  first.push_back(steps.size());
}

MagnusGrid even_grid(const Vector& times, const MagnusScheme& scheme, Index substeps) {
  MagnusGrid grid{times, {}, {0}};
  for (Index k = 1; k < times.size(); ++k) grid.add(times[k], scheme, substeps);
  return grid;
}

RefinedTimes refine_times(const Structure& structure, const Vector& theta, const Vector& times,
                          double longest) {
  constexpr double radians = 32, most_pieces = 1e6;
  const Index last = times.size() - 1;
  const double rate =
      longest > 0 ? 0 : largest_rate(structure, theta, times[0], times[last]) / radians;
  std::vector<double> refined{times[0]};
  for (Index k = 1; k <= last; ++k) {
    const double length = times[k] - times[k - 1];
    const double wanted = std::ceil(longest > 0 ? length / longest : length * rate);
    const auto pieces = wanted > 1 ? static_cast<Index>(std::min(wanted, most_pieces)) : Index{1};
    for (Index i = 1; i < pieces; ++i)
      refined.push_back(times[k - 1] +
                        length * static_cast<double>(i) / static_cast<double>(pieces));
    refined.push_back(times[k]);
  }
  if (longest > 0) {
    const auto corners = structure.corners(theta, as_vector(refined));
    refined.insert(refined.end(), corners.begin(), corners.end());
    std::sort(refined.begin(), refined.end());
    refined.erase(std::unique(refined.begin(), refined.end()), refined.end());
  }
  RefinedTimes result{as_vector(refined), {}};
  for (Index k = 0, at = 0; k <= last; ++k) {
    while (result.times[at] < times[k]) ++at;
    result.kept.push_back(at);
  }
  return result;
}

MagnusOptions steady_steps(const Structure& structure, const Vector& theta, double begin,
                           double end, const MagnusOptions& options) {
  const auto pieces = smooth_pieces(structure, theta, begin, end);
  Stepper stepper(structure, theta);
  MagnusOptions result = options;
  const auto decays = [&] {
    const MagnusScheme& scheme = find_magnus_scheme(result.method);
    return !stepper.promises_decay() ||
           std::all_of(pieces.begin(), pieces.end(), [&](const Piece& piece) {
             const double count = std::ceil(piece.length / result.longest);
             const auto maps =
                 stepper.maps(scheme, piece.begin, piece.length, static_cast<Index>(count));
             return std::all_of(maps.begin(), maps.end(),
                                [&](const auto& map) { return stepper.decays(map); });
           });
  };
  constexpr int most_halvings = 3;
  for (const std::string_view method : {options.method, std::string_view("4-commutator-free")}) {
    result.method = method;
    result.longest = longest_step(stepper, find_magnus_scheme(method), pieces, options);
    for (int halving = 0; halving <= most_halvings; ++halving, result.longest /= 2)
      if (decays()) return result;
  }
  result.method = options.method;
  result.longest = longest_step(stepper, find_magnus_scheme(options.method), pieces, options);
  return result;
}

MagnusGrid plan_grid(const Structure& structure, const Vector& theta, const Vector& times,
                     const MagnusOptions& options) {
  const MagnusScheme& wanted = find_magnus_scheme(options.method);
  Stepper stepper(structure, theta);
  DecayingSteps decaying(stepper, wanted, options);
  MagnusGrid grid{times, {}, {0}};
  for (Index k = 1; k < times.size(); ++k) {
    const double begin = times[k - 1], length = times[k] - begin;
    // Times that were refined may be a rounding further apart than the longest step.
    const double least = options.longest > 0 ? (1 - 1e-9) * length / options.longest : 0;
    const Index count = least > 0 ? static_cast<Index>(std::ceil(least))
                                  : find_substeps(stepper, wanted, begin, length, options);
    if (!stepper.promises_decay()) {
      grid.add(times[k], wanted, count);
      continue;
    }
    decaying.build(begin, length, count, options.most_substeps, grid.steps);
    grid.first.push_back(grid.steps.size());
  }
  return grid;
}

}  // namespace lgn
