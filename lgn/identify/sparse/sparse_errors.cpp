#include "lgn/identify/sparse/sparse_errors.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "lgn/core/constants_internal.h"
#include "lgn/core/random.h"
#include "lgn/core/sparse_eigenpairs.h"

namespace lgn {

Vector SparseInformation::parameter_errors(Index p, std::uint64_t seed,
                                           const std::function<void()>& before_each) const {
  constexpr int most_products = 80;
  const Partition& partition = curvature.partition();
  const Index whole = partition.count(0, p);
  const int probes = whole < 3000 ? 12 : whole < 30'000 ? 6 : 3;
  Vector sum = Vector::Zero(p);
  Random random(seed);
  for (int probe = 0; probe < probes; ++probe) {
    before_each();
    Vector z = Vector::Zero(diagonal.size());
    partition.draw_signs(random, z, 0, p);
    z.head(p) = z.head(p).cwiseProduct(diagonal.head(p).cwiseSqrt()).eval();
    const CgResult found = conjugate_gradients(curvature, z, diagonal, held, most_products, 0.05);
    sum += z.head(p).cwiseProduct(found.x.head(p)) / probes;
  }
  // A few probes leave chance in each: none is believed below a third of what is usual for its kind.
  Vector errors(p);
  for (std::size_t kind = 0; kind < kinds.size(); ++kind) {
    const Index begin = std::min(kinds[kind], p),
                end = kind + 1 < kinds.size() ? std::min(kinds[kind + 1], p) : p;
    if (partition.count(begin, end) == 0) continue;
    const double usual = partition.median(sum, begin, end);
    for (Index k = begin; k < end; ++k)
      errors[k] = held[at(k)] != 0 ? std::numeric_limits<double>::quiet_NaN()
                                   : std::sqrt(std::max(sum[k], usual / 3) / diagonal[k]);
  }
  return errors;
}

SparsePoles slowest_poles(const GeneratorPattern& generator, const Vector& theta,
                          const SparseInformation& information, Index count,
                          const std::function<void()>& before_each) {
  constexpr int most_products = 200;
  const SparsePattern& pattern = generator.pattern();
  const Vector values = generator.values(theta);
  SparsePoles poles{eigenpairs_near(pattern, values, 0, count), {}};
  Eigensystem& system = poles.system;
  Index kept = 0;
  for (Index q = 0; q < system.values.size(); ++q) {
    Matrix on_pattern(pattern.entries(), 2);
    for (Index i = 0; i < pattern.n; ++i)
      for (Index e = pattern.start[at(i)]; e < pattern.start[at(i) + 1]; ++e) {
        const Complex slope = std::conj(system.left(i, q)) * system.right(pattern.column[at(e)], q);
        on_pattern.row(e) << slope.real(), slope.imag();
      }
    Matrix g = Matrix::Zero(information.diagonal.size(), 2), x = g;
    bool whole = true;
    for (Index part = 0; part < 2; ++part) {
      g.col(part).head(theta.size()) = generator.pullback(theta, on_pattern.col(part));
      if (part == 1 && system.values[q].imag() == 0) g.col(part).setZero();
      for (Index k = 0; k < g.rows(); ++k)
        if (information.held[at(k)] != 0) g(k, part) = 0;
      before_each();
      const CgResult found =
          conjugate_gradients(information.curvature, g.col(part), information.diagonal,
                              information.held, most_products, 0.02);
      whole = whole && found.converged;
      x.col(part) = found.x;
    }
    if (!whole) continue;
    const Eigen::Matrix2d covariance = g.transpose() * x;
    poles.covariances.emplace_back(0.5 * (covariance + covariance.transpose()));
    system.values[kept] = system.values[q];
    system.right.col(kept) = system.right.col(q).eval();
    system.left.col(kept++) = system.left.col(q).eval();
  }
  system.values.conservativeResize(kept);
  system.right.conservativeResize(Eigen::NoChange, kept);
  system.left.conservativeResize(Eigen::NoChange, kept);
  return poles;
}

}  // namespace lgn
