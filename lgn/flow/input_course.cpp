#include "lgn/flow/input_course.h"

#include <algorithm>
#include <cmath>

namespace lgn {
namespace {

/// The input at a time of its own clock, in the piece that begins at sample k: as it is there, or straight on from it.
Vector value_in(const Vector& times, const Matrix& inputs, Hold hold, Index k, double time) {
  const Index last = times.size() - 1;
  if (k < 0) return inputs.col(0);
  if (hold == Hold::zoh || k >= last) return inputs.col(std::min(k, last));
  const double part = std::clamp((time - times[k]) / (times[k + 1] - times[k]), 0.0, 1.0);
  return (1 - part) * inputs.col(k) + part * inputs.col(k + 1);
}

}  // namespace

std::string hold_name(Hold hold) { return hold == Hold::zoh ? "zoh" : "foh"; }

std::optional<Hold> find_hold(const std::string& name) {
  if (name == "zoh") return Hold::zoh;
  if (name == "foh") return Hold::foh;
  return {};
}

InputCourse no_inputs(const Vector& times) {
  return input_course(times, Matrix(0, times.size()), {});
}

InputCourse input_course(const Vector& times, const Matrix& inputs, const InputTiming& timing) {
  const Index samples = times.size();
  InputCourse result;
  // A knot nearer to a sample than rounding is taken at that sample.
  const double near = 1e-9 * (times[samples - 1] - times[0]) / static_cast<double>(samples);
  std::vector<double> ends;
  std::vector<Index> knots;  // the sample of the input that each piece begins with
  std::vector<Index> at(static_cast<std::size_t>(samples));
  Index knot = -1;
  const auto next = [&] { return times[knot + 1] + timing.delay; };
  while (knot + 1 < samples && next() <= times[0] + near) ++knot;
  at[0] = knot;
  ends.push_back(times[0]);
  for (Index k = 1; k < samples; ++k) {
    while (knot + 1 < samples && next() < times[k] - near) {
      knots.push_back(knot);
      result.pieces.push_back({0, false});
      ends.push_back(next());
      ++knot;
    }
    knots.push_back(knot);
    result.pieces.push_back({0, true});
    ends.push_back(times[k]);
    while (knot + 1 < samples && next() <= times[k] + near) ++knot;
    at[static_cast<std::size_t>(k)] = knot;
  }
  result.edges = Eigen::Map<const Vector>(ends.data(), static_cast<Index>(ends.size()));
  const TimeSteps steps = find_steps(result.edges);
  result.lengths = steps.length;
  const auto count = static_cast<Index>(result.pieces.size());
  result.begin.resize(inputs.rows(), count);
  result.end.resize(inputs.rows(), count);
  for (Index k = 0; k < count; ++k) {
    const auto place = static_cast<std::size_t>(k);
    result.pieces[place].which = steps.which[place];
    const auto value = [&](double time) {
      return value_in(times, inputs, timing.hold, knots[place], time - timing.delay);
    };
    result.begin.col(k) = value(ends[place]);
    result.end.col(k) = value(ends[place + 1]);
  }
  result.at_samples.resize(inputs.rows(), samples);
  for (Index k = 0; k < samples; ++k)
    result.at_samples.col(k) = value_in(times, inputs, timing.hold, at[static_cast<std::size_t>(k)],
                                        times[k] - timing.delay);
  return result;
}

}  // namespace lgn
