#include "lgn/identify/starts.h"

#include <vector>

#include "lgn/flow/exponential.h"
#include "lgn/flow/time_steps.h"

namespace lgn {

Matrix fitted_starts(const Matrix& a, const Dataset& data) {
  const Index n = a.rows();
  Matrix starts(n, static_cast<Index>(data.runs().size()));
  for (Index r = 0; r < starts.cols(); ++r) {
    const auto& run = data.runs()[static_cast<std::size_t>(r)];
    const TimeSteps steps = find_steps(run.times());
    std::vector<Matrix> maps(steps.length.size());
    std::vector<Index> uses(steps.length.size(), 0);
    for (const std::size_t which : steps.which) ++uses[which];
    Matrix normal = Matrix::Zero(n, n), transition = Matrix::Identity(n, n);
    Vector right = Vector::Zero(n);
    for (Index k = 0; k < run.samples(); ++k) {
      if (k > 0) {
        const std::size_t which = steps.which[static_cast<std::size_t>(k - 1)];
        if (maps[which].size() == 0) maps[which] = exponential(steps.length[which] * a);
        transition = (maps[which] * transition).eval();
        if (--uses[which] == 0) maps[which] = Matrix();
      }
      const auto sample = run.states().col(k);
      const auto missing = sample.array().isNaN();
      const Matrix seen = (1.0 - missing.cast<double>()).matrix().asDiagonal() * transition;
      normal.noalias() += seen.transpose() * seen;
      right.noalias() += seen.transpose() * missing.select(0.0, sample).matrix();
    }
    // Relative to the best-seen direction, one below the squared rounding unit of the data is not
    // seen at all.
    const Eigen::SelfAdjointEigenSolver<Matrix> eigen(normal);
    const Vector& strength = eigen.eigenvalues();
    const double least = 1e-14 * strength.maxCoeff();
    const Vector inverse = (strength.array() > least).select(strength.cwiseInverse(), 0.0);
    starts.col(r) =
        eigen.eigenvectors() * inverse.cwiseProduct(eigen.eigenvectors().transpose() * right);
  }
  return starts;
}

}  // namespace lgn
