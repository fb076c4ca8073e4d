#include "lgn/flow/propagate.h"

#include "lgn/flow/step_maps.h"

namespace lgn {

Matrix propagate(const Matrix& a, const Vector& x0, const Vector& times) {
  Matrix states(a.rows(), times.size());
  if (times.size() == 0) return states;
  StepMaps maps(a, times);
  states.col(0) = x0;
  for (Index k = 1; k < times.size(); ++k)
    states.col(k).noalias() = maps.next() * states.col(k - 1);
  return states;
}

}  // namespace lgn
