// exp(A), its derivative in a direction, and the adjoint that turns ∂ℓ/∂exp(A) into ∂ℓ/∂A, from one
// sweep.
#include <cmath>
#include <cstdio>

#include "lgn/lgn.h"

int main() {
  const lgn::Matrix a{{0.0, 1.0}, {-1.0, -0.1}};
  const lgn::Matrix e{{0.0, 0.0}, {-1.0, 0.0}};
  const lgn::Matrix g{{1.0, 2.0}, {3.0, 4.0}};

  const lgn::Exponential exp_a(a);
  const lgn::Matrix forward = exp_a.derivative(e);
  const lgn::Matrix backward = exp_a.adjoint(g);
  const double left = g.cwiseProduct(forward).sum(), right = backward.cwiseProduct(e).sum();
  std::printf("exp(A)[0,0] = %.15f\n", exp_a.value()(0, 0));
  std::printf("<G, L(A,E)> = %.15f\n<L(A',G), E> = %.15f\n", left, right);
  return std::abs(left - right) <= 1e-14 * std::abs(left) ? 0 : 1;
}
