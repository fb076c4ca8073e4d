#include "lgn/identify/fit.h"

#include "lgn/flow/forced_response.h"

namespace lgn {

Matrix Fit::generator() const {
  const ConstantStructure* constant = structure->autonomous();
  return constant != nullptr ? constant->generator(theta) : structure->generator(theta, 0);
}

Matrix Fit::propagate(const Vector& x0, const Vector& times, const Matrix& inputs) const {
  if (drive.active()) {
    Fit free = *this;
    free.drive = {};
    const auto plan = plan_forced(*structure, input_course(times, inputs, drive.timing), magnus);
    Matrix result = free.propagate(x0, times);
    result += plan->at(theta)->outputs(drive.b).reshaped(result.rows(), result.cols());
    if (drive.d.size() > 0) result += drive.d * plan->inputs();
    return result;
  }
  if (offset.size() > 0) {
    Fit centred = *this;
    centred.offset.resize(0);
    return centred.propagate(structure->measures_states() ? Vector(x0 - offset) : x0, times)
               .colwise() +
           offset;
  }
  if (!structure->measures_states())
    return plan_flow(*structure, times, theta)
        ->at(theta)
        ->outputs(x0)
        .reshaped(structure->channels(), times.size());
  if (structure->autonomous() != nullptr) return lgn::propagate(*structure, theta, x0, times);
  // As the fit itself steps from sample to sample.
  return plan_flow(*structure, times, theta, magnus)
      ->at(theta)
      ->states(x0)
      .reshaped(structure->dimension(), times.size());
}

}  // namespace lgn
