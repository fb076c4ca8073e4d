#include "lgn/flow/step_maps.h"

#include <utility>

#include "lgn/core/stop.h"
#include "lgn/flow/exponential.h"

namespace lgn {

StepMaps::StepMaps(const Matrix& a, const Vector& times)
    : a_(a),
      steps_(find_steps(times)),
      maps_(steps_.length.size()),
      uses_(steps_.length.size(), 0) {
  for (const std::size_t which : steps_.which) ++uses_[which];
}

const Matrix& StepMaps::next() {
  const std::size_t which = steps_.which[sample_++];
  Matrix& map = maps_[which];
  if (map.size() == 0) {
    stop_point(20 * static_cast<double>(a_.size() * a_.rows()) + 2000);
    map = exponential(steps_.length[which] * a_);
  }
  if (--uses_[which] > 0) return map;
  last_ = std::exchange(map, Matrix());
  return last_;
}

}  // namespace lgn
