#include "lgn/identify/realisation/realisation.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "lgn/core/decompositions.h"
#include "lgn/core/stop.h"
#include "lgn/identify/realisation/hankel_factor.h"
#include "lgn/identify/realisation/uniform_runs.h"

namespace lgn {
namespace {

constexpr Index most_rows = 256;     ///< of H, where channels are few
constexpr Index most_channels = 64;  ///< per lag; the strongest combinations where there are more
constexpr Index fewest_samples = 48, fewest_samples_of_many = 1024;  ///< in a part of a run
/// A decay by this share over the longest run is none that data show.
constexpr double least_decay = 0.01;

/// The length that half of all samples are in runs of, or longer ones.
Index typical_length(const std::vector<Matrix>& runs) {
  std::vector<Index> lengths;
  Index all = 0;
  for (const auto& run : runs) {
    lengths.push_back(run.cols());
    all += run.cols();
  }
  std::sort(lengths.begin(), lengths.end(), std::greater<>());
  Index sum = 0;
  for (const Index length : lengths)
    if ((sum += length) * 2 >= all) return length;
  return 0;
}

std::vector<Matrix> beginnings(const std::vector<Matrix>& runs, Index samples) {
  std::vector<Matrix> parts;
  for (const auto& run : runs) parts.push_back(run.leftCols(std::min(samples, run.cols())));
  return parts;
}

Vector channel_means(const std::vector<Matrix>& runs) {
  Vector sum = Vector::Zero(runs.front().rows());
  double samples = 0;
  for (const auto& run : runs) {
    sum += run.rowwise().sum();
    samples += static_cast<double>(run.cols());
  }
  return sum / samples;
}

/// Σ y yᵀ over all samples.
Matrix channel_products(const std::vector<Matrix>& runs) {
  Matrix sum = Matrix::Zero(runs.front().rows(), runs.front().rows());
  for (const auto& run : runs) sum += run * run.transpose();
  return sum;
}

}  // namespace

HankelRealisation::HankelRealisation(const Dataset& data, bool offset) {
  UniformRuns uniform = uniform_runs(data);
  step_ = uniform.step;
  if (!uniform.exact) pursuit_.emplace(data, step_, uniform.regular, offset);
  if (uniform.runs.empty()) return;
  Index longest = 0;
  for (const auto& run : uniform.runs) longest = std::max(longest, run.cols());
  least_damping_ = least_decay / static_cast<double>(longest);
  channels_ = reduce_channels(uniform.runs, offset);
  add_part(uniform.runs, longest, offset);
  for (const Index share : {2, 8})
    if (longest / share >= fewest_samples) add_part(uniform.runs, longest / share, offset);
  if (longest / 32 >= fewest_samples_of_many) add_part(uniform.runs, longest / 32, offset);
}

/// Makes channels comparable in size, and combinations of them where they are many; returns the way back.
Matrix HankelRealisation::reduce_channels(std::vector<Matrix>& runs, bool offset) {
  if (offset) {
    const Vector mean = channel_means(runs);
    for (auto& run : runs) run.colwise() -= mean;
  }
  const Matrix products = channel_products(runs);
  const Vector size = products.diagonal().cwiseSqrt();
  const Vector unit = (size.array() > 0).select(size, 1.0);
  const Vector inverse = unit.cwiseInverse();
  const Index channels = unit.size();
  Matrix combinations = Matrix::Identity(channels, channels);
  if (channels > most_channels)
    combinations = symmetric_eigen(inverse.asDiagonal() * products * inverse.asDiagonal())
                       .vectors.rightCols(most_channels);
  const Matrix reduce = combinations.transpose() * inverse.asDiagonal();
  for (auto& run : runs) run = reduce * run;
  return unit.asDiagonal() * combinations;
}

void HankelRealisation::add_part(const std::vector<Matrix>& runs, Index samples, bool offset) {
  const std::vector<Matrix> parts = beginnings(runs, samples);
  const Index length = typical_length(parts);
  add(parts, length / 3, offset);
  // Long apertures matter where samples are few.
  if (length <= 2 * most_rows) add(parts, length / 2, offset);
  if (length <= fewest_samples) add(parts, 3 * length / 4, offset);
}

void HankelRealisation::add(const std::vector<Matrix>& runs, Index aperture, bool offset) {
  if (aperture < 1) return;
  const LagLattice lattice = lag_lattice(aperture, most_rows / runs.front().rows());
  const Matrix factor = hankel_factor(runs, lattice, offset);
  if (factor.size() == 0 || !factor.allFinite()) return;
  stop_point(5 * std::pow(static_cast<double>(factor.cols()), 3));
  auto [left, strength, right] = singular_value_decomposition(factor);
  if (!(strength[0] > 0)) return;
  if (spaces_.empty()) singular_values_ = strength;
  // Where columns are fewer than rows, those less their mean are not independent.
  const Index dependent = offset && left.cols() < left.rows() ? 1 : 0;
  spaces_.push_back({lattice, left.leftCols(left.cols() - dependent)});
}

std::optional<Realisation> HankelRealisation::pursued(Index order) const {
  if (!pursuit_) return {};
  auto modes = pursuit_->modes(order);
  if (!modes) return {};
  return stable_realisation(std::move(*modes), least_damping_ / step_);
}

std::optional<Realisation> HankelRealisation::realise_by(Index matrix, Index order) const {
  if (order < 1 || matrix >= matrices()) return {};
  return matrix < std::ssize(spaces_) ? spaces_[static_cast<std::size_t>(matrix)].realise(
                                            order, step_, least_damping_, channels_)
                                      : pursued(order);
}

}  // namespace lgn
