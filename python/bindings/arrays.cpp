#include "python/bindings/arrays.h"

#include <fmt/format.h>

#include <memory>
#include <utility>
#include <vector>

#include "lgn/core/error.h"

namespace lgn::python {
namespace {

constexpr py::ssize_t item = sizeof(double);

void check_dimensions(const Array& array, py::ssize_t wanted, const std::string& name) {
  if (array.ndim() != wanted)
    throw Error(
        fmt::format("{} has {} dimension{}", name, array.ndim(), array.ndim() == 1 ? "" : "s"),
        fmt::format("it needs {}", wanted));
}

Eigen::Map<const Matrix> by_columns(const Array& array) {
  return {array.data(), array.shape(1), array.shape(0)};
}

/// An array over memory that goes when the last array over it goes.
template <class Owned>
py::array owning(Owned owned, std::vector<py::ssize_t> shape, std::vector<py::ssize_t> strides) {
  auto kept = std::make_unique<Owned>(std::move(owned));
  const double* data = kept->data();
  const py::capsule owner(kept.release(), [](void* p) { delete static_cast<Owned*>(p); });
  return py::array_t<double>(std::move(shape), std::move(strides), data, owner);
}

py::array read_only(py::array array) {
  array.attr("flags").attr("writeable") = false;
  return array;
}

}  // namespace

Matrix matrix_of(const Array& array, const std::string& name) {
  check_dimensions(array, 2, name);
  return by_columns(array).transpose();
}

Vector vector_of(const Array& array, const std::string& name) {
  check_dimensions(array, 1, name);
  return Eigen::Map<const Vector>(array.data(), array.shape(0));
}

Matrix samples_of(const Array& array, const std::string& name) {
  check_dimensions(array, 2, name);
  return by_columns(array);
}

py::array matrix_array(Matrix matrix) {
  const Index rows = matrix.rows(), cols = matrix.cols();
  return owning(std::move(matrix), {rows, cols}, {item, rows * item});
}

py::array samples_array(Matrix states) {
  const Index rows = states.rows(), cols = states.cols();
  return owning(std::move(states), {cols, rows}, {rows * item, item});
}

py::array vector_array(Vector vector) {
  const Index size = vector.size();
  return owning(std::move(vector), {size}, {item});
}

py::array matrix_view(const Matrix& matrix, py::handle owner) {
  return read_only(py::array_t<double>({matrix.rows(), matrix.cols()}, {item, matrix.rows() * item},
                                       matrix.data(), owner));
}

py::array transposed_view(const Matrix& matrix, py::handle owner) {
  return read_only(py::array_t<double>({matrix.cols(), matrix.rows()}, {matrix.rows() * item, item},
                                       matrix.data(), owner));
}

py::array vector_view(const Vector& vector, py::handle owner) {
  return read_only(py::array_t<double>({vector.size()}, {item}, vector.data(), owner));
}

}  // namespace lgn::python
