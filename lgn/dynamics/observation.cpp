#include "lgn/dynamics/observation.h"

namespace lgn {

Matrix Observation::mapped(Matrix from, const Matrix& map) const {
  if (identity()) return from;
  const Index samples = from.rows() / map.cols();
  Matrix result(samples * map.rows(), from.cols());
  for (Index j = 0; j < from.cols(); ++j)
    result.col(j).reshaped(map.rows(), samples).noalias() =
        map * from.col(j).reshaped(map.cols(), samples);
  return result;
}

Matrix Observation::observe_jacobian(Matrix jacobian) const {
  if (identity()) return jacobian;
  const Index samples = jacobian.cols() / n_, rows = jacobian.rows() * samples;
  Matrix result(jacobian.rows(), samples * c_.rows());
  result.reshaped(rows, c_.rows()).noalias() = jacobian.reshaped(rows, n_) * c_.transpose();
  return result;
}

}  // namespace lgn
