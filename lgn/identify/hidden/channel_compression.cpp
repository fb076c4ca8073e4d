#include "lgn/identify/hidden/channel_compression.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "lgn/core/decompositions.h"
#include "lgn/core/median.h"
#include "lgn/core/stop.h"
#include "lgn/data/channel_noise.h"
#include "lgn/data/scales.h"
#include "lgn/identify/residuals.h"

namespace lgn {
namespace {

/// Complete samples of all runs beside one another.
Matrix complete_samples(const Dataset& data) {
  Matrix result(data.dimension(), data.samples());
  Index count = 0;
  for (const auto& run : data.runs())
    for (Index k = 0; k < run.samples(); ++k)
      if (!run.states().col(k).hasNaN()) result.col(count++) = run.states().col(k);
  result.conservativeResize(Eigen::NoChange, count);
  return result;
}

/// What channels in units of `noise` show together.
struct Subspace {
  Matrix basis;
  Vector power;    ///< Σ z² of every component
  Vector left;     ///< mean square of what is left of each channel, in its own unit
  double gap = 0;  ///< the least singular value of these components over the next one
};

/// Of singular values that are `times` above that of noise, as if it were alike in all channels; nothing where they are more than
/// `most`. By the smaller of the two matrices of products.
std::optional<Subspace> significant_subspace(const Matrix& samples, const Vector& noise, Index most,
                                             double times) {
  const Matrix scaled = noise.cwiseInverse().asDiagonal() * samples;
  const Index l = scaled.rows(), count = scaled.cols();
  const bool wide = count >= l;
  const auto small = static_cast<double>(std::min(l, count)),
             large = static_cast<double>(std::max(l, count));
  stop_point(0.3 * small * small * (large + 10 * small));
  const Matrix products =
      wide ? Matrix(scaled * scaled.transpose()) : Matrix(scaled.transpose() * scaled);
  const SymmetricEigen eigen = symmetric_eigen(products);
  const Vector values = eigen.values.cwiseMax(0.0).cwiseSqrt().reverse();
  // The median singular value of noise alone tells where that of the noise ends. Squares lose what is below their rounding, and files
  // what is below their digits.
  const double ratio = small / large;
  const double above = ((0.56 * ratio - 0.95) * ratio + 1.82) * ratio + 1.43;
  constexpr double rounding = explained;
  const double floor =
      std::max(times * above * median(std::vector<double>(values.begin(), values.end())),
               rounding * values[0]);
  const auto rank = static_cast<Index>((values.array() > floor).count());
  if (rank > most) return {};
  Subspace result;
  result.power = values.head(rank).cwiseAbs2();
  if (rank > 0 && rank < values.size())
    result.gap = values[rank - 1] / std::max(values[rank], rounding * values[0]);
  const Matrix vectors = eigen.vectors.rowwise().reverse().leftCols(rank);
  result.basis =
      wide ? vectors : Matrix(scaled * vectors * values.head(rank).cwiseInverse().asDiagonal());
  const Vector seen = (result.basis * values.head(rank).asDiagonal()).rowwise().squaredNorm();
  const double freedom = std::max(1.0, static_cast<double>(count - rank));
  // A channel's noise is part of the components, as far as they are that channel.
  constexpr double most_leverage = 0.9;
  const Vector own = 1 - result.basis.rowwise().squaredNorm().array().min(most_leverage);
  result.left = (scaled.rowwise().squaredNorm() - seen).cwiseMax(0.0).cwiseQuotient(freedom * own);
  result.left.array() *= noise.array().square();
  return result;
}

/// What is known of the channels before they are compared.
struct Known {
  Vector sizes;
  Vector smooth;  ///< most noise that each can have beside smooth motion
  Vector white;   ///< σ of those whose noise is plainly white, else zero
};

Known known_of(const Dataset& data) {
  Known known{channel_amplitudes(data), Vector(data.dimension()), Vector(data.dimension())};
  for (Index c = 0; c < data.dimension(); ++c) {
    const std::vector<Vector> runs = runs_of(data, c);
    known.smooth[c] = noise_of(runs);
    known.white[c] = white_noise_in(runs);
  }
  known.smooth = known.smooth.cwiseMin(known.sizes);
  return known;
}

/// σ of each channel from what is left of it, no channel a thousand times quieter for its size than the middle one, nor twice as quiet as
/// it plainly is: a component that is one channel's own noise would explain it, and the more the quieter it is thought.
Vector noise_from(const Vector& left, const Known& known) {
  const Vector relative = left.cwiseQuotient(known.sizes);
  const double middle = median(std::vector<double>(relative.begin(), relative.end()));
  constexpr double quieter = 1e-3, plainly = 0.5;
  return relative.cwiseMax(std::max(explained, quieter * middle))
      .cwiseProduct(known.sizes)
      .cwiseMax(plainly * known.white);
}

/// Whether the rank is one of the motion: there is noise, in which more of it may be hidden, or nothing at all comes next. Without noise
/// motion of a rank that has no end is cut where digits end, and what each channel shows of it tells all states apart.
bool has_definite_rank(const Subspace& found, const Vector& noise, const Vector& sizes) {
  constexpr double noisy = 10 * explained, gap = 1e3;
  const Vector relative = noise.cwiseQuotient(sizes);
  return median(std::vector<double>(relative.begin(), relative.end())) > noisy || found.gap > gap;
}

/// The basis turned so that all components are as large: their noise is then alike beside their sizes too. Each turn in a plane gives
/// one of them the mean size, so that there are fewer than there are components.
Matrix levelled(Matrix basis, const Vector& power) {
  Matrix moments = power.asDiagonal();
  const double mean = power.mean();
  std::vector<Index> open;
  for (Index k = 0; k < power.size(); ++k) open.push_back(k);
  while (open.size() > 1) {
    const auto [least, most] = std::minmax_element(
        open.begin(), open.end(), [&](Index a, Index b) { return moments(a, a) < moments(b, b); });
    const Index i = *least, j = *most;
    const double below = moments(i, i) - mean, above = moments(j, j) - mean, both = moments(i, j);
    // (c e_i + s e_j)ᵀ M (c e_i + s e_j) is the mean for this s/c.
    const double tangent =
        above > 0 ? (-both + std::sqrt(std::max(0.0, both * both - above * below))) / above : 0.0;
    const double c = 1 / std::hypot(1.0, tangent), s = tangent * c;
    const auto turn = [&](auto&& first, auto&& second) {
      const Vector before = first;
      first = c * first + s * second;
      second = c * second - s * before;
    };
    turn(basis.col(i), basis.col(j));
    turn(moments.col(i), moments.col(j));
    moments = moments.transpose().eval();
    turn(moments.col(i), moments.col(j));
    open.erase(least);
  }
  return basis;
}

}  // namespace

std::optional<ChannelCompression> compress_channels(const Dataset& data, Index most) {
  const Matrix samples = complete_samples(data);
  constexpr Index fewest = 16;
  if (samples.cols() < fewest || 2 * samples.cols() < data.samples()) return {};
  const Known known = known_of(data);
  if (!(known.sizes.array() > 0).all()) return {};
  Vector noise = noise_from(known.smooth, known);
  std::optional<Subspace> found;
  // Where motion is too fast for its samples to be smooth, noise is not yet told from it: only what stands out by far is no noise. The
  // rest is seen in units of the noise that is then left, in which it is alike in all channels.
  constexpr double by_far = 4;
  for (const double times : {by_far, 1.0, 1.0}) {
    if (found) noise = noise_from(found->left.cwiseSqrt(), known);
    found = significant_subspace(samples, noise, most, times);
    if (!found) return {};
  }
  if (found->basis.cols() < 1 || !has_definite_rank(*found, noise, known.sizes)) return {};
  found->basis = levelled(std::move(found->basis), found->power);
  const Matrix project = found->basis.transpose() * noise.cwiseInverse().asDiagonal();
  std::vector<Trajectory> runs;
  for (const auto& run : data.runs()) {
    Matrix z = project * run.states();
    for (Index k = 0; k < z.cols(); ++k)
      if (z.col(k).hasNaN()) z.col(k).setConstant(std::nan(""));
    runs.emplace_back(run.label(), run.times(), std::move(z));
  }
  std::vector<std::string> names;
  for (Index k = 0; k < project.rows(); ++k) names.push_back(fmt::format("component {}", k + 1));
  return ChannelCompression{std::move(noise), std::move(found->basis),
                            Dataset(std::move(names), std::move(runs))};
}

}  // namespace lgn
