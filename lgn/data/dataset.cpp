#include "lgn/data/dataset.h"

#include <fmt/format.h>

#include <cmath>
#include <string_view>
#include <unordered_set>

#include "lgn/core/error.h"
#include "lgn/core/setting.h"

namespace lgn {
namespace {

void check_names(const std::vector<std::string>& names,
                 std::unordered_set<std::string_view>& seen) {
  for (const auto& name : names) {
    if (name.empty()) throw Error("a channel has no name", "name every column in the header");
    if (!seen.insert(name).second)
      throw Error(fmt::format("two channels are named \"{}\"", name), "rename one of them");
  }
}

}  // namespace

Trajectory::Trajectory(std::string label, Vector times, Matrix states, Matrix inputs)
    : label_(std::move(label)),
      times_(std::move(times)),
      states_(std::move(states)),
      inputs_(std::move(inputs)) {
  const Index samples = times_.size();
  if (inputs_.size() == 0) inputs_.resize(0, samples);
  const auto refuse = [&](const std::string& problem, const std::string& help = {}) {
    throw Error(fmt::format("run \"{}\": {}", label_, problem), help);
  };
  if (states_.cols() != samples || inputs_.cols() != samples)
    refuse(fmt::format("{} times, but {} samples of the channels and {} of the inputs", samples,
                       states_.cols(), inputs_.cols()));
  if (samples < 2)
    refuse(fmt::format("only {} sample{}", samples, samples == 1 ? "" : "s"),
           "a run needs at least two samples to show how the system moves");
  if (!times_.allFinite()) refuse("a time is not finite");
  for (Index k = 1; k < samples; ++k)
    if (!(times_[k] > times_[k - 1]))
      refuse(fmt::format("time {} follows {}", times_[k], times_[k - 1]),
             "times must increase within a run");
  if ((states_.array().isInf()).any()) refuse("a value is infinite", "mark it as missing");
  if (!inputs_.allFinite()) refuse("an input is missing or infinite", "inputs need every sample");
}

Dataset::Dataset(std::vector<std::string> channels, std::vector<Trajectory> runs,
                 std::vector<std::string> inputs)
    : channels_(std::move(channels)), inputs_(std::move(inputs)), runs_(std::move(runs)) {
  if (channels_.empty())
    throw Error("no measured channel", "the file needs a column beside the time");
  if (runs_.empty()) throw Error("no data row");
  std::unordered_set<std::string_view> seen;
  seen.reserve(channels_.size() + inputs_.size());
  check_names(channels_, seen);
  check_names(inputs_, seen);
  for (const auto& run : runs_)
    if (run.states().rows() != dimension() ||
        run.inputs().rows() != static_cast<Index>(inputs_.size()))
      throw Error(fmt::format("run \"{}\" has {} channels and {} inputs, not {} and {}",
                              run.label(), run.states().rows(), run.inputs().rows(),
                              channels_.size(), inputs_.size()));
  if (present() == 0) throw Error("every cell is missing", "check the export and the separator");
  for (Index c = 0; c < dimension(); ++c) {
    bool found = false;
    for (const auto& run : runs_) found = found || !run.states().row(c).array().isNaN().all();
    if (!found)
      throw Error(fmt::format("channel \"{}\" holds no value", channels_[static_cast<size_t>(c)]),
                  "remove the column, or name the channels to use with " + setting("channels"));
  }
}

Dataset Dataset::with_runs(std::vector<Trajectory> runs) const {
  if (runs.empty()) throw Error("no data row");
  // Not a copy of this one, which may be long: names, and a run that is replaced.
  Dataset part(channels_,
               {Trajectory("", Vector::LinSpaced(2, 0, 1), Matrix::Zero(dimension(), 2),
                           Matrix::Zero(static_cast<Index>(inputs_.size()), 2))},
               inputs_);
  part.runs_ = std::move(runs);
  if (part.present() == 0)
    throw Error("every cell of a part of the runs is missing", "check the export");
  return part;
}

Dataset Dataset::less(const Vector& offset) const {
  if ((offset.array() == 0).all()) return *this;
  std::vector<Trajectory> runs;
  for (const auto& run : runs_)
    runs.emplace_back(run.label(), run.times(), run.states().colwise() - offset, run.inputs());
  return with_runs(std::move(runs));
}

Index Dataset::samples() const {
  Index total = 0;
  for (const auto& run : runs_) total += run.samples();
  return total;
}

Index Dataset::present() const {
  Index total = 0;
  for (const auto& run : runs_) total += run.states().size() - run.states().array().isNaN().count();
  return total;
}

std::string Dataset::active_input() const {
  for (const auto& run : runs_)
    for (Index i = 0; i < run.inputs().rows(); ++i)
      if ((run.inputs().row(i).array() != 0).any()) return inputs_[static_cast<std::size_t>(i)];
  return {};
}

}  // namespace lgn
