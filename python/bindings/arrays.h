#pragma once

#include <pybind11/numpy.h>

#include <string>

#include "lgn/core/linear_algebra.h"

namespace lgn::python {

namespace py = pybind11;

/// Anything that NumPy can turn into doubles, rows one after the other.
using Array = py::array_t<double, py::array::c_style | py::array::forcecast>;

/// A copy of a two-dimensional array, as it is. Throws Error, naming it, for another shape.
Matrix matrix_of(const Array& array, const std::string& name);
/// A copy of a one-dimensional array. Throws Error, naming it, for another shape.
Vector vector_of(const Array& array, const std::string& name);
/// [sample, channel] as lgn keeps it, one column per sample: the same numbers in the same order.
Matrix samples_of(const Array& array, const std::string& name);

/// The matrix as an array that owns it, without a copy; its columns are contiguous.
py::array matrix_array(Matrix matrix);
/// One column per sample becomes [sample, channel], without a copy.
py::array samples_array(Matrix states);
py::array vector_array(Vector vector);

/// A read-only window on a matrix that `owner` keeps alive.
py::array matrix_view(const Matrix& matrix, py::handle owner);
/// The same, transposed: [column, row].
py::array transposed_view(const Matrix& matrix, py::handle owner);
py::array vector_view(const Vector& vector, py::handle owner);

}  // namespace lgn::python
