#include "lgn/identify/driven/experiment_checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "lgn/core/decompositions.h"
#include "lgn/core/error.h"
#include "lgn/core/setting.h"
#include "lgn/identify/realisation/hankel_factor.h"

namespace lgn {
namespace {

/// Values of an input, or of a channel, of all runs, less the mean over those that are present.
Vector centred_values(const Dataset& data, bool is_input, Index row, Index but_last) {
  Vector values(data.samples() - but_last * static_cast<Index>(data.runs().size()));
  Index place = 0;
  for (const auto& run : data.runs()) {
    const Index count = run.samples() - but_last;
    values.segment(place, count) =
        (is_input ? run.inputs() : run.states()).row(row).head(count).transpose();
    place += count;
  }
  const auto missing = values.array().isNaN();
  const double present = static_cast<double>((!missing).count());
  const double mean = missing.select(0.0, values.array()).sum() / std::max(1.0, present);
  return missing.select(0.0, values.array() - mean);
}

/// Whether two series are the same but for a factor and an offset, to the rounding of files.
bool same_course(const Vector& a, const Vector& b) {
  constexpr double rounding = 1e-8;
  const double size = a.norm() * b.norm();
  return size > 0 && std::abs(a.dot(b)) > (1 - rounding) * size;
}

}  // namespace

void check_experiment(const Dataset& data) {
  const auto inputs = static_cast<Index>(data.inputs().size());
  const auto name = [&](Index j) -> const std::string& {
    return data.inputs()[static_cast<std::size_t>(j)];
  };
  for (Index j = 0; j < inputs; ++j) {
    const Vector values = centred_values(data, true, j, 0);
    const double size = 1e-12 * std::max(1e-300, data.runs().front().inputs().row(j).norm());
    if (values.norm() <= size)
      throw NotIdentified(
          fmt::format("the input \"{}\" is constant: what it does cannot be told from an offset",
                      name(j)),
          "vary it, or leave it out with " + setting("inputs"));
    if (centred_values(data, true, j, 1).norm() <= size)
      throw NotIdentified(
          fmt::format("the input \"{}\" changes at the last sample only, and no response is seen",
                      name(j)),
          "record for longer after the change");
    for (Index c = 0; c < data.dimension(); ++c)
      if (same_course(values, centred_values(data, false, c, 0)))
        throw NotIdentified(
            fmt::format("the input \"{}\" and the channel \"{}\" hold the same values", name(j),
                        data.channels()[static_cast<std::size_t>(c)]),
            "choose other columns with " + setting("inputs") + " and " + setting("channels"));
    for (Index k = 0; k < j; ++k)
      if (same_course(values, centred_values(data, true, k, 0)))
        throw NotIdentified(
            fmt::format("the inputs \"{}\" and \"{}\" hold the same values: what each of them does "
                        "cannot be told",
                        name(k), name(j)),
            "vary them apart, or leave one out with " + setting("inputs"));
  }
}

Index excitation_order(const Dataset& data, Index enough) {
  constexpr double unseen = 1e-6;  // of the largest singular value
  Index least = enough;
  for (Index j = 0; j < static_cast<Index>(data.inputs().size()); ++j) {
    std::vector<Matrix> runs;
    for (const auto& run : data.runs()) runs.emplace_back(run.inputs().row(j));
    const Matrix factor = hankel_factor(runs, lag_lattice(enough, enough + 1), true);
    if (factor.size() == 0 || !factor.allFinite()) continue;
    const Vector strength = singular_values(factor);
    least = std::min<Index>(least, (strength.array() > unseen * strength[0]).count());
  }
  return least;
}

}  // namespace lgn
