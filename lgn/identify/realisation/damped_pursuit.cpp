#include "lgn/identify/realisation/damped_pursuit.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include "lgn/core/decompositions.h"
#include "lgn/core/stop.h"

namespace lgn {
namespace {

constexpr Index most_times = 256, most_samples = 128;
constexpr double longest_window = 256;                     ///< in steps
constexpr double dampings[] = {0.1, 1.0, 3.0, 8.0, 20.0};  ///< times the duration
constexpr std::size_t searched_again = 6;                  ///< oscillations
constexpr int revisions = 2, refinements = 12;
/// Squares of this share of what they are taken from are rounding.
constexpr double indistinct = 1e-9;
constexpr double shrink = 0.6;  ///< of the pattern, from one refinement to the next

struct Turns {
  Eigen::ArrayXd cosines, sines;
};

/// Where a channel has values within the first samples of a run.
std::vector<Index> present_columns(const Trajectory& run, Index channel, double longest) {
  std::vector<Index> found;
  for (Index k = 0; k < std::min(run.samples(), most_samples); ++k)
    if (run.times()[k] - run.times()[0] <= longest &&
        !Trajectory::missing(run.states()(channel, k)))
      found.push_back(k);
  return found;
}

/// Channels by where they have values.
std::map<std::vector<Index>, std::vector<Index>> alike(const Trajectory& run, double longest) {
  std::map<std::vector<Index>, std::vector<Index>> groups;
  for (Index c = 0; c < run.states().rows(); ++c)
    groups[present_columns(run, c, longest)].push_back(c);
  groups.erase(std::vector<Index>());
  return groups;
}

/// Root mean square of each channel, about its mean with `centred`; 1 where that is zero.
Vector channel_sizes(const Dataset& data, bool centred) {
  Vector count = Vector::Zero(data.dimension()), sum = count, squares = count;
  for (const auto& run : data.runs()) {
    const auto present = !run.states().array().isNaN();
    count += present.cast<double>().rowwise().sum().matrix();
    sum += present.select(run.states(), 0).rowwise().sum();
    squares += present.select(run.states(), 0).rowwise().squaredNorm();
  }
  const Eigen::ArrayXd mean =
      centred ? Eigen::ArrayXd(sum.array() / count.array()) : Eigen::ArrayXd::Zero(count.size());
  const Eigen::ArrayXd variance = squares.array() / count.array() - mean.square();
  return (variance > 0).select(variance.sqrt(), 1.0);
}

}  // namespace

DampedPursuit::DampedPursuit(const Dataset& data, double step, bool regular, bool offset)
    : unit_(channel_sizes(data, offset)), offset_(offset) {
  Index seen = 0;
  for (Index r = 0; r < std::ssize(data.runs()) && seen < most_times; ++r) {
    const Trajectory& run = data.runs()[static_cast<std::size_t>(r)];
    for (const auto& [columns, channels] : alike(run, longest_window * step)) {
      const Vector times = run.times()(columns).array() - run.times()[0];
      const Matrix values =
          unit_(channels).cwiseInverse().asDiagonal() * run.states()(channels, columns);
      signals_.push_back({r, channels, times, values.transpose(), {}});
      if (seen >= most_times) continue;
      seen += times.size();
      values_ += values.size();
      duration_ = std::max(duration_, times[times.size() - 1]);
      searched_ = signals_.size();
    }
  }
  if (!(duration_ > 0)) return;
  const double spacing = std::numbers::pi / duration_;
  const double fastest = (regular ? 1 : 2) * std::numbers::pi / step;
  for (const double damping : dampings)
    for (Index k = 0; static_cast<double>(k) * spacing < fastest; ++k)
      grid_.push_back({damping / duration_, static_cast<double>(k) * spacing});
  for (std::size_t i = 0; i < searched_; ++i) signals_[i].grid = waves(signals_[i].times, grid_);
}

DampedPursuit::Waves DampedPursuit::waves(const Vector& times, const Oscillations& all) {
  // Few dampings and frequencies make many waves.
  std::map<double, Eigen::ArrayXd> decays;
  std::map<double, Turns> turns;
  Waves waves;
  waves.cosines.resize(times.size(), std::ssize(all));
  waves.sines.resize(times.size(), std::ssize(all));
  for (Index k = 0; k < std::ssize(all); ++k) {
    const auto [damping, frequency] = all[static_cast<std::size_t>(k)];
    Eigen::ArrayXd& decay = decays[damping];
    if (decay.size() == 0) decay = (-damping * times.array()).exp();
    Turns& turn = turns[frequency];
    if (turn.cosines.size() == 0)
      turn = {(frequency * times.array()).cos(), (frequency * times.array()).sin()};
    waves.cosines.col(k) = decay * turn.cosines;
    waves.sines.col(k) = decay * turn.sines;
  }
  waves.cosine_squares = waves.cosines.colwise().squaredNorm().transpose();
  waves.sine_squares = waves.sines.colwise().squaredNorm().transpose();
  waves.cross_products = waves.cosines.cwiseProduct(waves.sines).colwise().sum().transpose();
  return waves;
}

/// By how much each wave, with the amplitudes and phases that fit best, lessens the squared residual.
Vector DampedPursuit::explained(const Waves& waves, const Rest& rest) {
  const Matrix c = rest.basis.transpose() * waves.cosines, s = rest.basis.transpose() * waves.sines;
  const Matrix a = rest.residual.transpose() * waves.cosines;
  const Matrix b = rest.residual.transpose() * waves.sines;
  Vector gain(a.cols());
  for (Index k = 0; k < gain.size(); ++k) {
    // Products of what the basis leaves of the waves.
    const double cc = waves.cosine_squares[k] - c.col(k).squaredNorm();
    const double ss = waves.sine_squares[k] - s.col(k).squaredNorm();
    const double cs = waves.cross_products[k] - c.col(k).dot(s.col(k));
    const double aa = a.col(k).squaredNorm(), bb = b.col(k).squaredNorm();
    const double ab = a.col(k).dot(b.col(k)), determinant = cc * ss - cs * cs;
    const bool some_cosine = cc > indistinct * waves.cosine_squares[k];
    const bool some_sine = ss > indistinct * waves.sine_squares[k];
    if (some_cosine && some_sine && determinant > indistinct * cc * ss)
      gain[k] = (ss * aa - 2 * cs * ab + cc * bb) / determinant;
    else
      gain[k] = std::max(some_cosine ? aa / cc : 0, some_sine ? bb / ss : 0);
  }
  return gain;
}

Matrix DampedPursuit::columns(const Signal& signal, const Oscillations& all) const {
  const Waves parts = waves(signal.times, all);
  Matrix columns(signal.times.size(), 2 * std::ssize(all) + 1);
  Index used = 0;
  for (Index k = 0; k < std::ssize(all); ++k) {
    columns.col(used++) = parts.cosines.col(k);
    if (all[static_cast<std::size_t>(k)].frequency > 0) columns.col(used++) = parts.sines.col(k);
  }
  if (offset_) columns.col(used++).setOnes();
  return columns.leftCols(used);
}

std::vector<DampedPursuit::Rest> DampedPursuit::rest(const Oscillations& others) const {
  std::vector<Rest> all;
  for (std::size_t i = 0; i < searched_; ++i) {
    const Signal& signal = signals_[i];
    const Matrix known = columns(signal, others);
    if (known.cols() == 0) {
      all.push_back({Matrix(known.rows(), 0), signal.values});
      continue;
    }
    const Matrix basis = completed_basis(known).leftCols(std::min(known.rows(), known.cols()));
    all.push_back({basis, signal.values - basis * (basis.transpose() * signal.values)});
  }
  return all;
}

Vector DampedPursuit::explained(const Oscillations& all, const std::vector<Rest>& rest) const {
  Vector sum = Vector::Zero(std::ssize(all));
  for (std::size_t i = 0; i < searched_; ++i)
    sum += explained(waves(signals_[i].times, all), rest[i]);
  return sum;
}

DampedPursuit::Oscillation DampedPursuit::search_grid(const std::vector<Rest>& rest,
                                                      Kind kind) const {
  Vector gain = Vector::Zero(std::ssize(grid_));
  for (std::size_t i = 0; i < searched_; ++i) {
    stop_point(0.2 * static_cast<double>(signals_[i].grid.cosines.size()) *
               static_cast<double>(rest[i].basis.cols() + rest[i].residual.cols()));
    gain += explained(signals_[i].grid, rest[i]);
  }
  if (kind != Kind::any)
    for (Index k = 0; k < gain.size(); ++k)
      if ((grid_[static_cast<std::size_t>(k)].frequency > 0) != (kind == Kind::oscillation))
        gain[k] = -1;
  Index best = 0;
  gain.maxCoeff(&best);
  return grid_[static_cast<std::size_t>(best)];
}

/// The best point of a pattern of nine about the last, which shrinks.
DampedPursuit::Oscillation DampedPursuit::refine(Oscillation start,
                                                 const std::vector<Rest>& rest) const {
  double turn = 0.5 * std::numbers::pi / duration_, factor = 0.5;
  for (int i = 0; i < refinements; ++i, turn *= shrink, factor *= shrink) {
    Oscillations pattern{start};
    for (const double side : {-1.0, 0.0, 1.0})
      for (const double above : {-1.0, 0.0, 1.0}) {
        if (side != 0 && start.frequency == 0) continue;
        const double frequency = std::abs(start.frequency + side * turn);
        if (start.frequency > 0 && !(frequency > 0)) continue;
        pattern.push_back({start.damping * std::exp(above * factor), frequency});
      }
    stop_point(50.0 * static_cast<double>(values_ * std::ssize(pattern)));
    Index best = 0;
    explained(pattern, rest).maxCoeff(&best);
    start = pattern[static_cast<std::size_t>(best)];
  }
  return start;
}

/// Estimates one again, with the others projected out.
void DampedPursuit::revise(Oscillations& all, std::size_t which) const {
  Oscillations others = all;
  others.erase(others.begin() + static_cast<std::ptrdiff_t>(which));
  const auto left = rest(others);
  Oscillation start = all[which];
  if (all.size() <= searched_again) {
    const Kind kind = start.frequency > 0 ? Kind::oscillation : Kind::decay;
    const Oscillation elsewhere = search_grid(left, kind);
    const Vector gain = explained({start, elsewhere}, left);
    if (gain[1] > gain[0]) start = elsewhere;
  }
  all[which] = refine(start, left);
}

/// That of the run in which it is strongest.
ComplexVector DampedPursuit::shape(const Oscillations& all, std::size_t which) const {
  Index first = 0;
  for (std::size_t k = 0; k < which; ++k) first += all[k].poles();
  ComplexMatrix amplitudes = ComplexMatrix::Zero(unit_.size(), signals_.back().run + 1);
  for (const auto& signal : signals_) {
    const Matrix a = solve_minimum_norm(columns(signal, all), signal.values);
    for (Index i = 0; i < a.cols(); ++i) {
      const double sine = all[which].frequency > 0 ? a(first + 1, i) : 0;
      amplitudes(signal.channels[static_cast<std::size_t>(i)], signal.run) =
          Complex(a(first, i), -sine);
    }
  }
  Index strongest = 0;
  amplitudes.colwise().squaredNorm().maxCoeff(&strongest);
  const double norm = amplitudes.col(strongest).norm();
  return unit_.asDiagonal() * amplitudes.col(strongest) / (norm > 0 ? norm : 1);
}

void DampedPursuit::add_one(Oscillations& all, Kind kind) const {
  const auto left = rest(all);
  all.push_back(refine(search_grid(left, kind), left));
  for (int i = 0; i < revisions && all.size() > 1; ++i)
    for (std::size_t k = 0; k < all.size(); ++k) revise(all, k);
}

std::optional<std::vector<ShapedPole>> DampedPursuit::modes(Index order) const {
  if (grid_.empty() || values_ < 2 * order) return std::nullopt;
  // The way to more poles leads past these.
  auto last = std::prev(way_.upper_bound(order));
  while (order - last->first > 1) {
    Oscillations next = last->second;
    add_one(next, Kind::any);
    const Index poles = last->first + next.back().poles();
    last = way_.emplace(poles, std::move(next)).first;
  }
  Oscillations all = last->second;
  if (last->first < order) add_one(all, Kind::decay);
  std::vector<ShapedPole> modes;
  for (std::size_t k = 0; k < all.size(); ++k)
    modes.push_back({Complex(-all[k].damping, all[k].frequency), shape(all, k)});
  return modes;
}

}  // namespace lgn
