#include "lgn/dynamics/generator.h"

namespace lgn {

DenseGenerator::DenseGenerator(const ConstantStructure& structure, const Vector& theta)
    : structure_(structure), theta_(theta), a_(structure.generator(theta)) {}

Matrix DenseGenerator::apply_tangent(const Vector& delta, const Matrix& x) const {
  return structure_.pushforward(theta_, delta) * x;
}

void DenseGenerator::add_gradient(const Matrix& lambda, const Matrix& x, Vector& g) const {
  g += structure_.pullback(theta_, lambda * x.transpose());
}

SparseGenerator::SparseGenerator(Index dimension, Index parameters, std::vector<Entry> entries,
                                 std::vector<Slope> slopes)
    : n_(dimension), p_(parameters), entries_(std::move(entries)), slopes_(std::move(slopes)) {}

Matrix SparseGenerator::apply(const Matrix& x) const {
  Matrix y = Matrix::Zero(n_, x.cols());
  for (const auto& [row, col, value] : entries_) y.row(row) += value * x.row(col);
  return y;
}

Matrix SparseGenerator::apply_transpose(const Matrix& x) const {
  Matrix y = Matrix::Zero(n_, x.cols());
  for (const auto& [row, col, value] : entries_) y.row(col) += value * x.row(row);
  return y;
}

Matrix SparseGenerator::apply_tangent(const Vector& delta, const Matrix& x) const {
  Matrix y = Matrix::Zero(n_, x.cols());
  for (const auto& [parameter, row, col, value] : slopes_)
    y.row(row) += delta[parameter] * value * x.row(col);
  return y;
}

void SparseGenerator::add_gradient(const Matrix& lambda, const Matrix& x, Vector& g) const {
  for (const auto& [parameter, row, col, value] : slopes_)
    g[parameter] += value * lambda.row(row).dot(x.row(col));
}

double SparseGenerator::norm_bound() const {
  Vector sums = Vector::Zero(n_);
  for (const auto& entry : entries_) sums[entry.col] += std::abs(entry.value);
  return n_ > 0 ? sums.maxCoeff() : 0.0;
}

Matrix SparseGenerator::dense() const {
  Matrix a = Matrix::Zero(n_, n_);
  for (const auto& [row, col, value] : entries_) a(row, col) += value;
  return a;
}

}  // namespace lgn
