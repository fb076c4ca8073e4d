#include "lgn/physics/autocorrelation.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "lgn/physics/uncertainty.h"

namespace lgn {

Autocorrelation::Autocorrelation(Index channels, Index lags)
    : products_(Matrix::Zero(channels, lags + 1)), pairs_(Matrix::Zero(channels, lags + 1)) {}

void Autocorrelation::add(const Matrix& residuals) {
  const Index samples = residuals.cols();
  runs_ += 1;
  samples_ += static_cast<double>(samples);
  const Matrix present = residuals.array().isNaN().select(Matrix::Zero(residuals.rows(), samples),
                                                          Matrix::Ones(residuals.rows(), samples));
  const Matrix values = residuals.array().isNaN().select(0.0, residuals);
  for (Index l = 0; l <= lags() && l < samples; ++l) {
    const Index count = samples - l;
    products_.col(l) +=
        values.leftCols(count).cwiseProduct(values.rightCols(count)).rowwise().sum();
    pairs_.col(l) += present.leftCols(count).cwiseProduct(present.rightCols(count)).rowwise().sum();
  }
}

Matrix Autocorrelation::values() const {
  Matrix r(products_.rows(), products_.cols());
  for (Index c = 0; c < r.rows(); ++c)
    for (Index l = 0; l < r.cols(); ++l) {
      const double power = products_(c, 0) / pairs_(c, 0), count = pairs_(c, l);
      if (!(count > 0))
        r(c, l) = std::numeric_limits<double>::quiet_NaN();
      else
        r(c, l) = power > 0 ? products_(c, l) / count / power : (l == 0 ? 1.0 : 0.0);
    }
  return r;
}

Vector Autocorrelation::band() const {
  const Vector fewest = pairs_.rightCols(lags()).colwise().minCoeff().transpose();
  return 1.96 / fewest.array().max(1.0).sqrt();
}

bool Autocorrelation::white(Index channel) const {
  const Matrix r = values();
  const double by_starts = samples_ > 0 ? 2 * runs_ / samples_ : 0;
  double sum = 0, terms = 0;
  for (Index l = 1; l < r.cols(); ++l) {
    if (std::isnan(r(channel, l))) continue;
    const double excess = std::max(0.0, std::abs(r(channel, l)) - by_starts);
    sum += pairs_(channel, l) * excess * excess;
    terms += 1;
  }
  if (terms == 0) return true;
  // Wilson and Hilferty: the cube root of a mean of squares is nearly normal.
  const double spread = 2 / (9 * terms);
  const double z = (std::cbrt(sum / terms) - (1 - spread)) / std::sqrt(spread);
  constexpr double chance = 0.01, many = 1e9;
  return z <= interval_factor(1 - 2 * chance / static_cast<double>(r.rows()), many);
}

}  // namespace lgn
