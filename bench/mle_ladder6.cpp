// Maximum likelihood of the noisy ladder, and bootstraps of it.

#include <cmath>
#include <memory>

#include "claim.h"
#include "ladder.h"
#include "lgn/core/random.h"
#include "lgn/dynamics/structures.h"
#include "lgn/flow/propagate.h"
#include "lgn/identify/likelihood/maximum_likelihood.h"
#include "lgn/physics/bootstrap.h"

namespace lgn::bench {
namespace {

/// The first data sets that bootstrap makes (see there), one beside the other.
Matrix artificial_samples(const Fit& model, const Dataset& data, const Vector& noise, Index count) {
  Matrix samples(data.dimension(), count * data.samples());
  Index first = 0;
  for (Index b = 0; b < count; ++b) {
    Random random(1 + 0x9e3779b97f4a7c15u * static_cast<std::uint64_t>(b + 1));
    for (std::size_t r = 0; r < data.runs().size(); ++r) {
      const Trajectory& run = data.runs()[r];
      samples.middleCols(first, run.samples()) =
          model.propagate(model.initial_states.col(static_cast<Index>(r)), run.times()) +
          noise.asDiagonal() * random.normals(data.dimension(), run.samples());
      first += run.samples();
    }
  }
  return samples;
}

}  // namespace

Claim mle_ladder6(const std::string& folder) {
  const auto ladder = std::make_shared<NoisyLadder>(make_noisy_ladder());
  const auto structure = std::make_shared<const SdStructure>(NoisyLadder::dimension);
  Matrix starts(NoisyLadder::dimension, NoisyLadder::runs);
  for (Index r = 0; r < NoisyLadder::runs; ++r)
    starts.col(r) = ladder->data.runs()[static_cast<std::size_t>(r)].states().col(0);
  write_numbers(folder, "theta", structure->project(ladder->start));
  write_numbers(folder, "starts", starts);
  write_numbers(folder, "samples", all_samples(ladder->data));
  // The noise that it estimates is so alike in all channels that they keep equal weights, as the peer
  // gives them.
  const auto theta = std::make_shared<Vector>();
  return {[=] {
            *theta = maximum_likelihood(ladder->data, structure,
                                        {.theta = {structure->project(ladder->start)}})
                         .theta;
          },
          [=] {
            return std::map<std::string, Matrix>{{"theta", *theta}};
          }};
}

Claim bootstrap_1000_ladder6(const std::string& folder) {
  const auto ladder = std::make_shared<NoisyLadder>(make_noisy_ladder());
  const auto structure = std::make_shared<const SdStructure>(NoisyLadder::dimension);
  const auto model = std::make_shared<Fit>(
      maximum_likelihood(ladder->data, structure, {.theta = {structure->project(ladder->start)}}));
  // One σ for all channels spares the peer weights, which ours applies all the same.
  const Vector noise = Vector::Constant(
      NoisyLadder::dimension, std::sqrt(model->noise.squaredNorm() / NoisyLadder::dimension));
  constexpr Index compared = 10;
  write_numbers(folder, "theta", model->theta);
  write_numbers(folder, "starts", model->initial_states);
  write_numbers(folder, "samples", artificial_samples(*model, ladder->data, noise, compared));
  const auto poles = std::make_shared<ComplexMatrix>();
  return {[=] {
            const Matrix samples =
                bootstrap(*model, ladder->data, noise, {.repeats = 1000, .threads = 1});
            *poles = matched_poles([&](const Vector& t) { return structure->generator(t); },
                                   model->theta, samples);
          },
          [=] {
            Matrix parts(2 * NoisyLadder::dimension, compared);
            parts << poles->leftCols(compared).real(), poles->leftCols(compared).imag();
            return std::map<std::string, Matrix>{{"poles", parts}};
          }};
}

}  // namespace lgn::bench
