#pragma once

#include <pybind11/pybind11.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "lgn/dynamics/structure.h"

namespace lgn::python {

namespace py = pybind11;

/// A(t) as a Python function of time, without parameters. It may be used without the interpreter
/// lock, which it takes to call the function.
class CalledGenerator final : public Structure {
 public:
  /// `energy`: Q of ½ xᵀQx where that never grows under A(t).
  CalledGenerator(py::function function, Index dimension, std::optional<Matrix> energy);

  std::string name() const override { return "callable"; }
  Index dimension() const override { return dimension_; }
  Guarantee guarantee() const override;
  Index parameters() const override { return 0; }
  std::vector<std::string> parameter_names() const override { return {}; }
  std::unique_ptr<const SampledStructure> sample(const Vector& times) const override;
  Vector lower_bounds() const override { return {}; }
  std::vector<NamedValue> named_values(const Vector&) const override { return {}; }
  std::optional<Matrix> energy(const Vector&) const override { return energy_; }
  std::optional<double> period(const Vector&) const override { return {}; }
  bool extrapolates() const override { return true; }

 private:
  py::function function_;
  Index dimension_;
  std::optional<Matrix> energy_;
};

}  // namespace lgn::python
