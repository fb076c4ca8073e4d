#include "lgn/dynamics/structure.h"

#include <algorithm>
#include <limits>

#include "lgn/core/decompositions.h"
#include "lgn/dynamics/constant.h"
#include "lgn/dynamics/generator.h"

namespace lgn {
namespace {

/// The same A at every time.
class ConstantCourse final : public GeneratorCourse {
 public:
  ConstantCourse(const ConstantStructure& structure, const Vector& theta, Index times)
      : structure_(structure),
        theta_(theta),
        times_(times),
        generators_(structure.generator(theta).replicate(1, times)) {}

  const Matrix& generators() const override { return generators_; }
  Vector pullback(const Matrix& g) const override {
    const Index n = generators_.rows();
    Matrix sum = Matrix::Zero(n, n);
    for (Index k = 0; k < times_; ++k) sum += g.middleCols(k * n, n);
    return structure_.pullback(theta_, sum);
  }
  Matrix pullback_at(Index, const Matrix& g) const override {
    const Index n = generators_.rows(), count = g.cols() / n;
    Matrix result(theta_.size(), count);
    for (Index i = 0; i < count; ++i)
      result.col(i) = structure_.pullback(theta_, g.middleCols(i * n, n));
    return result;
  }
  Matrix pushforward(const Vector& delta) const override {
    return structure_.pushforward(theta_, delta).replicate(1, times_);
  }

 private:
  const ConstantStructure& structure_;
  Vector theta_;
  Index times_;
  Matrix generators_;
};

class SampledConstant final : public SampledStructure {
 public:
  SampledConstant(const ConstantStructure& structure, Index times)
      : structure_(structure), times_(times) {}
  std::unique_ptr<const GeneratorCourse> course(const Vector& theta) const override {
    return std::make_unique<ConstantCourse>(structure_, theta, times_);
  }

 private:
  const ConstantStructure& structure_;
  Index times_;
};

}  // namespace

Matrix Structure::generator(const Vector& theta, double time) const {
  return sample(Vector::Constant(1, time))->course(theta)->generators();
}

Vector Structure::lower_bounds() const {
  return Vector::Constant(parameters(), -std::numeric_limits<double>::infinity());
}

Vector Structure::largest_steps(double) const {
  return Vector::Constant(parameters(), std::numeric_limits<double>::infinity());
}

Vector Structure::parameter_slopes(const Vector& theta) const {
  return law_constants() ? law_constants()->slopes(theta) : Vector::Ones(theta.size());
}

std::string Structure::law_name() const {
  return law_constants() != nullptr ? name().substr(name().find(':') + 1) : std::string();
}

std::optional<Matrix> Structure::energy(const Vector&) const {
  if (!guarantee().dissipative) return std::nullopt;
  return Matrix::Identity(dimension(), dimension());
}

Index ConstantStructure::free_parameters() const {
  return std::min(parameters(), dimension() * dimension());
}

Vector ConstantStructure::typical_parameters(const Vector&) const {
  return Vector::Ones(parameters());
}

Matrix ConstantStructure::directions(const Vector& theta) const {
  const Index n = dimension(), p = parameters();
  Matrix result(p * n, n);
  for (Index q = 0; q < p; ++q)
    result.middleRows(q * n, n) = pushforward(theta, Vector::Unit(p, q));
  return result;
}

std::unique_ptr<const Generator> ConstantStructure::at(const Vector& theta) const {
  return std::make_unique<DenseGenerator>(*this, theta);
}

std::unique_ptr<const SampledStructure> ConstantStructure::sample(const Vector& times) const {
  return std::make_unique<SampledConstant>(*this, times.size());
}

double energy_growth_rate(const Matrix& a, const Matrix& q) {
  const Matrix l = cholesky(q);
  // With Q = LLᵀ and y = Lᵀx, ẏ = (Lᵀ A L⁻ᵀ) y and the energy is ½‖y‖².
  const Matrix right = solve_lower(l, (l.transpose() * a).transpose());
  const Matrix symmetric = 0.5 * (right + right.transpose());
  return symmetric_eigenvalues(symmetric).maxCoeff();
}

}  // namespace lgn
