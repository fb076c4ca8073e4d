#include "lgn/dynamics/generator.h"

namespace lgn {
namespace {

std::size_t index(Index i) { return static_cast<std::size_t>(i); }

}  // namespace

DenseGenerator::DenseGenerator(const ConstantStructure& structure, const Vector& theta)
    : structure_(structure), theta_(theta), a_(structure.generator(theta)) {}

Matrix DenseGenerator::apply_tangent(const Vector& delta, const Matrix& x) const {
  return structure_.pushforward(theta_, delta) * x;
}

void DenseGenerator::add_gradient(const Matrix& lambda, const Matrix& x, Vector& g) const {
  g += structure_.pullback(theta_, lambda * x.transpose());
}

SparseGenerator::SparseGenerator(std::shared_ptr<const GeneratorPattern> pattern,
                                 const Vector& theta)
    : pattern_(std::move(pattern)), theta_(theta), values_(pattern_->values(theta)) {}

Matrix SparseGenerator::product(const Vector& values, const Matrix& x) const {
  const SparsePattern& at = places();
  Matrix y = Matrix::Zero(at.n, x.cols());
  for (Index i = 0; i < at.n; ++i)
    for (Index e = at.start[index(i)]; e < at.start[index(i) + 1]; ++e)
      y.row(i) += values[e] * x.row(at.column[index(e)]);
  return y;
}

Matrix SparseGenerator::apply_transpose(const Matrix& x) const {
  Vector transposed(values_.size());
  for (Index e = 0; e < values_.size(); ++e) transposed[e] = values_[places().twin[index(e)]];
  return product(transposed, x);
}

Matrix SparseGenerator::apply_tangent(const Vector& delta, const Matrix& x) const {
  return product(pattern_->pushforward(theta_, delta), x);
}

void SparseGenerator::add_gradient(const Matrix& lambda, const Matrix& x, Vector& g) const {
  const SparsePattern& at = places();
  Vector pulled(at.entries());
  for (Index i = 0; i < at.n; ++i)
    for (Index e = at.start[index(i)]; e < at.start[index(i) + 1]; ++e)
      pulled[e] = lambda.row(i).dot(x.row(at.column[index(e)]));
  g += pattern_->pullback(theta_, pulled);
}

double SparseGenerator::norm_bound() const {
  Vector sums = Vector::Zero(places().n);
  for (Index e = 0; e < values_.size(); ++e)
    sums[places().column[index(e)]] += std::abs(values_[e]);
  return sums.size() > 0 ? sums.maxCoeff() : 0.0;
}

Matrix SparseGenerator::dense() const {
  const SparsePattern& at = places();
  Matrix a = Matrix::Zero(at.n, at.n);
  for (Index i = 0; i < at.n; ++i)
    for (Index e = at.start[index(i)]; e < at.start[index(i) + 1]; ++e)
      a(i, at.column[index(e)]) = values_[e];
  return a;
}

}  // namespace lgn
