#include "lgn/design/design.h"

#include <pybind11/stl.h>

#include <memory>
#include <string>
#include <vector>

#include "lgn/core/output_file.h"
#include "lgn/core/stop.h"
#include "lgn/core/thread_limit.h"
#include "lgn/report/page/design_page.h"
#include "python/bindings/bindings.h"
#include "python/bindings/observer.h"

namespace lgn::python {
namespace {

using Words = std::vector<std::string>;

std::shared_ptr<Model> designed(const std::shared_ptr<Model>& model, const Words& free,
                                const Words& bounds, const Words& ties, const Words& targets,
                                const std::string& minimise, const std::string& maximise,
                                const Words& series, bool robust, const Words& tolerances,
                                int starts, std::uint64_t seed, double max_seconds) {
  Observer observer{py::none()};
  const py::gil_scoped_release released;
  const ThreadLimit one(1);
  const StopScope watched(max_seconds, [&observer] {
    observer.watch();
    return false;
  });
  const DesignOptions options{free,   bounds, ties,       targets, minimise, maximise,
                              series, robust, tolerances, starts,  seed};
  return std::make_shared<Model>(lgn::design(*model, options));
}

}  // namespace

void bind_design(py::module_& m) {
  m.def("design", &designed, py::arg("model"), py::arg("free"), py::arg("bounds"), py::arg("ties"),
        py::arg("targets"), py::arg("minimise"), py::arg("maximise"), py::arg("series"),
        py::arg("robust"), py::arg("tolerances"), py::arg("starts"), py::arg("seed"),
        py::arg("max_seconds"));
  m.def("design_text", &design_text, py::arg("model"));
  m.def(
      "write_design_report",
      [](const Model& before, const Model& after, const std::string& path) {
        write_file(path, design_report(before, after));
      },
      py::arg("before"), py::arg("after"), py::arg("path"),
      py::call_guard<py::gil_scoped_release>());
}

}  // namespace lgn::python
