#include "lgn/dynamics/constant.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace lgn {

bool Constant::holds(double value) const {
  if (!std::isfinite(value)) return false;
  switch (range) {
    case Range::any:
      return true;
    case Range::non_negative:
      return value >= 0;
    case Range::positive:
      return value > 0;
    case Range::below_one:
      return std::abs(value) < 1;
  }
  return false;
}
namespace {

using Range = Constant::Range;

double to_value(Range range, double theta) {
  switch (range) {
    case Range::positive: {
      const double larger = 0.5 * (std::abs(theta) + std::hypot(theta, 2.0));
      return theta < 0 ? 1 / larger : larger;
    }
    case Range::non_negative:
      return std::max(theta, 0.0);
    case Range::below_one:
      return theta / std::hypot(theta, 1.0);
    default:
      return theta;
  }
}

double slope(Range range, double theta) {
  if (range == Range::positive) return to_value(range, theta) / std::hypot(theta, 2.0);
  if (range == Range::below_one) return std::pow(std::hypot(theta, 1.0), -3);
  return range == Range::non_negative && theta < 0 ? 0.0 : 1.0;
}

double to_parameter(Range range, double p) {
  if (range == Range::positive) return p - 1 / p;
  if (range != Range::below_one) return p;
  const double q = std::clamp(p, -1 + 1e-12, 1 - 1e-12);
  return q / std::sqrt((1 - q) * (1 + q));
}

}  // namespace

std::vector<std::string> Constants::names() const {
  std::vector<std::string> names;
  for (const auto& constant : constants_) names.push_back(constant.name);
  return names;
}

Vector Constants::values(const Vector& theta) const { return map(theta, to_value); }

Vector Constants::parameters(const Vector& values) const { return map(values, to_parameter); }

Vector Constants::slopes(const Vector& theta) const { return map(theta, slope); }

Vector Constants::lower_bounds() const {
  return map(Vector::Zero(size()), [](Range range, double) {
    return range == Range::non_negative ? 0.0 : -std::numeric_limits<double>::infinity();
  });
}

Vector Constants::starting_values() const {
  Vector start(size());
  for (Index k = 0; k < start.size(); ++k) start[k] = constants_[static_cast<std::size_t>(k)].start;
  return start;
}

Vector Constants::random_start(Random& random) const {
  Vector start = starting_values();
  for (double& value : start) value *= std::exp(0.1 * random.normal());
  return parameters(start);
}

std::vector<NamedValue> Constants::named(const Vector& theta) const {
  const Vector p = values(theta);
  std::vector<NamedValue> result;
  for (Index k = 0; k < p.size(); ++k)
    result.push_back({constants_[static_cast<std::size_t>(k)].name, Matrix::Constant(1, 1, p[k]),
                      NamedValue::Shape::scalar});
  return result;
}

}  // namespace lgn
