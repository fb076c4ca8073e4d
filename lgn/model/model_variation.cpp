#include "lgn/model/model_variation.h"

#include <numbers>

#include "lgn/dynamics/modulated.h"
#include "lgn/flow/flow.h"

namespace lgn {

MagnusOptions ModelVariation::steps() const {
  return steady_steps(*structure, theta, begin, end, magnus);
}

bool ModelVariation::extrapolated(const Vector& times) const {
  const double slack = 1e-6 * (end - begin);
  const ModulatedStructure* modulated = structure->modulated();
  const Vector omega = modulated != nullptr ? modulated->omega(theta) : Vector();
  const bool slow = omega.size() > 0 && omega.minCoeff() * (end - begin) < 2 * std::numbers::pi;
  return (slow || !structure->extrapolates()) &&
         (times.minCoeff() < begin - slack || times.maxCoeff() > end + slack);
}

void ModelVariation::set_covariance(const Matrix& covariance) {
  errors =
      covariance.diagonal().cwiseSqrt().cwiseProduct(structure->parameter_slopes(theta).cwiseAbs());
  course = find_course(*structure, theta, begin, end, covariance);
}

std::optional<ModelVariation> describe_variation(std::shared_ptr<const Structure> structure,
                                                 const Vector& theta, double begin, double end,
                                                 const MagnusOptions& magnus) {
  if (structure->autonomous() != nullptr) return {};
  ModelVariation result;
  result.course = find_course(*structure, theta, begin, end);
  if (structure->period(theta).value_or(end - begin) <= end - begin)
    result.floquet = find_floquet(*structure, theta, begin, magnus);
  result.structure = std::move(structure);
  result.theta = theta;
  result.begin = begin;
  result.end = end;
  result.magnus = magnus;
  return result;
}

std::optional<double> longest_period(const ModelVariation& variation) {
  const ModulatedStructure* modulated = variation.structure->modulated();
  if (modulated == nullptr) return variation.structure->period(variation.theta);
  const Vector omega = modulated->omega(variation.theta);
  if (omega.size() == 0) return {};
  return 2 * std::numbers::pi / omega.minCoeff();
}

}  // namespace lgn
