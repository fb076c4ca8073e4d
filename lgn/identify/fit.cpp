#include "lgn/identify/fit.h"

namespace lgn {

Matrix Fit::generator() const {
  const ConstantStructure* constant = structure->autonomous();
  return constant != nullptr ? constant->generator(theta) : structure->generator(theta, 0);
}

Matrix Fit::propagate(const Vector& x0, const Vector& times) const {
  return lgn::propagate(*structure, theta, x0, times, magnus);
}

}  // namespace lgn
