#include "lgn/identify/training/gradient_check.h"

#include <algorithm>
#include <cmath>

#include "lgn/core/error.h"

namespace lgn {

GradientCheck check_gradient(const std::function<double(const Vector&)>& f, const Vector& x,
                             const Vector& gradient, double step) {
  if (gradient.size() != x.size())
    throw Error("a gradient needs as many entries as there are unknowns");
  Vector numeric(x.size());
  for (Index i = 0; i < x.size(); ++i) {
    Vector y = x;
    const auto central = [&](double h) {
      y[i] = x[i] + h;
      const double up = f(y);
      y[i] = x[i] - h;
      return (up - f(y)) / (2 * h);
    };
    const double h = step * std::max(1.0, std::abs(x[i]));
    numeric[i] = (4 * central(h / 2) - central(h)) / 3;
  }
  GradientCheck worst;
  const double scale = x.size() > 0 ? numeric.cwiseAbs().maxCoeff() : 1.0;
  for (Index i = 0; i < x.size(); ++i) {
    const double error = std::abs(gradient[i] - numeric[i]) / (scale > 0 ? scale : 1.0);
    // A NaN must not pass for agreement.
    if (error <= worst.error) continue;
    worst = {error, i, gradient[i], numeric[i]};
    if (std::isnan(error)) break;
  }
  return worst;
}

}  // namespace lgn
