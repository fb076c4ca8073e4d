#include <cassert>

#include "lgn/dynamics/structure.h"
#include "lgn/flow/propagate.h"
#include "lgn/flow/time_steps.h"
#include "lgn/identify/likelihood/problem.h"

namespace lgn {
namespace {

/// Samples of a block, and the blocks from which on a run is worth it.
constexpr Index block_samples = 1024, fewest_blocks = 32;
/// Beyond these the functions of a block are about as many as its samples.
constexpr Index most_condensed_states = 12, most_condensed_parameters = 200;

}  // namespace

bool Problem::condensed() const {
  for (const Group& group : groups_)
    if (group.step > 0) return true;
  return false;
}

double Problem::condensable(const std::vector<Index>& runs, const Vector& times) const {
  const bool suits = data_ != nullptr && structure_.autonomous() != nullptr &&
                     structure_.modal() == nullptr && structure_.ports() == nullptr &&
                     inputs_ == 0 && structure_.dimension() <= most_condensed_states &&
                     structure_.parameters() <= most_condensed_parameters &&
                     times.size() >= fewest_blocks * block_samples;
  if (!suits) return 0;
  for (const Index r : runs)
    if (data_->runs()[static_cast<std::size_t>(r)].states().hasNaN()) return 0;
  return uniform_step(times).value_or(0);
}

void Problem::condense(Group& group, std::shared_ptr<const BlockFunctions> functions) const {
  group.functions = std::move(functions);
  group.left.setZero(channels());
  for (Run& run : group.runs) {
    const Matrix& samples = data_->runs()[static_cast<std::size_t>(run.index)].states();
    run.outputs = group.functions->condense(samples, known_offset_, group.left);
    run.present.setOnes(run.outputs.rows(), run.outputs.cols());
    run.weight = channel_weights_.cwiseSqrt().asDiagonal() * run.present;
    if (estimate_offset_) group.ones = group.functions->of_ones(samples.cols());
  }
  group.same_weights = true;
}

std::unique_ptr<const Flow> Problem::condensed_flow(Group& group, const Vector& theta) const {
  const ConstantStructure& structure = *structure_.autonomous();
  const Index samples = data_->runs()[static_cast<std::size_t>(group.run(0).index)].samples();
  const auto flow = [&] {
    return std::make_unique<const CondensedFlow>(structure, theta, group.step, samples,
                                                 group.functions);
  };
  if (group.functions != nullptr)
    if (auto found = flow(); found->fits()) return found;
  condense(group, std::make_shared<const BlockFunctions>(structure.generator(theta), group.step,
                                                         block_samples, estimate_offset_));
  return flow();
}

void Problem::return_to(const Profile& profile) const {
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    if (!(groups_[g].step > 0)) continue;
    const auto& functions = static_cast<const CondensedFlow&>(*profile.flows[g]).functions();
    if (functions != groups_[g].functions) condense(groups_[g], functions);
  }
}

Matrix Problem::sample_residuals(const Run& run, const Profile& profile) const {
  const auto& data = data_->runs()[static_cast<std::size_t>(run.index)];
  Matrix left = -propagate(structure_.autonomous()->generator(profile.theta),
                           profile.initial_states.col(run.index), data.times());
  if (!structure_.measures_states()) left = structure_.observation(profile.theta).matrix() * left;
  left += data.states();
  left.colwise() -= known_offset_;
  if (estimate_offset_) left.colwise() -= profile.offset;
  return left;
}

Problem Problem::with_samples() const {
  assert(data_ != nullptr);
  ProblemOptions options;
  options.initial_states = known_initial_states_;
  if (known_initial_states_ && structure_.measures_states())
    options.initial_states->colwise() += known_offset_;
  options.offset = known_offset_;
  options.estimate_offset = estimate_offset_;
  if (inputs_ > 0) options.inputs = timing_;
  options.feedthrough = feedthrough_;
  options.drive_pattern = drive_pattern_;
  options.magnus = magnus_;
  return Problem(*data_, structure_, channel_weights_.cwiseSqrt().cwiseInverse(), options);
}

}  // namespace lgn
