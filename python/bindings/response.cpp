#include <pybind11/stl.h>

#include <memory>
#include <utility>
#include <vector>

#include "lgn/core/thread_limit.h"
#include "lgn/model/model_response.h"
#include "lgn/report/text/response_text.h"
#include "python/bindings/arrays.h"
#include "python/bindings/bindings.h"

namespace lgn::python {
namespace {

using namespace py::literals;
using Shared = std::shared_ptr<Model>;

/// [point, output, input] of what each pair has in a list; None where one has nothing.
template <class Number, class Curve, class Values>
py::object cube(const std::vector<Curve>& pairs, Index outputs, const Values& values) {
  const auto points = static_cast<py::ssize_t>(values(pairs.front()).size());
  if (points == 0) return py::none();
  const auto l = static_cast<py::ssize_t>(outputs);
  py::array_t<Number> result({points, l, static_cast<py::ssize_t>(pairs.size()) / l});
  auto entries = result.template mutable_unchecked<3>();
  for (std::size_t p = 0; p < pairs.size(); ++p) {
    const auto list = values(pairs[p]);
    const auto place = static_cast<py::ssize_t>(p);
    for (py::ssize_t k = 0; k < points; ++k) entries(k, place % l, place / l) = list[k];
  }
  return result;
}

py::array frequencies_for(const Model& model) {
  return vector_array(frequency_factor(model) *
                      response_frequencies(model, transfer_function(model)));
}

py::dict frequency_response_of(const Shared& model, const Array& frequencies) {
  const Vector at = vector_of(frequencies, "frequencies");
  std::vector<FrequencyResponse> found;
  {
    const py::gil_scoped_release released;
    const ThreadLimit one(1);
    found = frequency_responses(transfer_function(*model), at / frequency_factor(*model));
  }
  const Index l = model->outputs();
  return py::dict(
      "H"_a = cube<Complex>(found, l, [](const auto& one) { return one.values; }),
      "magnitude_se"_a =
          cube<double>(found, l, [](const auto& one) { return one.magnitude_errors(); }),
      "phase"_a = cube<double>(found, l, [](const auto& one) { return one.phases(); }),
      "phase_se"_a = cube<double>(found, l, [](const auto& one) { return one.phase_errors(); }));
}

using Respond = std::vector<TimeResponse> (*)(const DrivenSystem&, const SystemErrors&,
                                              const Vector&);

template <Respond respond>
py::dict time_response_of(const Shared& model, const Array& times) {
  const Vector at = vector_of(times, "t");
  std::vector<TimeResponse> found;
  {
    const py::gil_scoped_release released;
    const ThreadLimit one(1);
    found = respond(driven_system(*model), model->system_errors, at);
  }
  const Index l = model->outputs();
  return py::dict("y"_a = cube<double>(found, l, [](const auto& one) { return one.values; }),
                  "se"_a = cube<double>(found, l, [](const auto& one) { return one.errors; }));
}

std::string response_json_of(const Shared& model) {
  return response_json(*model, model_response(*model));
}

}  // namespace

void bind_response(py::module_& m) {
  m.def("response_frequencies", &frequencies_for, py::arg("model"));
  m.def(
      "response_times",
      [](const Model& model) {
        driven_system(model);
        return vector_array(response_times(model));
      },
      py::arg("model"));
  m.def("frequency_response", &frequency_response_of, py::arg("model"), py::arg("frequencies"));
  m.def("step_response", &time_response_of<step_responses>, py::arg("model"), py::arg("t"));
  m.def("impulse_response", &time_response_of<impulse_responses>, py::arg("model"), py::arg("t"));
  m.def("response_json", &response_json_of, py::arg("model"),
        py::call_guard<py::gil_scoped_release>());
}

}  // namespace lgn::python
