#include "lgn/dynamics/observed.h"

#include "lgn/dynamics/generator.h"

namespace lgn {

std::unique_ptr<const Generator> ObservedStructure::at(const Vector& theta) const {
  return inner_->at(theta);
}

}  // namespace lgn
