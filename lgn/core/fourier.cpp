#include "lgn/core/fourier.h"

#include <unsupported/Eigen/FFT>

namespace lgn {
namespace {

bool smooth(Index n) {
  if (n % 2 != 0) return false;
  for (const Index prime : {2, 3, 5})
    while (n % prime == 0) n /= prime;
  return n == 1;
}

}  // namespace

ComplexVector fourier(const Vector& samples) {
  Eigen::FFT<double> transform;
  transform.SetFlag(Eigen::FFT<double>::HalfSpectrum);
  ComplexVector result(samples.size() / 2 + 1);
  transform.fwd(result.data(), samples.data(), samples.size());
  return result;
}

Vector inverse_fourier(const ComplexVector& coefficients, Index samples) {
  Eigen::FFT<double> transform;
  transform.SetFlag(Eigen::FFT<double>::HalfSpectrum);
  Vector result(samples);
  transform.inv(result.data(), coefficients.data(), samples);
  return result;
}

Index smooth_below(Index n) {
  while (!smooth(n)) --n;
  return n;
}

Index smooth_above(Index n) {
  while (!smooth(n)) ++n;
  return n;
}

}  // namespace lgn
