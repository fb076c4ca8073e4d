#include <pybind11/stl.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "lgn/core/error.h"
#include "lgn/data/checksum.h"
#include "lgn/data/data_file.h"
#include "lgn/data/dataset.h"
#include "lgn/identify.h"
#include "python/bindings/arrays.h"
#include "python/bindings/bindings.h"

namespace lgn::python {
namespace {

/// A label, times [sample], states [sample, channel], and inputs [sample, input] or nothing.
using Run = std::tuple<std::string, Array, Array, std::optional<Array>>;

std::shared_ptr<Dataset> dataset_of(std::vector<std::string> channels, const std::vector<Run>& runs,
                                    std::vector<std::string> inputs) {
  std::vector<Trajectory> trajectories;
  for (const auto& [label, t, x, u] : runs) {
    Matrix states = samples_of(x, "X");
    if (states.rows() != static_cast<Index>(channels.size()))
      throw Error("X has another number of channels than there are names",
                  "give one name per column of X");
    trajectories.emplace_back(label, vector_of(t, "t"), std::move(states),
                              u ? samples_of(*u, "inputs") : Matrix());
  }
  return std::make_shared<Dataset>(std::move(channels), std::move(trajectories), std::move(inputs));
}

std::shared_ptr<Dataset> file_dataset(const std::vector<std::string>& paths,
                                      const std::string& time, std::vector<std::string> channels,
                                      std::vector<std::string> inputs, bool decimal_comma) {
  ReadOptions options;
  options.time = time;
  options.channels = std::move(channels);
  options.inputs = std::move(inputs);
  options.decimal_comma = decimal_comma;
  return std::make_shared<Dataset>(read_data(paths, options));
}

py::tuple run_of(const py::object& self, std::size_t index) {
  const auto& runs = self.cast<const Dataset&>().runs();
  if (index >= runs.size()) throw py::index_error("there is no such run");
  const Trajectory& run = runs[index];
  return py::make_tuple(run.label(), vector_view(run.times(), self),
                        transposed_view(run.states(), self));
}

}  // namespace

void bind_data(py::module_& m) {
  using Released = py::call_guard<py::gil_scoped_release>;
  py::class_<Dataset, std::shared_ptr<Dataset>>(m, "Dataset")
      .def(py::init(&dataset_of), py::arg("channels"), py::arg("runs"), py::arg("inputs"))
      .def_property_readonly("channels", &Dataset::channels)
      .def_property_readonly("samples", &Dataset::samples)
      .def("__len__", [](const Dataset& data) { return data.runs().size(); })
      .def("run", &run_of, py::arg("index"))
      .def(
          "write", [](const Dataset& data, const std::string& path) { write_data(data, path); },
          py::arg("path"), Released());
  m.def("read_data", &file_dataset, py::arg("paths"), py::arg("time"), py::arg("channels"),
        py::arg("inputs"), py::arg("decimal_comma"), Released());
  m.def("sha256_of_files", &sha256_of_files, py::arg("paths"), Released());
}

}  // namespace lgn::python
