#include <pybind11/stl.h>

#include <memory>
#include <string>
#include <tuple>

#include "lgn/core/thread_limit.h"
#include "lgn/model/plan_words.h"
#include "lgn/report/plot/plan_plot.h"
#include "lgn/report/text/plan_text.h"
#include "python/bindings/bindings.h"

namespace lgn::python {
namespace {

using Words = std::vector<std::string>;

/// The plan as JSON, as text and as a drawing.
std::tuple<std::string, std::string, std::string> plan(
    const std::shared_ptr<Model>& model, const Words& modes, const std::string& duration,
    const std::string& rate, const std::string& runs, const std::string& noise,
    const Words& sensors, const Words& wants, const std::string& input, double amplitude,
    std::uint64_t seed) {
  const py::gil_scoped_release released;
  const ThreadLimit one(1);
  const PlanOptions options{modes,   duration, rate,  runs,      noise,
                            sensors, wants,    input, amplitude, seed};
  const MeasurementPlan found = model ? plan_for_model(*model, options) : plan_for_modes(options);
  return {plan_json(found), plan_text(found), plan_svg(found)};
}

}  // namespace

void bind_plan(py::module_& m) {
  m.def("plan", &plan, py::arg("model").none(true), py::arg("modes"), py::arg("duration"),
        py::arg("rate"), py::arg("runs"), py::arg("noise"), py::arg("sensors"), py::arg("wants"),
        py::arg("input"), py::arg("amplitude"), py::arg("seed"));
}

}  // namespace lgn::python
