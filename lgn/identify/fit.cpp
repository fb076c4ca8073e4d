#include "lgn/identify/fit.h"

namespace lgn {

Matrix Fit::generator() const {
  const ConstantStructure* constant = structure->autonomous();
  return constant != nullptr ? constant->generator(theta) : structure->generator(theta, 0);
}

Matrix Fit::propagate(const Vector& x0, const Vector& times) const {
  if (offset.size() > 0) {
    Fit centred = *this;
    centred.offset.resize(0);
    return centred.propagate(x0 - offset, times).colwise() + offset;
  }
  if (structure->autonomous() != nullptr) return lgn::propagate(*structure, theta, x0, times);
  // As the fit itself steps from sample to sample.
  return plan_flow(*structure, times, theta, magnus)
      ->at(theta)
      ->states(x0)
      .reshaped(structure->dimension(), times.size());
}

}  // namespace lgn
