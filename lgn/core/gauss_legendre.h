#pragma once

#include "lgn/core/linear_algebra.h"

namespace lgn {

/// Points in (−1, 1) and weights with Σ w_g f(p_g) = ∫ f over [−1, 1] for every polynomial of degree
/// below 2 · points, by the eigenvalues of the recurrence of Legendre's polynomials (Golub & Welsch,
/// Math. Comput. 23:221, 1969). Points ascend and are symmetric about 0, weights with them.
struct GaussRule {
  Vector points, weights;
};
GaussRule gauss_legendre(Index points);

}  // namespace lgn
