// The peer of flops_gradient_ladder100: one dgemm with as many flops as gradient_ladder100 cannot
// do without.

#include <memory>

#include "claim.h"
#include "ladder.h"
#include "lgn/dynamics/structures.h"
#include "lgn/flow/exponential.h"

namespace lgn::bench {
namespace {

/// With n states, K samples in all, R runs, and P products that the exponential takes at this θ
/// (its polynomial's and its squarings; 5 here), a multiplication and an addition being two flops:
///     exp(hA)                          2 n³ P
///     its adjoint                      4 n³ P         a product becomes two
///     x̂_(k+1) = Φ x̂_k                  2 n² (K − R)
///     λ_k = Φᵀ λ_(k+1) + ∂ℓ/∂x̂_k       2 n² (K − R)
///     ∂ℓ/∂Φ = Σ λ_(k+1) x̂_kᵀ           2 n² (K − R)
/// which is 84 Mflop. Left out: what only our blocking needs (Φ^B, a second pass back), and all
/// that is O(n²) or O(n K): sums of matrices, residuals, the structure.
double flops_needed(const Ladder& ladder) {
  const SdStructure structure(Ladder::dimension);
  const Exponential map(Ladder::step * structure.generator(ladder.theta));
  std::size_t products = static_cast<std::size_t>(map.squarings());
  for (const TaylorScheme& scheme : taylor_schemes())
    if (scheme.degree == map.taylor_degree()) products += scheme.products.size();
  const double n = Ladder::dimension, steps = Ladder::runs * (Ladder::samples - 1);
  return 6 * n * n * n * static_cast<double>(products) + 6 * n * n * steps;
}

}  // namespace

Claim same_flops(const std::string&) {
  const double flops = flops_needed(make_ladder());
  // Near a cube, where dgemm is at its best.
  const Index side = 350, depth = static_cast<Index>(flops / static_cast<double>(2 * side * side));
  const auto x = std::make_shared<Matrix>(Matrix::Random(side, depth)),
             y = std::make_shared<Matrix>(Matrix::Random(depth, side)),
             product = std::make_shared<Matrix>(Matrix::Zero(side, side));
  return {[=] { product->noalias() += *x * *y; },
          [=] {
            return std::map<std::string, Matrix>{{"flops", Matrix::Constant(1, 1, flops)}};
          }};
}

}  // namespace lgn::bench
