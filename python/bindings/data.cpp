#include <pybind11/stl.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "lgn/core/error.h"
#include "lgn/data/checksum.h"
#include "lgn/data/data_file.h"
#include "lgn/data/dataset.h"
#include "lgn/data/repeated_channels.h"
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

/// The data of files, and what reading them took for granted.
std::pair<std::shared_ptr<Dataset>, std::vector<std::string>> file_dataset(
    const std::vector<std::string>& paths, ReadOptions options) {
  Reading reading;
  auto data = std::make_shared<Dataset>(read_data(paths, options, &reading));
  return {std::move(data), reading.assumptions()};
}

py::tuple run_of(const py::object& self, std::size_t index) {
  const auto& runs = self.cast<const Dataset&>().runs();
  if (index >= runs.size()) throw py::index_error("there is no such run");
  const Trajectory& run = runs[index];
  return py::make_tuple(run.label(), vector_view(run.times(), self),
                        transposed_view(run.states(), self));
}

/// The inputs of a run, [sample, input].
py::array driving_of(const py::object& self, std::size_t index) {
  const auto& runs = self.cast<const Dataset&>().runs();
  if (index >= runs.size()) throw py::index_error("there is no such run");
  return transposed_view(runs[index].inputs(), self);
}

}  // namespace

void bind_data(py::module_& m) {
  using Released = py::call_guard<py::gil_scoped_release>;
  py::class_<Dataset, std::shared_ptr<Dataset>>(m, "Dataset")
      .def(py::init(&dataset_of), py::arg("channels"), py::arg("runs"), py::arg("inputs"))
      .def_property_readonly("channels", &Dataset::channels)
      .def_property_readonly("inputs", &Dataset::inputs)
      .def_property_readonly("samples", &Dataset::samples)
      .def(
          "of_channels",
          [](const std::shared_ptr<Dataset>& data, const std::vector<std::string>& channels) {
            return std::size(channels) == static_cast<std::size_t>(data->dimension())
                       ? data
                       : std::make_shared<Dataset>(of_channels(*data, channels));
          },
          py::arg("channels"))
      .def("__len__", [](const Dataset& data) { return data.runs().size(); })
      .def("run", &run_of, py::arg("index"))
      .def("driving", &driving_of, py::arg("index"))
      .def(
          "write", [](const Dataset& data, const std::string& path) { write_data(data, path); },
          py::arg("path"), Released());
  py::class_<ReadOptions>(m, "ReadOptions")
      .def(py::init<>())
      .def_readwrite("time", &ReadOptions::time)
      .def_readwrite("columns", &ReadOptions::columns)
      .def_readwrite("inputs", &ReadOptions::inputs)
      .def_readwrite("channels", &ReadOptions::channels)
      .def_readwrite("decimal_comma", &ReadOptions::decimal_comma)
      .def_readwrite("dt", &ReadOptions::dt)
      .def_readwrite("rate", &ReadOptions::rate)
      .def_readwrite("variable", &ReadOptions::variable)
      .def_readwrite("begin", &ReadOptions::begin)
      .def_readwrite("end", &ReadOptions::end)
      .def_readwrite("scale", &ReadOptions::scale)
      .def_readwrite("date_order", &ReadOptions::date_order)
      .def_readwrite("time_unit", &ReadOptions::time_unit);
  m.def("read_data", &file_dataset, py::arg("paths"), py::arg("options"), Released());
  m.def("sha256_of_files", &sha256_of_files, py::arg("paths"), Released());
}

}  // namespace lgn::python
