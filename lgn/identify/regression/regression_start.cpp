#include "lgn/identify/regression/regression_start.h"

#include <set>
#include <string>
#include <utility>

#include "lgn/core/error.h"
#include "lgn/data/scales.h"
#include "lgn/dynamics/structures.h"
#include "lgn/identify/regression/closed_form.h"
#include "lgn/identify/regression/step_map_start.h"

namespace lgn {
namespace {

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

}  // namespace

Matrix regression_generator(const Dataset& data, const ConstantStructure& structure) {
  static const std::set<std::string> structured{"skew", "sd", "psd"};
  return structured.contains(structure.name()) ? closed_form(data, structure)
                                               : free_regression(data);
}

std::vector<Matrix> regression_generators(const Dataset& data, const ConstantStructure& structure) {
  try {
    return {regression_generator(data, structure)};
  } catch (const NotIdentified&) {
    auto generators = step_map_generators(data);
    generators.push_back(midpoint_generator(data));
    return generators;
  }
}

}  // namespace lgn
