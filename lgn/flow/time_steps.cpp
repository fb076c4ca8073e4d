#include "lgn/flow/time_steps.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace lgn {
namespace {

/// Rounding of a difference of two times, with a little room for times that were computed.
double time_tolerance(const Vector& times) {
  return 8 * std::numeric_limits<double>::epsilon() * times.cwiseAbs().maxCoeff();
}

}  // namespace

std::optional<double> uniform_step(const Vector& times) {
  const Index last = times.size() - 1;
  if (last < 1) return std::nullopt;
  const auto differences = times.tail(last) - times.head(last);
  if (!(differences.maxCoeff() - differences.minCoeff() <= 2 * time_tolerance(times)))
    return std::nullopt;
  return (times[last] - times[0]) / static_cast<double>(last);
}

TimeSteps find_steps(const Vector& times) {
  const auto count = static_cast<std::size_t>(std::max<Index>(times.size() - 1, 0));
  if (count == 0) return {};
  TimeSteps steps{{}, std::vector<std::size_t>(count)};
  // Nearly always they are all alike, and `which` is all zeros as it is.
  if (const auto step = uniform_step(times)) {
    steps.length = {*step};
    return steps;
  }
  const double tolerance = time_tolerance(times);
  const Vector differences = times.tail(times.size() - 1) - times.head(times.size() - 1);
  const auto difference = [&](std::size_t k) { return differences[static_cast<Index>(k)]; };
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](auto a, auto b) { return difference(a) < difference(b); });
  for (std::size_t i = 0; i < count;) {
    long double sum = 0;  // in doubles, rounding would lengthen the step: by 1e-14 in 1000 samples
    const double least = difference(order[i]);
    std::size_t j = i;
    // The first belongs to itself whatever it is: differences of times that are not finite compare to nothing.
    for (; j < count && (j == i || difference(order[j]) - least <= 2 * tolerance); ++j) {
      sum += difference(order[j]);
      steps.which[order[j]] = steps.length.size();
    }
    steps.length.push_back(static_cast<double>(sum / static_cast<long double>(j - i)));
    i = j;
  }
  return steps;
}

std::optional<Lattice> find_lattice(const Vector& times, double stretch) {
  const Index samples = times.size();
  if (samples < 2) return std::nullopt;
  const double tolerance = time_tolerance(times);
  const double duration = times[samples - 1] - times[0];
  const double smallest = (times.tail(samples - 1) - times.head(samples - 1)).minCoeff();
  const double points = std::round(duration / smallest);
  if (!(points <= stretch * static_cast<double>(samples))) return std::nullopt;
  Lattice lattice{duration / points, {}};
  lattice.position.reserve(static_cast<std::size_t>(samples));
  for (Index k = 0; k < samples; ++k) {
    const double position = std::round((times[k] - times[0]) / lattice.step);
    if (std::abs(times[0] + position * lattice.step - times[k]) > 2 * tolerance)
      return std::nullopt;
    lattice.position.push_back(static_cast<Index>(position));
  }
  return lattice;
}

}  // namespace lgn
