#include "lgn/model/model.h"

#include "lgn/flow/propagate.h"

namespace lgn {

Matrix Model::propagate(const Vector& x0, const Vector& times) const {
  return variation ? variation->propagate(x0, times) : lgn::propagate(a, x0, times);
}

std::string frequency_unit(const Model& model) {
  return seconds_in(model.time_unit) ? "Hz" : "1/" + model.time_unit;
}

}  // namespace lgn
