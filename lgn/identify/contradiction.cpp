#include "lgn/identify/contradiction.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "lgn/data/scales.h"

namespace lgn {
namespace {

/// Mean of ‖x‖² over the complete samples of each eighth of a run; empty where one has none.
std::vector<double> energy_course(const Trajectory& run) {
  constexpr Index parts = 8;
  std::vector<double> course;
  for (Index part = 0; part < parts; ++part) {
    double sum = 0, count = 0;
    for (Index k = part * run.samples() / parts; k < (part + 1) * run.samples() / parts; ++k)
      if (!run.states().col(k).array().isNaN().any()) {
        sum += run.states().col(k).squaredNorm();
        count += 1;
      }
    if (count == 0) return {};
    course.push_back(sum / count);
  }
  return course;
}

/// By how much ‖x‖² of some run changes at most (both ways, or upwards only), as a factor.
double energy_change(const Dataset& data, bool upwards) {
  double largest = 1;
  for (const auto& run : data.runs()) {
    const auto course = energy_course(run);
    for (std::size_t late = 0; late < course.size(); ++late)
      for (std::size_t early = 0; early < late; ++early) {
        const double change = course[late] / course[early];
        if (!(change > 0) || !std::isfinite(change)) continue;
        largest = std::max({largest, change, upwards ? 1.0 : 1 / change});
      }
  }
  return largest;
}

/// Whether some run ends with more energy than it began with, each channel in units of its size.
bool grows(const Dataset& data) {
  constexpr double plainly = 1.05;
  const Vector sizes = channel_amplitudes(data);
  for (const auto& run : data.runs()) {
    const auto course = energy_course(
        Trajectory(run.label(), run.times(), sizes.cwiseInverse().asDiagonal() * run.states()));
    // A run with gaps everywhere cannot tell.
    if (course.empty() || course.back() > plainly * course.front()) return true;
  }
  return false;
}

}  // namespace

std::string contradiction(const std::string& structure, const Dataset& data) {
  if (structure == "full")
    return grows(data) ? ""
                       : "not tried: nothing grows, so that metric contains every stable system";
  constexpr double plain = 1.5;
  const bool skew = structure == "skew";
  if (!skew && structure != "sd") return {};
  const double change = energy_change(data, !skew);
  if (change < plain) return {};
  return fmt::format("not tried: ‖x‖² {} by a factor of {:.3g} within a run",
                     skew ? "changes" : "grows", change);
}

}  // namespace lgn
