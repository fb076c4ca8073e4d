#include "lgn/identify/regression/regression_start.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "lgn/core/error.h"
#include "lgn/data/scales.h"
#include "lgn/data/windows.h"
#include "lgn/dynamics/structures.h"
#include "lgn/identify/regression/closed_form.h"
#include "lgn/identify/regression/short_predictions.h"
#include "lgn/identify/regression/step_map_start.h"

namespace lgn {
namespace {

/// Samples that a start is sought in, and the shortest windows of them.
constexpr Index most_samples = 20'000, shortest_window = 500;

Matrix free_regression(const Dataset& data) {
  const FullStructure full(data.dimension());
  constexpr double much = 1e3;
  const Vector sizes = channel_amplitudes(data).unaryExpr([](double s) { return s > 0 ? s : 1.0; });
  if (sizes.maxCoeff() < much * sizes.minCoeff()) return closed_form(data, full);
  std::vector<Trajectory> runs;
  for (const auto& run : data.runs())
    runs.emplace_back(run.label(), run.times(), sizes.cwiseInverse().asDiagonal() * run.states());
  return sizes.asDiagonal() * closed_form(data.with_runs(std::move(runs)), full) *
         sizes.cwiseInverse().asDiagonal();
}

Matrix midpoint_generator(const Dataset& data) {
  std::vector<Vector> middle, slope;
  for (const auto& run : data.runs())
    for (Index k = 1; k < run.samples(); ++k) {
      const Vector before = run.states().col(k - 1), after = run.states().col(k);
      if (before.array().isNaN().any() || after.array().isNaN().any()) continue;
      middle.emplace_back(0.5 * (before + after));
      slope.emplace_back((after - before) / (run.times()[k] - run.times()[k - 1]));
    }
  Regression regression{Matrix(data.dimension(), static_cast<Index>(middle.size())),
                        Matrix(data.dimension(), static_cast<Index>(middle.size()))};
  for (std::size_t k = 0; k < middle.size(); ++k) {
    regression.states.col(static_cast<Index>(k)) = middle[k];
    regression.derivatives.col(static_cast<Index>(k)) = slope[k];
  }
  if (middle.empty())
    throw NotIdentified("no two complete samples follow one another",
                        "measure all channels at the same times");
  return regress_full(regression);
}

/// What all of these samples suggest.
std::vector<Matrix> generators_of(const Dataset& data, const ConstantStructure& structure) {
  try {
    return {regression_generator(data, structure)};
  } catch (const NotIdentified&) {
    auto generators = step_map_generators(data);
    generators.push_back(midpoint_generator(data));
    return generators;
  }
}

}  // namespace

Matrix regression_generator(const Dataset& data, const ConstantStructure& structure) {
  static const std::set<std::string> structured{"skew", "sd", "psd"};
  return structured.contains(structure.name()) ? closed_form(data, structure)
                                               : free_regression(data);
}

std::vector<Matrix> regression_generators(const Dataset& data, const ConstantStructure& structure) {
  if (data.samples() <= most_samples) return generators_of(data, structure);
  // Enough for the widest windows of the weak form, and few enough that there are several.
  constexpr Index windows_of_the_telling = 8, fewest_windows = 4;
  const Index wanted = windows_of_the_telling * telling_samples(data);
  const Index length = std::clamp(wanted, shortest_window, most_samples / fewest_windows);
  auto generators = generators_of(spread_windows(data, length, most_samples), structure);
  if (wanted <= length) return generators;
  const auto slow =
      generators_of(every_so_many(data, 1 + data.samples() / most_samples), structure);
  generators.insert(generators.end(), slow.begin(), slow.end());
  return generators;
}

}  // namespace lgn
