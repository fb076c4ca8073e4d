#pragma once

#include <pybind11/pybind11.h>

#include <string>

/// The parts of the extension `lgn._lgn`, one file each. They convert and call; what users see is in
/// python/lgn/.
namespace lgn::python {

namespace py = pybind11;

/// A message of the library with its settings as arguments: `structure: network` becomes
/// structure="network" (lgn/core/setting.h).
std::string for_python(const std::string& message);

void bind_errors(py::module_& m);
void bind_data(py::module_& m);
void bind_model(py::module_& m);
void bind_response(py::module_& m);
void bind_plan(py::module_& m);
void bind_design(py::module_& m);
void bind_identify(py::module_& m);
void bind_flow(py::module_& m);
void bind_systems(py::module_& m);

}  // namespace lgn::python
