#include "lgn/flow/propagate.h"

#include "lgn/core/stop.h"
#include "lgn/flow/step_maps.h"

namespace lgn {

Matrix propagate(const Matrix& a, const Vector& x0, const Vector& times) {
  Matrix states(a.rows(), times.size());
  if (times.size() == 0) return states;
  StepMaps maps(a, times);
  states.col(0) = x0;
  const double work = 2 * static_cast<double>(a.size()) + 100;
  for (Index k = 1; k < times.size(); ++k) {
    stop_point(work);
    states.col(k).noalias() = maps.next() * states.col(k - 1);
  }
  return states;
}

}  // namespace lgn
