#include "lgn/version.h"
#include "python/bindings/bindings.h"

PYBIND11_MODULE(_lgn, m) {
  using namespace lgn::python;
  m.doc() = "The C++ library lgn; the package `lgn` is made of this.";
  m.attr("__version__") = lgn::version;
  bind_errors(m);
  bind_data(m);
  bind_model(m);
  bind_response(m);
  bind_plan(m);
  bind_design(m);
  bind_identify(m);
  bind_flow(m);
  bind_systems(m);
}
