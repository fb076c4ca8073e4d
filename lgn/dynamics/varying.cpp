#include "lgn/dynamics/varying.h"

namespace lgn {

Matrix VaryingStructure::generator(const Vector& theta, double time) const {
  return sample(Vector::Constant(1, time))->course(theta)->generators();
}

}  // namespace lgn
