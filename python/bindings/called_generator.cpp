#include "python/bindings/called_generator.h"

#include <fmt/format.h>

#include <utility>

#include "lgn/core/error.h"
#include "python/bindings/arrays.h"

namespace lgn::python {
namespace {

class Course final : public GeneratorCourse {
 public:
  explicit Course(std::shared_ptr<const Matrix> generators) : generators_(std::move(generators)) {}
  const Matrix& generators() const override { return *generators_; }
  Vector pullback(const Matrix&) const override { return {}; }
  Matrix pullback_at(Index, const Matrix& g) const override {
    return Matrix(0, g.rows() > 0 ? g.cols() / g.rows() : 0);
  }
  Matrix pushforward(const Vector&) const override {
    return Matrix::Zero(generators_->rows(), generators_->cols());
  }

 private:
  std::shared_ptr<const Matrix> generators_;
};

class Sampled final : public SampledStructure {
 public:
  explicit Sampled(Matrix generators)
      : generators_(std::make_shared<const Matrix>(std::move(generators))) {}
  std::unique_ptr<const GeneratorCourse> course(const Vector&) const override {
    return std::make_unique<Course>(generators_);
  }

 private:
  std::shared_ptr<const Matrix> generators_;
};

}  // namespace

CalledGenerator::CalledGenerator(py::function function, Index dimension,
                                 std::optional<Matrix> energy)
    : function_(std::move(function)), dimension_(dimension), energy_(std::move(energy)) {}

Guarantee CalledGenerator::guarantee() const {
  return {energy_.has_value(), energy_.has_value(), false};
}

std::unique_ptr<const SampledStructure> CalledGenerator::sample(const Vector& times) const {
  const Index n = dimension_;
  Matrix generators(n, n * times.size());
  const py::gil_scoped_acquire lock;
  for (Index k = 0; k < times.size(); ++k) {
    const Matrix a = matrix_of(function_(times[k]).cast<Array>(), "A(t)");
    if (a.rows() != n || a.cols() != n)
      throw Error(fmt::format("A({}) is {} × {}", times[k], a.rows(), a.cols()),
                  fmt::format("for these states it must be {} × {}", n, n));
    if (!a.allFinite()) throw Error(fmt::format("A({}) is not finite", times[k]));
    generators.middleCols(k * n, n) = a;
  }
  if (PyErr_CheckSignals() != 0) throw py::error_already_set();
  return std::make_unique<Sampled>(std::move(generators));
}

}  // namespace lgn::python
