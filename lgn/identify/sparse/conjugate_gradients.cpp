#include "lgn/identify/sparse/conjugate_gradients.h"

#include "lgn/core/constants_internal.h"

namespace lgn {

CgResult conjugate_gradients(const SparseProblem::Curvature& curvature, const Vector& g,
                             const Vector& diagonal, const std::vector<char>& held, int most_steps,
                             double tolerance) {
  const auto free_part = [&](Vector v) {
    for (Index k = 0; k < v.size(); ++k)
      if (held[at(k)] != 0) v[k] = 0;
    return v;
  };
  const Partition& partition = curvature.partition();
  CgResult result{Vector::Zero(g.size()), 0, false};
  Vector r = free_part(g), z = r.cwiseQuotient(diagonal), p = z;
  double rho = partition.dot(r, z);
  const double end = tolerance * tolerance * rho;
  if (!(rho > 0)) {
    result.converged = true;
    return result;
  }
  for (; result.steps < most_steps && !result.converged; ++result.steps) {
    partition.stop_point();
    const Vector ap = free_part(curvature.product(p));
    const double bend = partition.dot(p, ap);
    if (!(bend > 0)) break;
    result.x += rho / bend * p;
    r -= rho / bend * ap;
    z = r.cwiseQuotient(diagonal);
    const double next = partition.dot(r, z);
    result.converged = next <= end;
    p = z + next / rho * p;
    rho = next;
  }
  return result;
}

Vector probed_diagonal(const SparseProblem::Curvature& curvature, Index unknowns,
                       const std::vector<Index>& first, int probes, std::uint64_t seed) {
  const Partition& partition = curvature.partition();
  Random random(seed);
  Vector diagonal = Vector::Zero(unknowns);
  diagonal.head(first.front()).setOnes();  // of those that are of no kind
  for (std::size_t kind = 0; kind < first.size(); ++kind) {
    const Index begin = first[kind], end = kind + 1 < first.size() ? first[kind + 1] : unknowns;
    for (int probe = 0; probe < probes; ++probe) {
      Vector z = Vector::Zero(unknowns);
      partition.stop_point();
      partition.draw_signs(random, z, begin, end);
      const Vector product = curvature.product(z);
      diagonal.segment(begin, end - begin) +=
          (z.cwiseProduct(product)).segment(begin, end - begin) / probes;
    }
    const double typical = partition.median(diagonal, begin, end);
    const double floor = typical > 0 ? 0.2 * typical : 1.0;
    diagonal.segment(begin, end - begin) =
        diagonal.segment(begin, end - begin).cwiseMax(floor).eval();
  }
  return diagonal;
}

}  // namespace lgn
