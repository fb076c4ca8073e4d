#include "lgn/dynamics/formula.h"

#include <fmt/format.h>

#include "lgn/core/error.h"
#include "lgn/core/setting.h"

namespace lgn {

Matrix Formula::value(double t, const Vector& p) const {
  Matrix a = Matrix::Zero(dimension_, dimension_);
  real_(t, p, a);
  return a;
}

Matrix Formula::derivative(double t, const Vector& p, Index k) const {
  // f(p + ih) = f(p) + ih f'(p) − …: nothing is subtracted, so h can be far below the rounding
  // unit.
  constexpr double step = 1e-150;
  ComplexVector q = p.cast<Complex>();
  q[k] += Complex(0, step);
  ComplexMatrix a = ComplexMatrix::Zero(dimension_, dimension_);
  complex_(t, q, a);
  return a.imag() / step;
}

void require_fit(bool fits, const std::string& law, const std::string& has, Index channels) {
  if (!fits)
    throw Error(fmt::format("the law \"{}\" has {}, but the data have {} channel{}", law, has,
                            channels, channels == 1 ? "" : "s"),
                "choose the channels: " + setting("channels"));
}

}  // namespace lgn
