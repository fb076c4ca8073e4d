#include "lgn/version.h"
#include "python/bindings/bindings.h"

PYBIND11_MODULE(_lgn, module) {
  using namespace lgn::python;
  module.doc() = "The C++ library lgn; the package `lgn` is made of this.";
  module.attr("__version__") = lgn::version;
  bind_errors(module);
  bind_data(module);
  bind_model(module);
  bind_identify(module);
  bind_flow(module);
  bind_systems(module);
}
