#include <pybind11/stl.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "lgn/core/error.h"
#include "lgn/flow/exponential.h"
#include "lgn/flow/magnus_flow.h"
#include "python/bindings/arrays.h"
#include "python/bindings/bindings.h"
#include "python/bindings/called_generator.h"

namespace lgn::python {
namespace {

py::array expm(const Array& array) {
  const Matrix a = matrix_of(array, "A");
  Matrix value;
  {
    const py::gil_scoped_release released;
    value = exponential(a);
  }
  return matrix_array(std::move(value));
}

py::tuple expm_frechet(const Array& array, const Array& direction) {
  const Matrix a = matrix_of(array, "A"), e = matrix_of(direction, "E");
  if (a.rows() != e.rows() || a.cols() != e.cols()) throw Error("A and E are not of one size");
  Matrix value, derivative;
  {
    const py::gil_scoped_release released;
    const Exponential exponential(a);
    derivative = exponential.derivative(e);
    value = exponential.value();
  }
  return py::make_tuple(matrix_array(std::move(value)), matrix_array(std::move(derivative)));
}

/// How the steps between two times are chosen: so many, or as many as it takes.
struct Steps {
  const MagnusScheme& scheme;
  double tolerance;
  std::optional<Index> substeps;
};

/// The states of all starts (columns) at the times, below one another.
Matrix states_at(const Structure& structure, const Matrix& starts, const Vector& times,
                 const Steps& steps) {
  if (steps.substeps) {
    const MagnusPlan nodes(structure, even_grid(times, steps.scheme, *steps.substeps));
    return MagnusFlow(nodes, {}).states(starts);
  }
  MagnusOptions options;
  options.method = steps.scheme.name;
  options.tolerance = steps.tolerance;
  const RefinedTimes refined = refine_times(structure, {}, times);
  const MagnusPlan nodes(structure, plan_grid(structure, {}, refined.times, options));
  const Matrix all = MagnusFlow(nodes, {}).states(starts);
  const Index n = structure.dimension();
  Matrix kept(n * times.size(), starts.cols());
  for (Index k = 0; k < times.size(); ++k)
    kept.middleRows(k * n, n) = all.middleRows(refined.kept[static_cast<std::size_t>(k)] * n, n);
  return kept;
}

/// The same for any number of times, block by block: steps are kept in memory until their block is
/// done, and Ctrl-C is seen before the next.
Matrix flow_of(const Structure& structure, const Matrix& starts, const Vector& times,
               const Steps& steps) {
  constexpr Index most = 64;
  const Index n = structure.dimension();
  Matrix states(n * times.size(), starts.cols());
  states.topRows(n) = starts;
  for (Index first = 0; first + 1 < times.size(); first += most) {
    const Index count = std::min(most, times.size() - 1 - first);
    states.middleRows(first * n, (count + 1) * n) = states_at(
        structure, states.middleRows(first * n, n).eval(), times.segment(first, count + 1), steps);
  }
  return states;
}

/// [sample × state, start], to be reshaped; energy is None or Q.
py::array magnus(py::function generator, const Array& starts_array, const Array& times_array,
                 const std::string& method, double tolerance, std::optional<Index> substeps,
                 const std::optional<Array>& energy) {
  const Matrix starts = matrix_of(starts_array, "x0");
  const Vector times = vector_of(times_array, "t");
  const Index n = starts.rows();
  if (!times.allFinite() || !starts.allFinite()) throw Error("x0 and t must be finite");
  if (times.size() < 1) throw Error("t is empty", "its first time is that of x0");
  for (Index k = 1; k < times.size(); ++k)
    if (!(times[k] > times[k - 1])) throw Error("the times t must increase");
  if (!(tolerance > 0)) throw Error("tolerance must be positive");
  if (substeps && *substeps < 1) throw Error("substeps must be positive");
  std::optional<Matrix> q;
  if (energy) {
    q = matrix_of(*energy, "energy");
    const bool fits = q->rows() == n && q->cols() == n;
    if (!fits || !q->isApprox(q->transpose()) || q->llt().info() != Eigen::Success)
      throw Error("energy is not symmetric and positive definite, of one size with the states");
  }
  const CalledGenerator structure(std::move(generator), n, q);
  const Steps steps{find_magnus_scheme(method), tolerance, substeps};
  Matrix states;
  {
    const py::gil_scoped_release released;
    states = flow_of(structure, starts, times, steps);
  }
  return matrix_array(std::move(states));
}

}  // namespace

void bind_flow(py::module_& m) {
  m.def("expm", &expm, py::arg("A"));
  m.def("expm_frechet", &expm_frechet, py::arg("A"), py::arg("E"));
  m.def("magnus", &magnus, py::arg("A"), py::arg("x0"), py::arg("t"), py::arg("method"),
        py::arg("tolerance"), py::arg("substeps"), py::arg("energy"));
  m.attr("magnus_tolerance") = MagnusOptions{}.tolerance;
}

}  // namespace lgn::python
