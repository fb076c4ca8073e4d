#include "lgn/report/model.h"

#include "lgn/flow/propagate.h"

namespace lgn {

Matrix Model::propagate(const Vector& x0, const Vector& times) const {
  return variation ? variation->propagate(x0, times) : lgn::propagate(a, x0, times);
}

}  // namespace lgn
