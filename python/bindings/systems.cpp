#include <pybind11/stl.h>

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "lgn/core/error.h"
#include "lgn/core/thread_limit.h"
#include "lgn/dynamics/system_recipe.h"
#include "lgn/flow/sample_runs.h"
#include "lgn/model/true_model.h"
#include "python/bindings/arrays.h"
#include "python/bindings/bindings.h"

namespace lgn::python {
namespace {

/// One number, or several.
std::vector<double> numbers(const py::handle& value) {
  if (py::isinstance<py::float_>(value) || py::isinstance<py::int_>(value))
    return {value.cast<double>()};
  return value.cast<std::vector<double>>();
}

SystemRecipe recipe_of(const std::string& system, const py::dict& constants, std::uint64_t seed) {
  SystemRecipe r;
  r.system = system;
  r.seed = seed;
  using Read = std::function<void(const py::handle&)>;
  const auto into = [](auto& field) -> Read {
    return [&field](const py::handle& v) {
      field = v.cast<std::remove_reference_t<decltype(field)>>();
    };
  };
  const std::map<std::string, Read> readers{
      {"sections", into(r.sections)},
      {"masses", into(r.masses)},
      {"states", into(r.states)},
      {"highest", into(r.highest_frequency)},
      {"damping_ratio", into(r.damping_ratio)},
      {"omega", into(r.omega)},
      {"gamma", into(r.gamma)},
      {"mass", into(r.mass)},
      {"stiffness", into(r.stiffness)},
      {"damping", into(r.damping)},
      {"modulation", into(r.modulation)},
      {"omega_d", into(r.modulation_frequency)},
      {"drift", into(r.drift)},
      {"tau", into(r.tau)},
      {"topology", into(r.topology)},
      {"spread", into(r.spread)},
      {"loss", into(r.loss)},
      {"R", [&](const py::handle& v) { r.r = numbers(v); }},
      {"L", [&](const py::handle& v) { r.l = numbers(v); }},
      {"C", [&](const py::handle& v) { r.c = numbers(v); }},
      {"size", [&](const py::handle& v) { r.size = py::str(v).cast<std::string>(); }},
  };
  for (const auto& [key, value] : constants) {
    const auto name = key.cast<std::string>();
    const auto found = readers.find(name);
    if (found == readers.end()) throw py::type_error("generate() has no argument " + name);
    try {
      found->second(value);
    } catch (const py::cast_error&) {
      throw Error(name + " cannot be " + py::repr(value).cast<std::string>());
    }
  }
  return r;
}

/// None: as is usual for the system; "random" or "e1"; the first states, the others zero.
std::optional<Vector> start_of(const py::object& given, const SystemRecipe& recipe, Index n) {
  const bool word = py::isinstance<py::str>(given);
  const std::string usual = recipe.starts_from_first_state() ? "e1" : "random";
  const std::string how = word ? given.cast<std::string>() : given.is_none() ? usual : "";
  Vector start = Vector::Zero(n);
  if (how == "random") return std::nullopt;
  if (how == "e1") {
    start[0] = 1;
    return start;
  }
  if (word) throw Error("x0 does not know \"" + how + "\"", "it takes random, e1 or numbers");
  const Vector first = vector_of(given.cast<Array>(), "x0");
  if (first.size() > n) throw Error("x0 has more values than there are states");
  start.head(first.size()) = first;
  return start;
}

py::tuple generate(const std::string& system, const py::dict& constants, Index runs, double end,
                   double step, double noise, std::uint64_t seed, const py::object& x0,
                   const std::string& input, const std::string& hold) {
  const SystemRecipe recipe = recipe_of(system, constants, seed);
  const NetworkSystem built = build_system(recipe);
  SamplingOptions sampling{runs,  end,  step,
                           noise, seed, start_of(x0, recipe, built.system.a.rows())};
  sampling.input = input;
  const auto held = find_hold(hold);
  if (!held) throw Error("hold does not know \"" + hold + "\"", "it takes zoh or foh");
  sampling.hold = *held;
  std::shared_ptr<Dataset> data;
  std::shared_ptr<Model> truth;
  {
    const py::gil_scoped_release released;
    const ThreadLimit one(1);
    data = std::make_shared<Dataset>(sample_runs(built.system, sampling));
    sampling.noise = 0;
    truth = std::make_shared<Model>(
        true_model(built.system, sample_runs(built.system, sampling), step, *held));
  }
  return py::make_tuple(data, truth, built.wiring);
}

}  // namespace

void bind_systems(py::module_& m) {
  m.def("generate", &generate, py::arg("system"), py::arg("constants"), py::arg("runs"),
        py::arg("end"), py::arg("step"), py::arg("noise"), py::arg("seed"), py::arg("x0"),
        py::arg("input"), py::arg("hold"));
}

}  // namespace lgn::python
