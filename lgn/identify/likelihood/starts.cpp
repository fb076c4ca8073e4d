#include "lgn/identify/likelihood/starts.h"

#include "lgn/flow/step_maps.h"

namespace lgn {

Matrix fitted_starts(const Matrix& a, const Dataset& data) {
  const Index n = a.rows();
  Matrix starts(n, static_cast<Index>(data.runs().size()));
  for (Index r = 0; r < starts.cols(); ++r) {
    const auto& run = data.runs()[static_cast<std::size_t>(r)];
    StepMaps maps(a, run.times());
    Matrix normal = Matrix::Zero(n, n), transition = Matrix::Identity(n, n);
    Vector right = Vector::Zero(n);
    for (Index k = 0; k < run.samples(); ++k) {
      if (k > 0) transition = (maps.next() * transition).eval();
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

Matrix measured_starts(const Dataset& data) {
  Matrix starts = Matrix::Zero(data.dimension(), static_cast<Index>(data.runs().size()));
  for (Index r = 0; r < starts.cols(); ++r) {
    const auto& states = data.runs()[static_cast<std::size_t>(r)].states();
    for (Index c = 0; c < starts.rows(); ++c)
      for (Index k = states.cols() - 1; k >= 0; --k)
        if (!Trajectory::missing(states(c, k))) starts(c, r) = states(c, k);
  }
  return starts;
}

}  // namespace lgn
