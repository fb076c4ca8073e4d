#include "lgn/flow/propagate.h"

#include <vector>

#include "lgn/flow/exponential.h"
#include "lgn/flow/time_steps.h"

namespace lgn {

Matrix propagate(const Matrix& a, const Vector& x0, const Vector& times) {
  Matrix states(a.rows(), times.size());
  if (times.size() == 0) return states;
  const TimeSteps steps = find_steps(times);
  std::vector<Matrix> maps(steps.length.size());
  std::vector<Index> uses(steps.length.size(), 0);
  for (const std::size_t which : steps.which) ++uses[which];
  states.col(0) = x0;
  for (Index k = 0; k + 1 < times.size(); ++k) {
    const std::size_t which = steps.which[static_cast<std::size_t>(k)];
    if (maps[which].size() == 0) maps[which] = exponential(steps.length[which] * a);
    states.col(k + 1).noalias() = maps[which] * states.col(k);
    if (--uses[which] == 0) maps[which] = Matrix();
  }
  return states;
}

}  // namespace lgn
