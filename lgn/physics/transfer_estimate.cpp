#include "lgn/physics/transfer_estimate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "lgn/core/decompositions.h"
#include "lgn/core/fourier.h"
#include "lgn/core/stop.h"
#include "lgn/data/scales.h"
#include "lgn/physics/spectrum.h"

namespace lgn {
namespace {

bool even_and_whole(const Trajectory& run, double step) {
  if (run.states().array().isNaN().any()) return false;
  for (Index k = 1; k < run.samples(); ++k)
    if (std::abs(run.times()[k] - run.times()[k - 1] - step) > 0.01 * step) return false;
  return true;
}

/// What an input becomes between its samples, over what it is there.
Complex hold_factor(Hold hold, double angle) {
  const Complex held = (1.0 - std::polar(1.0, -angle)) / Complex(0, angle);
  return hold == Hold::zoh ? held : Complex(std::norm(held), 0);
}

/// Two ninths of all samples, so that eight segments are averaged, from 32 on to 16,384; those of the longest run at most.
Index segment_length(const std::vector<const Trajectory*>& runs, Index longest) {
  constexpr Index fewest = 32, most = 16'384;
  Index total = 0;
  for (const Trajectory* run : runs) total += run->samples();
  return smooth_below(
      std::max<Index>(2, std::min(longest, std::clamp(2 * total / 9, fewest, most))));
}

TransferEstimate without(const std::string& reason) {
  TransferEstimate result;
  result.reason = reason;
  return result;
}

}  // namespace

TransferEstimate estimate_transfer(const Dataset& data, Hold hold) {
  const Index l = data.dimension(), m = std::ssize(data.inputs()), all = l + m;
  const double step = median_step(data);
  if (m == 0) return without("the data have no inputs");
  std::vector<const Trajectory*> runs;
  Index longest = 0;
  for (const Trajectory& run : data.runs())
    if (even_and_whole(run, step)) {
      runs.push_back(&run);
      longest = std::max(longest, run.samples());
    }
  if (runs.empty()) return without("the samples are uneven or have gaps");
  const Index samples = segment_length(runs, longest), bins = samples / 2 + 1;
  const Vector window = hann_window(samples);
  // Of every frequency: Σ z zᴴ, z the coefficients of outputs and inputs.
  std::vector<ComplexMatrix> density(static_cast<std::size_t>(bins), ComplexMatrix::Zero(all, all));
  TransferEstimate result;
  for (const Trajectory* run : runs) {
    Matrix signals(all, run->samples());
    signals << run->states(), run->inputs();
    signals.colwise() -= signals.rowwise().mean().eval();
    for (Index first = 0; first + samples <= run->samples();
         first += std::max<Index>(1, samples / 2)) {
      stop_point(static_cast<double>(all * (all + 20) * samples));
      ++result.segments;
      ComplexMatrix parts(all, bins);
      for (Index c = 0; c < all; ++c)
        parts.row(c) =
            fourier(signals.row(c).segment(first, samples).transpose().cwiseProduct(window))
                .transpose();
      for (Index k = 0; k < bins; ++k)
        density[static_cast<std::size_t>(k)] += parts.col(k) * parts.col(k).adjoint();
    }
  }
  constexpr Index fewest = 3;
  if (result.segments < fewest * m)
    return without(
        fmt::format("the runs are too short: {} segments of {} samples", result.segments, samples));
  double loudest = 0;
  for (const ComplexMatrix& s : density)
    loudest = std::max(loudest, s.bottomRightCorner(m, m).diagonal().real().minCoeff());
  std::vector<Index> kept;
  std::vector<ComplexMatrix> found;
  std::vector<Vector> coherence;
  for (Index k = 1; k < bins; ++k) {
    const ComplexMatrix& s = density[static_cast<std::size_t>(k)];
    // Where the inputs are silent, or move as one, there is nothing to tell.
    const ComplexInverse inverse = complex_inverse(s.bottomRightCorner(m, m));
    constexpr double silent = 1e-10, alike = 1e-8;
    if (!(s.bottomRightCorner(m, m).diagonal().real().minCoeff() > silent * loudest) ||
        !(inverse.reciprocal_condition > alike))
      continue;
    const ComplexMatrix h = s.topRightCorner(l, m) * inverse.value;
    const Vector power = s.topLeftCorner(l, l).diagonal().real();
    const Vector shared = (h * s.topRightCorner(l, m).adjoint()).diagonal().real();
    const double angle =
        2 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(samples);
    kept.push_back(k);
    found.emplace_back(h / hold_factor(hold, angle));
    coherence.emplace_back((power.array() > 0)
                               .select(shared.array() / power.array().max(1e-300), 0.0)
                               .min(1.0)
                               .max(0.0));
  }
  if (kept.empty()) return without("the inputs have no power, or move as one");
  result.omega.resize(std::ssize(kept));
  result.values.assign(static_cast<std::size_t>(l * m), ComplexVector(std::ssize(kept)));
  result.coherence.resize(l, std::ssize(kept));
  for (Index k = 0; k < result.omega.size(); ++k) {
    const auto place = static_cast<std::size_t>(k);
    result.omega[k] = 2 * std::numbers::pi * static_cast<double>(kept[place]) /
                      (static_cast<double>(samples) * step);
    result.coherence.col(k) = coherence[place];
    for (Index j = 0; j < m; ++j)
      for (Index i = 0; i < l; ++i)
        result.values[static_cast<std::size_t>(j * l + i)][k] = found[place](i, j);
  }
  return result;
}

}  // namespace lgn
