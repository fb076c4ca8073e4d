#include "lgn/identify/wiring/short_errors.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include "lgn/data/scales.h"
#include "lgn/data/windows.h"
#include "lgn/dynamics/structures.h"
#include "lgn/identify/likelihood/problem.h"
#include "lgn/identify/regression/short_predictions.h"

namespace lgn {

std::function<double(const Matrix&)> short_errors(const Dataset& data,
                                                  const std::optional<InputTiming>& inputs) {
  if (!inputs) {
    const auto predictions = std::make_shared<const ShortPredictions>(data, telling_samples(data));
    return [predictions](const Matrix& a) { return predictions->error(a); };
  }
  constexpr std::size_t most_windows = 40;
  const Dataset windows = cut_windows(data, telling_samples(data));
  std::vector<Trajectory> some;
  const std::size_t every = (windows.runs().size() + most_windows - 1) / most_windows;
  for (std::size_t k = 0; k < windows.runs().size(); k += every) some.push_back(windows.runs()[k]);
  const auto full = std::make_shared<const FullStructure>(data.dimension());
  ProblemOptions how;
  how.estimate_offset = true;
  how.inputs = inputs;
  const auto problem = std::make_shared<const Problem>(windows.with_runs(std::move(some)), *full,
                                                       channel_amplitudes(data), how);
  return [full, problem](const Matrix& a) {
    return std::sqrt(problem->profile(a.reshaped())->cost /
                     static_cast<double>(std::max<Index>(problem->values(), 1)));
  };
}

}  // namespace lgn
