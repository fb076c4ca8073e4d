#include "lgn/identify/sparse/conjugate_gradients.h"

#include <algorithm>

#include "lgn/core/constants_internal.h"
#include "lgn/core/median.h"
#include "lgn/core/random.h"

namespace lgn {

CgResult conjugate_gradients(const SparseProblem::Curvature& curvature, const Vector& g,
                             const Vector& diagonal, const std::vector<char>& held, int most_steps,
                             double tolerance) {
  const auto free_part = [&](Vector v) {
    for (Index k = 0; k < v.size(); ++k)
      if (held[at(k)] != 0) v[k] = 0;
    return v;
  };
  CgResult result{Vector::Zero(g.size()), 0, false};
  Vector r = free_part(g), z = r.cwiseQuotient(diagonal), p = z;
  double rho = r.dot(z);
  const double end = tolerance * tolerance * rho;
  if (!(rho > 0)) {
    result.converged = true;
    return result;
  }
  for (; result.steps < most_steps && !result.converged; ++result.steps) {
    const Vector ap = free_part(curvature.product(p));
    const double bend = p.dot(ap);
    if (!(bend > 0)) break;
    result.x += rho / bend * p;
    r -= rho / bend * ap;
    z = r.cwiseQuotient(diagonal);
    const double next = r.dot(z);
    result.converged = next <= end;
    p = z + next / rho * p;
    rho = next;
  }
  return result;
}

Vector probed_diagonal(const SparseProblem::Curvature& curvature, Index unknowns,
                       const std::vector<Index>& first, int probes, std::uint64_t seed) {
  Random random(seed);
  Vector diagonal = Vector::Zero(unknowns);
  diagonal.head(first.front()).setOnes();  // of those that are of no kind
  for (std::size_t kind = 0; kind < first.size(); ++kind) {
    const Index begin = first[kind], end = kind + 1 < first.size() ? first[kind + 1] : unknowns;
    for (int probe = 0; probe < probes; ++probe) {
      Vector z = Vector::Zero(unknowns);
      for (Index k = begin; k < end; ++k) z[k] = random.uniform() < 0.5 ? -1 : 1;
      const Vector product = curvature.product(z);
      diagonal.segment(begin, end - begin) +=
          (z.cwiseProduct(product)).segment(begin, end - begin) / probes;
    }
    std::vector<double> of_kind(diagonal.data() + begin, diagonal.data() + end);
    const double typical = median(of_kind);
    const double floor = typical > 0 ? 0.2 * typical : 1.0;
    diagonal.segment(begin, end - begin) =
        diagonal.segment(begin, end - begin).cwiseMax(floor).eval();
  }
  return diagonal;
}

}  // namespace lgn
