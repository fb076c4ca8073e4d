#include "lgn/model/model.h"

#include <pybind11/stl.h>

#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "lgn/core/error.h"
#include "lgn/core/output_file.h"
#include "lgn/core/setting.h"
#include "lgn/core/thread_limit.h"
#include "lgn/data/scales.h"
#include "lgn/identify.h"
#include "lgn/identify/likelihood/problem.h"
#include "lgn/model/model_file.h"
#include "lgn/model/prediction.h"
#include "lgn/model/some_modes.h"
#include "lgn/physics/evaluation.h"
#include "lgn/report/export/export.h"
#include "lgn/report/page/html_report.h"
#include "lgn/report/text/tables.h"
#include "lgn/report/text/variation_table.h"
#include "python/bindings/arrays.h"
#include "python/bindings/bindings.h"

namespace lgn::python {
namespace {

using namespace py::literals;
using Shared = std::shared_ptr<Model>;

/// One value of every mode.
template <class Value>
py::array column(const std::vector<Mode>& modes, const Value& value) {
  Vector values(static_cast<Index>(modes.size()));
  for (std::size_t k = 0; k < modes.size(); ++k) values[static_cast<Index>(k)] = value(modes[k]);
  return vector_array(std::move(values));
}

/// The modes as a table of columns by name; what is not known is NaN or None.
py::dict columns_of(const std::vector<Mode>& modes) {
  py::dict table;
  const auto add = [&](const char* name, const auto& value) { table[name] = column(modes, value); };
  const auto add_error = [&](const char* name, double Mode::Errors::*part) {
    add(name, [part](const Mode& m) {
      return m.se ? (*m.se).*part : std::numeric_limits<double>::quiet_NaN();
    });
  };
  add("re", [](const Mode& m) { return m.pole.real(); });
  add("im", [](const Mode& m) { return m.pole.imag(); });
  add("natural_frequency", [](const Mode& m) { return m.natural_frequency; });
  add("frequency_hz", [](const Mode& m) { return m.frequency_hz; });
  add("damping_ratio", [](const Mode& m) { return m.damping_ratio; });
  add("time_constant", [](const Mode& m) { return m.time_constant; });
  add("quality_factor", [](const Mode& m) { return m.quality; });
  add_error("se_re", &Mode::Errors::re);
  add_error("se_im", &Mode::Errors::im);
  add_error("se_natural_frequency", &Mode::Errors::natural_frequency);
  add_error("se_frequency_hz", &Mode::Errors::frequency_hz);
  add_error("se_damping_ratio", &Mode::Errors::damping_ratio);
  add_error("se_time_constant", &Mode::Errors::time_constant);
  add("condition", [](const Mode& m) { return m.condition; });
  py::list identifiable, reasons, doubts;
  for (const Mode& mode : modes) {
    identifiable.append(mode.identifiable ? py::object(py::bool_(*mode.identifiable)) : py::none());
    reasons.append(mode.reason);
    doubts.append(mode.spurious);
  }
  table["identifiable"] = identifiable;
  table["reason"] = reasons;
  table["spurious"] = doubts;
  return table;
}

/// Right eigenvectors as channels show them, one column per mode.
py::array shapes_of(const Model& model) {
  const auto count = static_cast<py::ssize_t>(model.modes.size());
  const auto channels = static_cast<py::ssize_t>(model.outputs());
  py::array_t<Complex> shapes({channels, count});
  auto entries = shapes.mutable_unchecked<2>();
  for (py::ssize_t k = 0; k < count; ++k)
    for (py::ssize_t i = 0; i < channels; ++i) {
      // Files of large networks hold none.
      const ComplexVector& shape = model.modes[static_cast<std::size_t>(k)].shape;
      entries(i, k) = shape.size() == channels ? shape[i] : Complex(std::nan(""), std::nan(""));
    }
  return shapes;
}

/// A window on a matrix of the model; None where it is empty.
template <const Matrix& (*part)(const Model&)>
py::object optional_matrix(const py::object& self) {
  const Matrix& matrix = part(self.cast<const Model&>());
  if (matrix.size() == 0) return py::none();
  return matrix_view(matrix, self);
}
const Matrix& b_of(const Model& model) { return model.drive.b; }
const Matrix& d_of(const Model& model) { return model.drive.d; }
const Matrix& b_errors_of(const Model& model) { return model.b_errors; }
const Matrix& d_errors_of(const Model& model) { return model.d_errors; }

const Matrix& k_of(const Model& model) { return model.innovation.k; }
const Matrix& k_errors_of(const Model& model) { return model.k_errors; }
const Matrix& innovation_of(const Model& model) { return model.innovation.covariance; }

py::array simulate_from(const Shared& model, const Array& x0, const Array& times,
                        const std::optional<Array>& inputs) {
  const Vector start = vector_of(x0, "x0"), at = vector_of(times, "t");
  const Matrix driving = inputs ? samples_of(*inputs, "u") : Matrix();
  Matrix states;
  {
    const py::gil_scoped_release released;
    const ThreadLimit one(1);
    states = simulate(*model, start, at, driving);
  }
  return samples_array(std::move(states));
}

py::array starts_for(const Shared& model, const Dataset& data) {
  Matrix starts;
  {
    const py::gil_scoped_release released;
    const ThreadLimit one(1);
    starts = fitted_initial_states(*model, data);
  }
  return samples_array(std::move(starts));
}

/// Predictions and their standard errors of every run, and NRMSE per channel.
py::tuple prediction_of(const Shared& model, const Dataset& data, Index horizon) {
  Prediction found;
  Evaluation scores;
  {
    const py::gil_scoped_release released;
    const ThreadLimit one(1);
    found = predict(*model, data, horizon);
    scores = evaluate(found, data, reference_of(*model, data));
  }
  py::list outputs, errors;
  for (Matrix& run : found.outputs) outputs.append(samples_array(std::move(run)));
  for (Matrix& run : found.errors) errors.append(samples_array(std::move(run)));
  py::dict channels;
  for (const Score& s : scores.channels) channels[py::str(s.name)] = s.nrmse;
  return py::make_tuple(outputs, errors, channels);
}

/// How the model does on data, from their first samples or from starts that suit them best.
py::dict evaluation_of(const Shared& model, const Dataset& data, bool measured) {
  Evaluation found;
  if (measured && model->hidden())
    throw Error("hidden states cannot be read from the first sample",
                "leave out " + setting("x0", "measured") + ": they are estimated");
  {
    const py::gil_scoped_release released;
    const ThreadLimit one(1);
    const Matrix starts =
        measured ? measured_initial_states(data) : fitted_initial_states(*model, data);
    const bool driven = model->drive.active();
    found = evaluate(model->propagator(), driven ? std::nullopt : model->energy, data, starts,
                     driven ? channel_means(data) : model->offset,
                     [&](const Vector& x0, const Vector& t, const Matrix& inputs) {
                       return model->propagate_states(x0, t, inputs);
                     });
  }
  py::list runs;
  for (const Score& s : found.runs)
    runs.append(py::dict("name"_a = s.name, "nrmse"_a = s.nrmse,
                         "energy_violations"_a = s.violations, "energy_spread"_a = s.spread));
  py::dict channels;
  py::dict percent;
  for (const Score& s : found.channels) {
    channels[py::str(s.name)] = s.nrmse;
    percent[py::str(s.name)] = s.percent;
  }
  return py::dict("fit_percent"_a = percent, "nrmse"_a = found.nrmse,
                  "energy_violations"_a = found.violations, "runs"_a = runs,
                  "channels"_a = channels);
}

/// Values of A, their columns and where each row begins; None where A is dense.
py::object sparse_entries(const Model& model) {
  if (!model.sparse) return py::none();
  const SparseGenerator a = model.sparse->generator();
  return py::make_tuple(vector_array(a.values()), py::cast(a.places().column),
                        py::cast(a.places().start));
}

py::array generator_at(const Shared& model, double time) {
  model->check_dense("A at one time");
  if (!model->variation) return matrix_array(model->a);
  return matrix_array(model->variation->structure->generator(model->variation->theta, time));
}

/// The page about the model and data, its own or others.
void write_report(const Shared& model, const Dataset& data, bool own, const std::string& path) {
  write_file(path, own ? html_report(*model, data)
                       : html_report(model_on(*model, data), data, "other data"));
}

py::list rows_of(const Model& model) {
  py::list rows;
  for (const ModeRow& row : mode_rows(model))
    rows.append(py::make_tuple(row.pole, row.natural_frequency, row.frequency, row.damping,
                               row.time_constant, row.quality, row.channels));
  return rows;
}

}  // namespace

void bind_model(py::module_& m) {
  using Released = py::call_guard<py::gil_scoped_release>;
  py::class_<Model, Shared>(m, "Model")
      .def_property_readonly(
          "a",
          [](const py::object& self) { return matrix_view(self.cast<const Model&>().a, self); })
      .def_property_readonly("sparse_a", &sparse_entries)
      .def_property_readonly("c",
                             [](const py::object& self) -> py::object {
                               const auto& model = self.cast<const Model&>();
                               if (!model.hidden()) return py::none();
                               return matrix_view(model.c, self);
                             })
      .def_property_readonly("c_errors",
                             [](const py::object& self) -> py::object {
                               const auto& model = self.cast<const Model&>();
                               if (model.c_errors.size() == 0) return py::none();
                               return matrix_view(model.c_errors, self);
                             })
      .def_property_readonly("b", &optional_matrix<b_of>)
      .def_property_readonly("b_errors", &optional_matrix<b_errors_of>)
      .def_property_readonly("d", &optional_matrix<d_of>)
      .def_property_readonly("d_errors", &optional_matrix<d_errors_of>)
      .def_property_readonly("k", &optional_matrix<k_of>)
      .def_property_readonly("k_errors", &optional_matrix<k_errors_of>)
      .def_property_readonly("innovation_covariance", &optional_matrix<innovation_of>)
      .def_readonly("inputs", &Model::inputs)
      .def_property_readonly("hold",
                             [](const Model& model) { return hold_name(model.drive.timing.hold); })
      .def_property_readonly("delay", [](const Model& model) { return model.drive.timing.delay; })
      .def_property_readonly("states", &Model::states)
      .def_readonly("record", &Model::record)
      .def_property_readonly("starts",
                             [](const py::object& self) {
                               return transposed_view(self.cast<const Model&>().starts, self);
                             })
      .def_property_readonly("offset",
                             [](const Model& self) -> py::object {
                               if (self.offset.size() == 0) return py::none();
                               return vector_array(self.offset);
                             })
      .def_property_readonly("offset_errors",
                             [](const Model& self) -> py::object {
                               if (self.offset_errors.size() == 0) return py::none();
                               return vector_array(self.offset_errors);
                             })
      .def_property_readonly("energy",
                             [](const py::object& self) -> py::object {
                               const auto& energy = self.cast<const Model&>().energy;
                               if (!energy) return py::none();
                               return matrix_view(*energy, self);
                             })
      .def_property_readonly("passive", [](const Model& model) { return model.guarantee.passive; })
      .def_readonly("channels", &Model::channels)
      .def_readonly("structure", &Model::structure)
      .def_readonly("method", &Model::method)
      .def_readonly("time_unit", &Model::time_unit)
      .def_property_readonly("varies",
                             [](const Model& model) { return model.variation.has_value(); })
      .def_property_readonly("frequency_unit", &frequency_unit)
      .def_property_readonly("warnings",
                             [](const Model& model) {
                               std::vector<std::pair<std::string, std::string>> all;
                               for (const auto& w : model.warnings)
                                 all.emplace_back(w.code, for_python(w.message));
                               return all;
                             })
      .def("set_files",
           [](Model& model, std::vector<std::string> files, std::string sha256,
              std::vector<std::string> assumptions) {
             model.data.files = std::move(files);
             model.data.sha256 = std::move(sha256);
             model.data.assumptions = std::move(assumptions);
           })
      .def_property_readonly("assumptions",
                             [](const Model& model) { return model.data.assumptions; })
      .def(
          "some_modes",
          [](const Model& model, Index count, const std::string& near) {
            std::vector<Mode> found;
            {
              const py::gil_scoped_release released;
              const ThreadLimit one(1);
              found = some_modes(model, count, near.empty() ? 0 : angular_frequency(model, near));
            }
            return columns_of(found);
          },
          py::arg("count"), py::arg("near"))
      .def("check_dense", &Model::check_dense, py::arg("purpose"))
      .def("mode_columns", [](const Model& model) { return columns_of(model.modes); })
      .def("mode_shapes", &shapes_of)
      .def("mode_rows", &rows_of)
      .def("simulate", &simulate_from, py::arg("x0"), py::arg("t"), py::arg("u") = py::none())
      .def("generator", &generator_at, py::arg("t"))
      .def("fitted_starts", &starts_for, py::arg("data"))
      .def("predict", &prediction_of, py::arg("data"), py::arg("horizon"))
      .def("evaluate", &evaluation_of, py::arg("data"), py::arg("measured"))
      .def("extrapolated",
           [](const Model& model, const Array& t) {
             return model.variation && model.variation->extrapolated(vector_of(t, "t"));
           })
      .def("learned_span",
           [](const Model& model) {
             return std::pair(model.variation->begin, model.variation->end);
           })
      .def("summary", [](const Model& model) { return for_python(summary_text(model)); })
      .def("tables", [](const Model& model) { return variation_text(model) + modes_table(model); })
      .def("to_json", &model_to_json, Released())
      .def("write", &write_model, py::arg("path"), Released())
      .def(
          "write_export",
          [](const Model& model, const std::string& path, const std::string& format,
             const std::string& ports) {
            write_file(path, export_text(model, path, format, ports));
          },
          py::arg("path"), py::arg("format"), py::arg("ports") = "", Released())
      .def("write_report", &write_report, py::arg("data"), py::arg("own"), py::arg("path"),
           Released());
  m.def(
      "model_from_json",
      [](const std::string& text, const std::string& file) {
        return std::make_shared<Model>(model_from_json(text, file));
      },
      py::arg("text"), py::arg("file"), Released());
  m.def(
      "read_model",
      [](const std::string& path) { return std::make_shared<Model>(read_model(path)); },
      py::arg("path"), Released());
  m.def(
      "mode_columns",
      [](const Array& a, const std::string& time_unit) {
        return columns_of(find_modes(matrix_of(a, "A"), {}, time_unit));
      },
      py::arg("A"), py::arg("time_unit"));
}

}  // namespace lgn::python
