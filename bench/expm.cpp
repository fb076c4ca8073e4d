// exp(A), and exp(A) with ∂ℓ/∂A for a given G = ∂ℓ/∂exp(A), for the step map of a dense system: A =
// h(S − D), S skew with normal entries, d uniform in [0, 1], and h such that the fastest mode is
// sampled ten times per period.

#include <memory>
#include <numbers>

#include "claim.h"
#include "lgn/core/random.h"
#include "lgn/flow/exponential.h"

namespace lgn::bench {
namespace {

Matrix dense_step(Index n, Random& random) {
  const Matrix normal = random.normals(n, n).triangularView<Eigen::StrictlyLower>();
  Matrix a = normal - normal.transpose();
  for (Index i = 0; i < n; ++i) a(i, i) = -random.uniform();
  const double radius = eigenvalues(a).cwiseAbs().maxCoeff();
  return 2 * std::numbers::pi / 10 / radius * a;
}

}  // namespace

Claim expm(const std::string& folder, Index n) {
  Random random(1);
  const Matrix a = dense_step(n, random);
  write_numbers(folder, "a", a);
  const auto value = std::make_shared<Matrix>();
  return {[=] { *value = exponential(a); },
          [=] {
            return std::map<std::string, Matrix>{{"exp", *value}};
          }};
}

Claim expm_adjoint(const std::string& folder, Index n) {
  Random random(1);
  const Matrix a = dense_step(n, random);
  // PyTorch scales the block [A G; 0 A], so a large G would cost it squarings; ‖G‖₁ < 1 costs it
  // none.
  const Matrix g = random.normals(n, n) / static_cast<double>(n);
  write_numbers(folder, "a", a);
  write_numbers(folder, "g", g);
  const auto value = std::make_shared<Matrix>(), gradient = std::make_shared<Matrix>();
  return {[=] {
            const Exponential e(a);
            *value = e.value();
            *gradient = e.adjoint(g);
          },
          [=] {
            return std::map<std::string, Matrix>{{"exp", *value}, {"gradient", *gradient}};
          }};
}

}  // namespace lgn::bench
